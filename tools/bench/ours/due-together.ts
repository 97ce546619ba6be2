/** Very many messages that are all due in one millisecond, put before it has come. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageInput } from '@courier-fleet/api-types'
import type { Bench } from '../case.ts'
import type { Fleet } from './fleet.ts'
import { outstandingCount } from './outstanding.ts'

/** put beforehand, to learn how long putting them all will take */
export const trial = 2000
const lookEveryMs = 100
export const patienceMs = 300_000

/** Far enough ahead for all to be put by then. */
export const dueAfter = (count: number, trialMs: number) =>
  Date.now() + Math.ceil((count / trial) * trialMs * 1.5) + 3000
export const nextMonth = () => Date.now() + 30 * 86_400_000

type MessagesDue = (count: number, dueAt: () => number) => Iterable<MessageInput>

/** @returns their keys, and when they are due, Unix ms. What the sandbox has taken so far is forgotten. @throws Error when it comes too soon */
export async function putDueTogether(
  fleet: Fleet,
  { count, messages, say }: { count: number; messages: MessagesDue; say: Bench['say'] },
): Promise<{ keys: string[]; due: number }> {
  const { ms } = await fleet.api.sendMany(messages(trial, nextMonth))
  const due = dueAfter(count, ms)
  const { keys } = await fleet.api.sendMany(
    messages(count, () => due),
    (answered) => answered % 50_000 === 0 && say(`put ${answered}`),
  )
  if (Date.now() > due) throw new Error('they were not all put before they were due')
  await fleet.sandbox.forget()
  return { keys, due }
}

/** Until nothing is left to be done. @returns how many were done, at so many seconds after they were due */
export async function followDue({ server }: Bench, due: number, count: number): Promise<[number, number][]> {
  const points: [number, number][] = []
  for (let left = count; left > 0 && Date.now() < due + patienceMs; ) {
    await sleep(lookEveryMs)
    left = await outstandingCount(server.redis)
    points.push([(Date.now() - due) / 1000, count - left])
  }
  return points
}
