/** One message to very many people on one channel: sent, waited for, and compared person by person. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryView, RecountReport } from '@courier-fleet/api-types'
import type { ChannelName } from '@courier-fleet/channels'
import { arrivalsOf, numbers, troubleOf } from '../arrivals.ts'
import type { Fleet } from './fleet.ts'
import { addressOf, groupToken } from './people.ts'

export interface FanOut {
  readonly key: string
  /** from the start to the last receipt, s */
  readonly seconds: number
  /** lost, doubled, or untruly told; undefined when all is well */
  readonly trouble: string | undefined
  /** people served over time, s */
  readonly progress: readonly (readonly [number, number])[]
}

export interface FanOutOptions {
  readonly channel: ChannelName
  readonly people: number
  readonly text: string
  /** of the message; `general` when absent */
  readonly type?: string
  /** how often to look how far it has come, ms */
  readonly everyMs?: number
  /** told of the key as soon as it runs; awaited at the end */
  readonly meanwhile?: (key: string, isOver: () => boolean) => Promise<void>
}

const patienceMs = 600_000
const balanceLooks = 10
const balanceEveryMs = 300

export async function fanOut(fleet: Fleet, options: FanOutOptions): Promise<FanOut> {
  const { channel, people, text, type, everyMs = 100, meanwhile } = options
  await fleet.sandbox.forget()
  const key = await fleet.api.send({ to: [groupToken(people)], text, channels: [channel], ...(type ? { type } : {}) })
  const progress: [number, number][] = []
  const giveUpAt = performance.now() + patienceMs
  let over = false

  async function follow(): Promise<HistoryView> {
    try {
      for (;;) {
        const history = await fleet.api.history(key)
        const { startedAt } = history
        if (startedAt)
          progress.push([(Date.now() - Date.parse(startedAt)) / 1000, history.channels[channel]?.sent ?? 0])
        if (history.state === 'settled' || performance.now() > giveUpAt) return history
        await sleep(everyMs)
      }
    } finally {
      over = true
    }
  }

  const [history] = await Promise.all([follow(), meanwhile?.(key, () => over)])
  const { startedAt = '', settledAt } = history
  const seconds = settledAt ? (Date.parse(settledAt) - Date.parse(startedAt)) / 1000 : Number.POSITIVE_INFINITY
  return { key, seconds, trouble: await check(fleet, history, options), progress }
}

/** Counters and bytes are read one after the other, while delivery receipts may still come in: those that disagree stay so. */
async function isBalanced(fleet: Fleet, key: string): Promise<boolean> {
  for (let look = 1; ; look++) {
    const { balanced } = await fleet.api.get<RecountReport>(`/v1/histories/${key}/recount`)
    if (balanced || look === balanceLooks) return balanced
    await sleep(balanceEveryMs)
  }
}

async function check(fleet: Fleet, history: HistoryView, { channel, people, text }: FanOutOptions) {
  const arrivals = await arrivalsOf(fleet.sandbox.acceptedRows(), (row) =>
    row.channel === channel && row.text === text ? row.address : undefined,
  )
  const { sent = 0, delivered = 0 } = history.channels[channel] ?? {}
  const balanced = await isBalanced(fleet, history.key)
  const troubles = [
    troubleOf(
      numbers(people).map((index) => addressOf(channel, index)),
      arrivals,
    ),
    sent + delivered !== people && `${sent + delivered} of ${people} receipts say so`,
    !balanced && 'ledger and bytes disagree',
  ]
  return troubles.filter(Boolean).join(', ') || undefined
}
