/**
 * In which order Redis came to what it knows of recipients: every write is followed by MONITOR. No answer of the API has that, for a mark leaves no time, and times
 * of two processes prove nothing.
 */
import { type FreshRedis, startMonitor, until } from '@courier-fleet/testkit'

export interface ReceiptOrder {
  /** @returns the number of the write by which this recipient first came to this state, the earliest the smallest; undefined where they never did */
  first(receipts: string, ordinal: number, state: string): number | undefined
  /** @returns the number of the last write before the message was first given another text; undefined where it was not */
  corrected(history: string): number | undefined
  /** Resolves when all that was written so far is known. */
  catchUp(): Promise<void>
  stop(): void
}

/** @param people of each message; one for a single person is written otherwise, and is not followed */
export async function followReceipts({ redis, db }: FreshRedis, people: number): Promise<ReceiptOrder> {
  const monitor = await startMonitor(redis)
  const firsts = new Map<string, number>()
  const corrections = new Map<string, number>()
  const asked = 'receipts until'
  let [writes, asking, told] = [0, 0, 0]
  const placeOf = (receipts: string, ordinal: number, state: string) => `${receipts} ${ordinal} ${state}`

  monitor.on('monitor', (_time: string, args: string[], _source: string, database: string) => {
    if (Number(database) !== db) return
    const [name = '', key = '', from = '', states = ''] = args
    const command = name.toLowerCase()
    if (command === 'echo' && key.startsWith(asked)) told = Number(key.slice(asked.length))
    if (command === 'hset' && key.startsWith('history:') && from === 'version' && !corrections.has(key))
      corrections.set(key, writes)
    if (command !== 'setrange' || !key.startsWith('receipts:')) return
    const first = Number(from)
    // behind the states of all stands when they came to them
    if (first >= people) return
    writes += 1
    for (const [index, state] of [...plain(states)].entries()) {
      const place = placeOf(key, first + index, state)
      if (!firsts.has(place)) firsts.set(place, writes)
    }
  })

  return {
    first: (receipts, ordinal, state) => firsts.get(placeOf(receipts, ordinal, state)),
    corrected: (history) => corrections.get(history),
    async catchUp() {
      asking += 1
      const mine = asking
      await redis.echo(`${asked}${mine}`)
      await until(() => told >= mine, 'MONITOR has told all that was written')
    },
    stop: () => monitor.disconnect(),
  }
}

/** MONITOR shows a byte that is not plain ASCII as \xHH: of a state that is NUL alone. */
const plain = (states: string) => states.replaceAll('\\x00', '\0')
