/** That a process took over what another one had left in the middle: of which message, on which channel, of how many people. */
import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'

export interface TakeOver {
  /** its sender is not kept: the number says which it is */
  readonly message: Pick<HistoryRef, 'shard' | 'id'>
  readonly channel: string
  readonly people: number
}

export interface NotedTakeOver extends TakeOver {
  /** Unix ms */
  readonly at: number
}

const maxKept = 10_000

/** Noted for whoever looks at it later; nothing is decided by it. */
export async function noteTakeOvers(redis: Redis, takeOvers: readonly TakeOver[]): Promise<void> {
  await Promise.all(
    takeOvers.map(({ message: { shard, id }, channel, people }) => {
      const fields = ['message', `${shard}.${id}`, 'channel', channel, 'people', people]
      return redis.xadd(keys.takeOvers, 'MAXLEN', '~', maxKept, '*', ...fields)
    }),
  )
}

/** Between two moments, Unix ms; oldest first, those that are still kept. */
export async function readTakeOvers(redis: Redis, fromMs: number, toMs: number): Promise<NotedTakeOver[]> {
  const entries = await redis.xrange(keys.takeOvers, fromMs, toMs)
  return entries.map(([entry, flat]) => {
    const [, message = '', , channel = '', , people = ''] = flat
    const [shard = '', id = ''] = message.split('.')
    return { at: Number(entry.split('-', 1)[0]), message: { shard, id }, channel, people: Number(people) }
  })
}
