/** What the coupon site asks of the fleet: reminders, some of them taken back and asked for anew. */
import type { BulkAnswer, MessageInput } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { generatedId } from '@courier-fleet/testkit'
import { textOf } from './judge.ts'
import type { CouponPlan, Reminder } from './plan.ts'

export const couponType = 'coupon'
const trialType = 'trial'
/** asked and cancelled beforehand, to learn how long all of it will take */
const trialShare = 0.02
const trialMost = 2000
const trialLeast = 50
const callsAtOnce = 32
const monthMs = 30 * 86_400_000
const spareMs = 15_000
/** a machine that others use, too */
const spareTimes = 2

export interface Asked {
  /** when the burst begins, Unix ms */
  readonly beginsAt: number
  /** history keys, by number */
  readonly keys: ReadonlyMap<number, string>
}

/** @throws Error where a call is refused, or not all are accepted before the first is due */
export async function askForAll(client: Client, plan: CouponPlan, say: (text: string) => void): Promise<Asked> {
  const { asked, cancelled, again, windowMs } = plan
  for (const type of [couponType, trialType])
    await client.putType(type, { name: { ru: 'Купоны', en: 'Coupons' }, merge: `PT${windowMs / 1000}S` })
  const trial = asked.slice(0, Math.min(trialMost, Math.max(trialLeast, Math.ceil(asked.length * trialShare))))
  const { askMs, cancelMs } = await timesOf(client, trial)
  const needMs = askMs * (asked.length + again.length) + cancelMs * cancelled.length
  const beginsAt = Date.now() + Math.ceil(needMs * spareTimes) + spareMs
  say(`all are to be accepted within ${((beginsAt - Date.now()) / 1000).toFixed(0)} s`)
  const dueAt = ({ afterMs }: Reminder) => beginsAt + afterMs
  const keys = new Map<number, string>()
  const ask = async (reminders: readonly Reminder[]) => {
    for (const [number, key] of await askFor(client, reminders, { type: couponType, dueAt })) keys.set(number, key)
  }
  await ask(asked)
  say(`asked for: ${asked.length}`)
  await cancelAll(
    client,
    cancelled.map(({ number }) => keys.get(number) as string),
  )
  await ask(again)
  say(`cancelled: ${cancelled.length}, of which asked for anew: ${again.length}`)
  if (Date.now() > beginsAt) throw new Error('they were not all accepted before the first was due: the machine is busy')
  return { beginsAt, keys }
}

/** @returns ms a reminder, and ms a cancellation */
async function timesOf(client: Client, trial: readonly Reminder[]): Promise<{ askMs: number; cancelMs: number }> {
  const begunAt = performance.now()
  const keys = await askFor(client, trial, { type: trialType, dueAt: () => Date.now() + monthMs })
  const askedAt = performance.now()
  await cancelAll(client, [...keys.values()])
  const each = (ms: number) => ms / trial.length
  return { askMs: each(askedAt - begunAt), cancelMs: each(performance.now() - askedAt) }
}

interface Asking {
  readonly type: string
  dueAt(reminder: Reminder): number
}

/** In one call, a line each. @returns keys, by number */
async function askFor(client: Client, reminders: readonly Reminder[], asking: Asking): Promise<Map<number, string>> {
  const keys = new Map<number, string>()
  for await (const { line, status, key, ...problem } of client.sendBulk(inputsOf(reminders, asking))) {
    const { number } = reminders[line - 1] as Reminder
    if (status !== 201 || key === undefined) throw refused(status, problem)
    keys.set(number, key)
  }
  return keys
}

function* inputsOf(reminders: readonly Reminder[], { type, dueAt }: Asking): Generator<MessageInput> {
  for (const each of reminders)
    yield {
      to: [`user:${generatedId(each.person)}`],
      about: `${type}:${each.coupon}`,
      text: textOf(each),
      type,
      at: new Date(dueAt(each)).toISOString(),
      channels: ['vk'],
    }
}

const refused = (status: number, problem: Partial<BulkAnswer>) =>
  new Error(`a reminder was answered ${status}: ${JSON.stringify(problem)}`)

const cancelAll = (client: Client, keys: readonly string[]) =>
  inParallel(keys, async (key) => {
    const { outcome } = await client.cancel(key)
    if (outcome !== 'cancelled') throw new Error(`${key} was to be cancelled before it started, and is ${outcome}`)
  })

/** So many at a time. */
export async function inParallel<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await action(item)
  }
  await Promise.all(Array.from({ length: callsAtOnce }, work))
}
