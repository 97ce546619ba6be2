/** The process that asks the HTTP API. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Call, createCalls } from '../calls.ts'

export async function startLoad(): Promise<{ call: Call; stop(): Promise<void> }> {
  const child = fork(new URL('./singles.mjs', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    call: createCalls(child),
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      process.removeListener('exit', kill)
    },
  }
}
