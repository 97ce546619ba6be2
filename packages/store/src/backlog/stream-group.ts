/** The consumer group of a work stream: what Redis says of it, and making it. A stream or group that is not there has nothing to say. */
import type { Redis } from '../connection/client.ts'

export interface StreamGroup {
  /** claims, held or left behind */
  readonly pending: number
  readonly lastDelivered: string
}

export interface LeftClaims {
  readonly count: number
  /** since the longest of them was last renewed; 0 when there is none */
  readonly longestMs: number
}

/** Claims of one stream that are counted as left behind. */
const maxLeft = 100

/** The group of this name; `undefined` when it, or the stream, is not there. */
export async function groupOf(redis: Redis, stream: string, name: string): Promise<StreamGroup | undefined> {
  const groups = await infoOf(redis.xinfo('GROUPS', stream))
  const info = groups.find((each) => String(each.get('name')) === name)
  return info && { pending: Number(info.get('pending')), lastDelivered: String(info.get('last-delivered-id')) }
}

/** Claims that have not been renewed for a whole lease. */
export async function leftClaims(redis: Redis, stream: string, group: string, leaseMs: number): Promise<LeftClaims> {
  const left = await absentAs([], redis.xpending(stream, group, 'IDLE', leaseMs, '-', '+', maxLeft))
  const idleMs = (left as [id: string, consumer: string, idleMs: number, deliveries: number][]).map(
    ([, , idle]) => idle,
  )
  return { count: idleMs.length, longestMs: Math.max(0, ...idleMs) }
}

/** Since anyone of the group has claimed or renewed something here; Infinity when nobody ever has. */
export async function sinceClaimMs(redis: Redis, stream: string, group: string): Promise<number> {
  const consumers = await consumersOf(redis, stream, group)
  return Math.min(Number.POSITIVE_INFINITY, ...consumers.flatMap(({ idleMs }) => idleMs ?? []))
}

export interface StreamConsumer {
  readonly name: string
  /** claims that it holds, or has left behind */
  readonly pending: number
  /** since it has claimed or renewed something here; absent when it never has */
  readonly idleMs?: number
}

export async function consumersOf(redis: Redis, stream: string, group: string): Promise<StreamConsumer[]> {
  const consumers = await infoOf(redis.xinfo('CONSUMERS', stream, group))
  return consumers.map((info) => {
    // Redis before 7.2 calls `idle` what is `inactive` since; -1 is never
    const idleMs = Number(info.get('inactive') ?? info.get('idle'))
    return {
      name: String(info.get('name')),
      pending: Number(info.get('pending')),
      ...(idleMs >= 0 ? { idleMs } : {}),
    }
  })
}

/** When an entry was added, Unix ms by Redis's clock. */
export const addedAt = (entry: string): number => Number(entry.slice(0, entry.indexOf('-')))

async function infoOf(reply: Promise<unknown>): Promise<Map<unknown, unknown>[]> {
  return ((await absentAs([], reply)) as unknown[][]).map(
    (flat) => new Map(flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1]] as const] : []))),
  )
}

async function absentAs(nothing: unknown, reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof Error && /no such key|^NOGROUP/.test(error.message)) return nothing
    throw error
  }
}

/** Makes the group, and the stream, where they are not there; a new one is given every entry. */
export async function ensureGroup(redis: Redis, stream: string, group: string): Promise<void> {
  await redis.xgroup('CREATE', stream, group, '0', 'MKSTREAM').catch((error: Error) => {
    if (!error.message.startsWith('BUSYGROUP')) throw error
  })
}
