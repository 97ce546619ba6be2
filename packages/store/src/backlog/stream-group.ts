/** What Redis says of the consumer groups of a stream. Only reads; a stream or group that is not there has nothing to say. */
import type { Redis } from 'ioredis'

export interface StreamGroup {
  readonly name: string
  /** claims, held or left behind */
  readonly pending: number
  readonly lastDelivered: string
  /** entries nobody has read; null when Redis cannot tell because some were removed unread */
  readonly lag: number | null
}

export interface StreamEntry {
  readonly id: string
  readonly fields: readonly string[]
}

export interface LeftClaims {
  readonly count: number
  /** since the longest of them was last renewed; 0 when there is none */
  readonly longestMs: number
}

/** Most claims of one stream that are counted as left behind. */
const mostLeft = 100

export async function groupsOf(redis: Redis, stream: string): Promise<StreamGroup[]> {
  return (await infoOf(redis.xinfo('GROUPS', stream))).map((info) => ({
    name: String(info.get('name')),
    pending: Number(info.get('pending')),
    lastDelivered: String(info.get('last-delivered-id')),
    lag: (info.get('lag') ?? null) as number | null,
  }))
}

export async function entriesAfter(redis: Redis, stream: string, id: string, most: number): Promise<StreamEntry[]> {
  const entries = await redis.xrange(stream, `(${id}`, '+', 'COUNT', most)
  return entries.map(([entry, fields]) => ({ id: entry, fields }))
}

/** Claims that have not been renewed for a whole lease. */
export async function leftClaims(redis: Redis, stream: string, group: string, leaseMs: number): Promise<LeftClaims> {
  const left = await absentAs([], redis.xpending(stream, group, 'IDLE', leaseMs, '-', '+', mostLeft))
  const idleMs = (left as [id: string, consumer: string, idleMs: number, deliveries: number][]).map(
    ([, , idle]) => idle,
  )
  return { count: idleMs.length, longestMs: Math.max(0, ...idleMs) }
}

/** Since anyone of the group has claimed or renewed something here; Infinity when nobody ever has. */
export async function sinceClaimMs(redis: Redis, stream: string, group: string): Promise<number> {
  const consumers = await infoOf(redis.xinfo('CONSUMERS', stream, group))
  // Redis before 7.2 calls `idle` what is `inactive` since; -1 is never
  const idleMs = consumers.map((info) => Number(info.get('inactive') ?? info.get('idle'))).filter((ms) => ms >= 0)
  return Math.min(Number.POSITIVE_INFINITY, ...idleMs)
}

/** When an entry was added, Unix ms by Redis's clock. */
export function addedAt({ id }: StreamEntry): number {
  return Number(id.slice(0, id.indexOf('-')))
}

/** The value of a field of an entry; empty when it has none. */
export function fieldOf({ fields }: StreamEntry, name: string): string {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field === name)
  return at < 0 ? '' : (fields[at + 1] as string)
}

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
