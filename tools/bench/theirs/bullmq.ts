/** BullMQ, in a process of its own on the bench's Redis. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Arrivals } from '../arrivals.ts'
import { type Call, createCalls } from '../calls.ts'
import type { Server } from '../server/server.ts'

/** jobs an empty worker works on at once: more made no difference */
export const workerConcurrency = 100

export interface Bullmq {
  readonly call: Call
  /** how late each job was begun, ms, by its number */
  done(): Promise<Arrivals<number>>
  stop(): Promise<void>
}

const database = 1

export async function startBullmq(server: Server, queueName: string): Promise<Bullmq> {
  const child = fork(new URL('./process.mjs', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const call = createCalls(child)
  await call('open', { port: server.port, db: database, name: queueName })
  return {
    call,
    async done() {
      const jobs = await call<[number: number, late: number, times: number][]>('done')
      return new Map(jobs.map(([number, late, times]) => [number, new Array<number>(times).fill(late)]))
    },
    async stop() {
      await call('close')
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      process.removeListener('exit', kill)
    },
  }
}
