/**
 * Events of senders, and the messages that hang on them. An event lies in one shard with all of its messages, so that it is moved and
 * cancelled with them in one step. Its id is listed under its sender once it is there: a crash in between leaves it unlisted until it
 * is put again.
 */
import type { HistoryRef, HistoryState } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { recordLeft } from '../history/record-left.ts'
import { stopRunning } from '../history/taken-back.ts'
import { keys, newHistoryRef, placesOf } from '../keys.ts'
import type { Place } from '../laying.ts'
import {
  cancelEvent,
  type EventInput,
  type EventPut,
  type EventRef,
  putEvent,
  type ReminderOutcomes,
} from './event-scripts.ts'

export interface Reminder {
  readonly ref: HistoryRef
  /** s after the event */
  readonly offset: number
  /** Unix ms */
  readonly dueMs: number
  readonly state: HistoryState
}

export interface StoredEvent {
  readonly ref: EventRef
  /** Unix ms */
  readonly atMs: number
  readonly name: string | undefined
  /** Unix ms */
  readonly cancelledMs: number | undefined
}

export interface Events {
  /** Where it lies, also where it was laid before the shards grew; else where it is to lie. */
  refOf(sender: string, id: string): Promise<EventRef>
  /** A history that can hang on the event. @param id where a repeated call must find the same history */
  newReminder(event: EventRef, id?: string): HistoryRef
  /** Also of one that was cancelled. */
  find(ref: EventRef): Promise<StoredEvent | undefined>
  /** The earliest first. */
  reminders(ref: EventRef): Promise<Reminder[]>
  /** @throws as putEvent() */
  put(ref: EventRef, input: Omit<EventInput, 'laidBy'>): Promise<EventPut>
  /** @throws as cancelEvent() */
  cancel(ref: EventRef, by: string): Promise<ReminderOutcomes>
  /** By id, of those after this one. */
  list(sender: string, after: string, limit: number): Promise<{ events: StoredEvent[]; next?: string }>
}

/** what places it */
const textOf = (sender: string, id: string) => `${sender}\nevent\n${id}`

export function createEvents({ redis, shards }: { redis: Redis; shards: number }): Events {
  const placesIn = (sender: string, id: string) => placesOf(textOf(sender, id), shards)

  async function refOf(sender: string, id: string): Promise<EventRef> {
    const [now, ...before] = placesIn(sender, id)
    const found = await Promise.all(before.map(({ shard }) => redis.hexists(keys.event(shard, sender, id), 'at')))
    const { shard } = before[found.indexOf(1)] ?? (now as Place)
    return { shard, sender, id }
  }

  async function find(ref: EventRef): Promise<StoredEvent | undefined> {
    const { at, name, cancelled } = await redis.hgetall(keys.event(ref.shard, ref.sender, ref.id))
    if (at === undefined) return undefined
    return { ref, atMs: Number(at), name, cancelledMs: cancelled === undefined ? undefined : Number(cancelled) }
  }

  return {
    refOf,
    newReminder: ({ shard, sender }, id) => ({ ...newHistoryRef(sender, shards, id), shard }),
    find,
    reminders: (ref) => readReminders(redis, ref),

    async put(ref, input) {
      const laidBy = placesIn(ref.sender, ref.id).find(({ shard }) => shard === ref.shard)?.laidBy ?? 0
      const put = await putEvent(redis, ref, { ...input, laidBy })
      await redis.zadd(keys.events(ref.sender), 0, ref.id)
      return put
    },

    async cancel(ref, by) {
      const known = await readReminders(redis, ref)
      const left = await Promise.all(
        known.map(async (each) => [each.ref.id, await recordLeft(redis, each.ref)] as const),
      )
      const outcomes = new Map(await cancelEvent(redis, ref, { by, left: new Map(left) }))
      const stopping = [...outcomes].filter(([, became]) => became === 'stopping')
      const stopped = stopping.map(async ([history]) =>
        outcomes.set(history, await stopRunning(redis, { ...ref, id: history })),
      )
      await Promise.all(stopped)
      return outcomes
    },

    async list(sender, after, limit) {
      const ids = await redis.zrangebylex(keys.events(sender), after === '' ? '-' : `(${after}`, '+', 'LIMIT', 0, limit)
      const found = await Promise.all(ids.map(async (id) => find(await refOf(sender, id))))
      const lapsed = ids.filter((_id, index) => found[index] === undefined)
      if (lapsed.length > 0) await redis.zrem(keys.events(sender), ...lapsed)
      const events = found.filter((event) => event !== undefined)
      return ids.length < limit ? { events } : { events, next: ids.at(-1) as string }
    },
  }
}

async function readReminders(redis: Redis, { shard, sender, id }: EventRef): Promise<Reminder[]> {
  const listed = await redis.zrange(keys.reminders(shard, sender, id), '0', '-1', 'WITHSCORES')
  const hung = listed.flatMap((reminder, i) =>
    i % 2 === 0 ? [{ ref: { shard, sender, id: reminder }, offset: Number(listed[i + 1]) }] : [],
  )
  const found = await Promise.all(hung.map(({ ref }) => redis.hmget(keys.history(ref), 'state', 'due')))
  return hung.flatMap((each, index) => {
    const [state, due] = found[index] as [HistoryState | null, string | null]
    // purged since the list was read
    return state === null ? [] : [{ ...each, state, dueMs: Number(due) }]
  })
}
