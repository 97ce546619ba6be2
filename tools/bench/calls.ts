/** Calls of a child process over its IPC channel; the other end is answer-calls.mjs. */
import type { ChildProcess } from 'node:child_process'

export type Call = <T = void>(name: string, args?: unknown) => Promise<T>

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

/** A call fails with what the child says, or when it ends before it has answered. */
export function createCalls(child: ChildProcess): Call {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let lastId = 0
  child.on('message', ({ id, result, error }: Answer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error !== undefined) call?.reject(new Error(error))
    else call?.resolve(result)
  })
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`process ${child.pid} ended (${signal ?? code})`))
    waiting.clear()
  })
  return <T>(name: string, args?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve: resolve as (result: unknown) => void, reject })
      child.send({ id, name, args }, (error) => error && reject(error))
    })
}
