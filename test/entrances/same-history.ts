/** Histories made up receipt by receipt, written to Redis as couriers write them, and what is true of each person by plain rules. */
import {
  type HistoryRef,
  historyKeyOf,
  type PeopleClass,
  parseHistoryKey,
  type ReceiptState,
  reasonBytes,
  reasons,
  receiptBytes,
  receiptStateOf,
  stateOfReason,
} from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import fc from 'fast-check'
import type { Fixture } from '../../packages/couriers/test/engine/fixture.ts'

const channels = ['http', 'mail', 'push', 'sms', 'telegram', 'vk'] as const
type Channel = (typeof channels)[number]

interface Told {
  readonly byte: number
  readonly reason: number
}
export interface MadeUp {
  readonly state: 'running' | 'settled'
  readonly channels: readonly Channel[]
  /** of each person, on each of the channels */
  readonly people: readonly (readonly Told[])[]
  /** whoever is pending and not attempted waits for the same morning */
  readonly isNight: boolean
}

const isPending = (byte: number) => byte === receiptBytes.pending || byte === receiptBytes.attempting

const told = (state: MadeUp['state']): fc.Arbitrary<Told> =>
  fc
    .constantFrom(...Object.values(receiptBytes).filter((byte) => state === 'running' || !isPending(byte)))
    .chain((byte) => {
      const fitting = reasons.filter((reason) => stateOfReason(reason) === receiptStateOf(byte))
      return fc.record({
        byte: fc.constant(byte),
        reason: fc.constantFrom(0, ...fitting.map((each) => reasonBytes[each])),
      })
    })

export const madeUp: fc.Arbitrary<MadeUp> = fc
  .tuple(
    fc.constantFrom('running' as const, 'settled' as const),
    fc.subarray([...channels], { minLength: 1 }),
    fc.boolean(),
  )
  .chain(([state, some, isNight]) => {
    const person = fc.array(told(state), { minLength: some.length, maxLength: some.length })
    const people = fc.oneof(
      fc.array(person, { minLength: 1, maxLength: 12 }),
      // everyone alike: the endings that say it of everyone
      fc
        .tuple(person, fc.integer({ min: 1, max: 5 }))
        .map(([each, count]) => Array.from({ length: count }, () => each)),
    )
    return people.map((all) => ({ state, channels: some, people: all, isNight: isNight && state === 'running' }))
  })

/** Everyone in one class, by rules that share nothing with those of the fleet. */
export function truthOf({ channels: on, people }: MadeUp): Map<PeopleClass, number> {
  const counts = new Map<PeopleClass, number>()
  for (const receipts of people) {
    const says = (states: readonly ReceiptState[], where: readonly Channel[] = channels) =>
      receipts.some(({ byte }, at) => states.includes(receiptStateOf(byte)) && where.includes(on[at] as Channel))
    const found: PeopleClass = says(['delivered', 'read', 'confirmed'])
      ? 'delivered'
      : says(['sent'], ['http', 'push', 'telegram', 'vk'])
        ? 'sentToChat'
        : says(['sent'], ['sms', 'mail'])
          ? 'handedOver'
          : says(['pending'])
            ? 'pending'
            : says(['unknown'])
              ? 'unknown'
              : says(['failed', 'suppressed', 'expired', 'cancelled'])
                ? 'notDelivered'
                : 'withoutContact'
    counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  return counts
}

/** @returns its key; nobody works on it */
export async function write({ redis, histories }: Fixture, sender: string, made: MadeUp): Promise<string> {
  const ref: HistoryRef = parseHistoryKey(await histories.issue(sender))
  const audience = made.people.map((_receipts, index) => `p${String(index).padStart(3, '0')}`)
  const message = { digest: ref.id, source: 'api', text: 'Hello', to: ['group:own'], class: 'normal' as const }
  const far = Date.now() + 86_400_000
  await histories.put({ ...message, ref, issued: true, channels: made.channels, audience, dueMs: far, expiresMs: 0 })
  const fields: Record<string, string | number> = {
    state: made.state,
    expected: made.channels.join(','),
    started: Date.now(),
  }
  if (made.state === 'settled') fields.settled = Date.now()
  for (const [at, channel] of made.channels.entries()) {
    const column = made.people.map((receipts) => receipts[at] as Told)
    await redis.set(keys.receipts(ref, channel), Buffer.from(column.map(({ byte }) => byte)))
    await redis.set(keys.reasons(ref, channel), Buffer.from(column.map(({ reason }) => reason)))
    for (const { byte } of column.filter((each) => !isPending(each.byte))) {
      // whoever is sent to again counts as unknown
      const field = `${channel}:${String.fromCharCode(receiptBytes[receiptStateOf(byte)])}`
      fields[field] = Number(fields[field] ?? 0) + 1
    }
    if (made.state === 'settled') fields[`${channel}:settled`] = Date.now()
    const waiting = column.filter(({ byte }) => byte === receiptBytes.pending).length
    if (made.isNight && waiting > 0) {
      fields[`wave:${at + 1}`] = `${channel} quiet ${far} ${waiting} -`
      fields.waiting = `${fields.waiting ?? ''} ${at + 1}`.trim()
    }
  }
  await redis.hset(keys.history(ref), fields)
  return historyKeyOf(ref)
}
