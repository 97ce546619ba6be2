/** Messages that fall due one after the other, whether or not those before are out (open loop), and how late each started and arrived. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Arrivals, arrivalsOf, numbers, troubleOf } from '../arrivals.ts'
import { messagesFor, numberIn } from '../messages.ts'
import type { Fleet } from './fleet.ts'

export const spreadMs = 5000
/** for putting them all before the first is due */
const leadMs = 4000
/** who is not out by then counts as never */
export const patienceMs = 30_000
const maxReads = 16

/** Unix ms */
export const dueTimes = (count: number): number[] => {
  const first = Date.now() + leadMs
  return Array.from({ length: count }, (_unused, i) => first + Math.round((i * spreadMs) / count))
}

export interface OnTime {
  /** how late each started, and how late its provider took it, ms; Infinity for never */
  readonly starts: readonly number[]
  readonly accepts: readonly number[]
  /** lost or doubled; undefined when all is well */
  readonly trouble: string | undefined
}

/** Puts so many, and waits until the last is out. */
export async function sendOnTime(
  fleet: Fleet,
  { count, ...to }: { count: number; people: number; channels?: string[] },
): Promise<OnTime> {
  const dues = dueTimes(count)
  await fleet.sandbox.forget()
  const dueAt = (index: number) => dues[index] as number
  const { keys } = await fleet.api.sendMany(messagesFor({ count, ...to, dueAt }))
  if (Date.now() > (dues[0] as number)) throw new Error('they were not all put before the first was due')
  const arrivals = await untilArrived(fleet, dues)
  const starts: number[] = new Array(keys.length)
  let next = 0
  async function read() {
    while (next < keys.length) {
      const index = next++
      const { startedAt } = await fleet.api.history(keys[index] as string)
      starts[index] = startedAt ? Date.parse(startedAt) - dueAt(index) : Number.POSITIVE_INFINITY
    }
  }
  await Promise.all(Array.from({ length: maxReads }, read))
  const accepts = dues.map((due, index) => (arrivals.get(index)?.[0] ?? Number.POSITIVE_INFINITY) - due)
  return { starts, accepts, trouble: troubleOf(numbers(count), arrivals) }
}

async function untilArrived(fleet: Fleet, dues: readonly number[]): Promise<Arrivals<number>> {
  const last = dues.at(-1) as number
  // long enough after the last for one sent twice to be seen twice
  await sleep(last + 2000 - Date.now())
  for (;;) {
    const arrivals = await arrivalsOf(fleet.sandbox.acceptedRows(), ({ text }) => numberIn(text))
    if (arrivals.size >= dues.length || Date.now() > last + patienceMs) return arrivals
    await sleep(500)
  }
}
