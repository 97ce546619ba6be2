/** A receiver of calls that knows by the id what it was told before; below /hang it never answers. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Arrivals } from '../arrivals.ts'
import { createCalls } from '../calls.ts'

export interface Received {
  /** when each came, Unix ms */
  readonly arrivals: Arrivals<number>
  /** those that were told again */
  readonly repeated: number
}

export interface Receiver {
  urlOf(path: string, which: number): string
  /** how many have come */
  count(): Promise<number>
  received(): Promise<Received>
  forget(): Promise<void>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(new URL('./process.mjs', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const call = createCalls(child)
  const port = await call<number>('open')
  return {
    urlOf: (path, which) => `url:http://127.0.0.1:${port}/${path}?${which}`,
    count: () => call('count'),
    async received() {
      const { came, repeated } = await call<{ came: [number, number[]][]; repeated: number }>('calls')
      return { arrivals: new Map(came), repeated }
    },
    forget: () => call('forget'),
    async stop() {
      const exited = once(child, 'exit')
      kill()
      await exited
      process.removeListener('exit', kill)
    },
  }
}
