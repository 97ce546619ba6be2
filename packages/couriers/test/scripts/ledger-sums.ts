/** What statistics and ledgers say of the same receipts, in the same form: by `<type> <channel> <state>`, without zeros. */
import { type HistoryRef, receiptStates } from '@courier-fleet/api-types'
import { type Histories, readAllStats, readStatField, type Sums } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Redis } from 'ioredis'

export interface TypedMessage {
  readonly ref: HistoryRef
  readonly type: string
}

/** What has come less what has left. */
export function sumsOfStats(sums: Sums): Map<string, number> {
  const found = new Map<string, number>()
  for (const [name, by] of sums) {
    const field = readStatField(name)
    if (field.of !== 'receipts') continue
    const of = `${field.type} ${field.channel}`
    const moved = field.did === 'come' ? by : -by
    add(found, `${of} ${field.state}`, moved)
    // whoever has any other state is not pending any more
    if (field.state !== 'pending') add(found, `${of} pending`, -moved)
  }
  return withoutZeros(found)
}

/** Every history balances with its receipts, too. @param before the sums of other messages */
export async function sumsOfLedgers(
  histories: Histories,
  messages: readonly TypedMessage[],
  before: ReadonlyMap<string, number> = new Map(),
): Promise<Map<string, number>> {
  const found = new Map(before)
  for (const { ref, type } of messages)
    for (const { channel, ledger, balanced } of await histories.recount(ref)) {
      expect(balanced).to.equal(true)
      for (const state of receiptStates) add(found, `${type} ${channel} ${state}`, ledger[state])
    }
  return withoutZeros(found)
}

/** That statistics of this one message, the only one there is, are what its ledger says. */
export async function expectCounted(redis: Redis, histories: Histories, ref: HistoryRef): Promise<void> {
  const stats = sumsOfStats(await readAllStats(redis, [ref.shard]))
  expect(stats).to.deep.equal(await sumsOfLedgers(histories, [{ ref, type: 'general' }]))
}

const add = (sums: Map<string, number>, name: string, by: number) => sums.set(name, (sums.get(name) ?? 0) + by)
const withoutZeros = (sums: Map<string, number>) => new Map([...sums].filter(([, sum]) => sum !== 0).sort())
