/** Messages with a deadline of which something stands on the work streams of a channel: by when they were to be sent, and who is before them. */
import { classes, defaultType, type MessageClass, refOfMember, shardNames } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { pageSize, widthOf } from './remaining-work.ts'
import { addedAt } from './stream-group.ts'

export interface Promised {
  readonly class: MessageClass
  readonly type: string
  /** when the deadline is, Unix ms */
  readonly byMs: number
  /** people of the class whose pieces stand there, up to the last piece of this message */
  readonly upTo: number
}

export interface PromisedWork {
  /** people of the pieces that stand there; at least, where there are more than one page */
  readonly waiting: Readonly<Record<MessageClass, number>>
  readonly promised: readonly Promised[]
}

interface Piece {
  readonly at: number
  readonly shard: string
  readonly message: string
  readonly people: number
}

/** of a class, the oldest of them */
const maxMessages = 1_000

/** Reads a page of each stream, and the history of each message that is on one. */
export async function readPromised(redis: Redis, shards: number, channel: string): Promise<PromisedWork> {
  const waiting = { urgent: 0, normal: 0, bulk: 0 }
  const promised = await Promise.all(
    classes.map(async (cls) => {
      const pieces = await piecesOf(redis, shards, channel, cls)
      const ends = new Map<string, { piece: Piece; upTo: number }>()
      for (const piece of pieces) {
        waiting[cls] += piece.people
        ends.set(`${piece.shard} ${piece.message}`, { piece, upTo: waiting[cls] })
      }
      const read = [...ends.values()].slice(0, maxMessages).map(async ({ piece: { shard, message }, upTo }) => {
        const history = keys.history(refOfMember(shard, message))
        const [type, due, deadline] = await redis.hmget(history, 'type', 'due', 'deadline')
        if (!due || !deadline) return []
        return [{ class: cls, type: type || defaultType, byMs: Number(due) + Number(deadline), upTo }]
      })
      return (await Promise.all(read)).flat()
    }),
  )
  return { waiting, promised: promised.flat() }
}

/** In the order in which they came, over all shards. */
async function piecesOf(redis: Redis, shards: number, channel: string, cls: MessageClass): Promise<Piece[]> {
  const found = await Promise.all(
    shardNames(shards).map(async (shard) => {
      const page = await redis.xrange(keys.work(shard, channel, cls), '-', '+', 'COUNT', pageSize)
      return page.map(([id, fields]) => {
        const message = fields[fields.indexOf('message') + 1] as string
        return { at: addedAt(id), shard, message, people: widthOf(fields) }
      })
    }),
  )
  return found.flat().sort((a, b) => a.at - b.at)
}
