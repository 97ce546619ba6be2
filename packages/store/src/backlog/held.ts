/** What has still to start, over all messages: who waits for a later wave, by cause, and messages none of whose people were sent to yet. */
import { defaultType, refOfMember, shardNames, type WaveCause } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

export interface HeldPeople {
  readonly people: Partial<Record<WaveCause, number>>
  /** Unix ms; absent when nobody waits */
  readonly firstMs?: number
  /** there are more waves than were looked at */
  readonly isMore: boolean
}

export interface ScheduledMessages {
  readonly messages: number
  /** of their audiences together */
  readonly people: number
  /** Unix ms; absent when there are none */
  readonly firstMs?: number
  /** there are more than were looked at */
  readonly isMore: boolean
}

interface Chosen {
  /** of these causes alone; of all when absent */
  readonly causes?: readonly WaveCause[]
  /** of messages of these types alone; of all when absent */
  readonly types?: ReadonlySet<string> | undefined
  /** of messages of these people alone; of all when absent */
  readonly senders?: ReadonlySet<string>
}

/** deliveries of a shard that are looked at, soonest first */
const maxDeliveries = 1_000

export async function readHeld(redis: Redis, shards: number): Promise<HeldPeople> {
  return heldAmong(await readDue(redis, shards, ({ wave }) => wave !== '0'), {})
}

/** Whom it may concern that rules change. */
export async function readConcerned(
  redis: Redis,
  shards: number,
  chosen: Chosen,
): Promise<{ held: HeldPeople; scheduled: ScheduledMessages }> {
  const { rows, isMore } = await readDue(redis, shards, () => true)
  const own = rows.filter(
    ({ type, sender }) => (chosen.types?.has(type) ?? true) && (chosen.senders?.has(sender) ?? true),
  )
  return { held: heldAmong({ rows: own, isMore }, chosen), scheduled: scheduledAmong({ rows: own, isMore }) }
}

/** A delivery that has still to come. */
interface Due {
  readonly atMs: number
  readonly type: string
  readonly sender: string
  /** of the wave, or of the whole message that has not started */
  readonly people: number
  /** of a later wave */
  readonly cause?: WaveCause
}

interface DueRows {
  readonly rows: readonly Due[]
  readonly isMore: boolean
}

function heldAmong({ rows, isMore }: DueRows, { causes }: Chosen): HeldPeople {
  const people: Partial<Record<WaveCause, number>> = {}
  const times: number[] = []
  for (const { cause, people: count, atMs } of rows) {
    if (cause === undefined || !(causes?.includes(cause) ?? true)) continue
    people[cause] = (people[cause] ?? 0) + count
    times.push(atMs)
  }
  return { people, ...firstOf(times), isMore }
}

function scheduledAmong({ rows, isMore }: DueRows): ScheduledMessages {
  const own = rows.filter(({ cause }) => cause === undefined)
  const people = own.reduce((sum, row) => sum + row.people, 0)
  return { messages: own.length, people, ...firstOf(own.map(({ atMs }) => atMs)), isMore }
}

const firstOf = (times: readonly number[]) =>
  times.length === 0 ? {} : { firstMs: times.reduce((first, ms) => Math.min(first, ms)) }

interface Member {
  readonly message: string
  readonly wave: string
}

async function readDue(redis: Redis, shards: number, isWanted: (member: Member) => boolean): Promise<DueRows> {
  const all = await Promise.all(shardNames(shards).map((shard) => dueIn(redis, shard, isWanted)))
  return { rows: all.flatMap(({ rows }) => rows), isMore: all.some(({ isMore }) => isMore) }
}

async function dueIn(redis: Redis, shard: string, isWanted: (member: Member) => boolean): Promise<DueRows> {
  const listed = await redis.zrange(keys.due(shard), '0', `${maxDeliveries - 1}`, 'WITHSCORES')
  const members = listed.flatMap((text, at) =>
    at % 2 === 0 ? [{ ...memberIn(text), atMs: Number(listed[at + 1]) }] : [],
  )
  const rows = await Promise.all(
    members.filter(isWanted).map(async ({ message, wave, atMs }): Promise<Due | undefined> => {
      const ref = refOfMember(shard, message)
      const history = keys.history(ref)
      const [size, type, later] = await redis.hmget(history, 'size', 'type', `wave:${wave}`)
      const [, cause, dueMs, people] = later?.split(' ') ?? []
      const of = { type: type || defaultType, sender: ref.sender }
      if (wave === '0') return typeof size === 'string' ? { ...of, atMs, people: Number(size) } : undefined
      // it has been woken since it was read
      if (cause === undefined) return undefined
      return { ...of, atMs: Number(dueMs), people: Number(people), cause: cause as WaveCause }
    }),
  )
  return { rows: rows.filter((row) => row !== undefined), isMore: members.length === maxDeliveries }
}

/** `<sender>:<id>:<wave>` */
function memberIn(member: string): Member {
  const at = member.lastIndexOf(':')
  return { message: member.slice(0, at), wave: member.slice(at + 1) }
}
