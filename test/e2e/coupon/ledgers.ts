/** What the fleet itself says of it: its statistics, a recount of every message, and with which each went out. */
import type { Client } from '@courier-fleet/client'
import { couponType, inParallel } from './asking.ts'
import type { CouponPlan } from './plan.ts'

/** of what went out as one, how many are asked about */
const asked = 200

/** Of reminders, by what the statistics say. */
export async function countSent(client: Client): Promise<{ accepted: number; cancelled: number; sent: number }> {
  const { messages, receipts } = await client.stats({ type: couponType, by: ['channel'] })
  const sum = (values: readonly (number | undefined)[]) =>
    values.reduce<number>((total, each) => total + (each ?? 0), 0)
  return {
    accepted: sum(messages.map((row) => row.accepted)),
    cancelled: sum(messages.map((row) => row.cancelled)),
    sent: sum(receipts.map((row) => row.came.sent)),
  }
}

export interface Ledgers {
  readonly plan: CouponPlan
  /** history keys, by number */
  readonly keys: ReadonlyMap<number, string>
  /** of other messages */
  readonly urgent: readonly string[]
  /** the numbers of what went out as one, the first first */
  readonly joined: readonly (readonly number[])[]
}

/** @returns what does not agree, in words */
export async function checkLedgers(client: Client, { plan, keys, urgent, joined }: Ledgers): Promise<string[]> {
  const { accepted, cancelled, sent } = await countSent(client)
  const troubles = [
    [accepted, plan.asked.length + plan.again.length, 'accepted'],
    [cancelled, plan.cancelled.length, 'cancelled'],
    [sent, plan.remaining.length, 'sent'],
  ].flatMap(([said, is, what]) => (said === is ? [] : [`the statistics say ${said} ${what}, and ${is} were`]))

  let unbalanced = 0
  const all = [...plan.remaining.map(({ number }) => keys.get(number) as string), ...urgent]
  await inParallel(all, async (key) => {
    const { balanced, channels } = await client.recount(key)
    if (!balanced || channels.length !== 1) unbalanced += 1
  })
  if (unbalanced > 0) troubles.push(`the ledgers of ${unbalanced} of ${all.length} do not balance`)

  let untold = 0
  await inParallel(joined.slice(0, asked), async ([first, ...others]) => {
    const carrier = keys.get(first as number)
    for (const other of others) {
      const { receipts } = await client.receipts(keys.get(other) ?? '')
      if (receipts[0]?.channels.vk?.sentWith !== carrier) untold += 1
    }
  })
  if (untold > 0) troubles.push(`of ${untold} reminders their history does not say with which they went`)
  return troubles
}
