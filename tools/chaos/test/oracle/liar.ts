/** A fleet made of words: an API and a log of the stand-ins that say what a test has them say. The truth unless it lies. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Channel,
  channels,
  createExpectations,
  type Entry,
  type Expectations,
  type Message,
} from '../../src/expectations.ts'
import type { AcceptedRow, Counts, History, Receipt, StatisticsRow } from '../../src/oracle/api.ts'
import { createOracle, type Oracle } from '../../src/oracle/index.ts'
import { hourOf } from '../../src/oracle/since.ts'
import type { State } from '../../src/oracle/states.ts'
import type { Calls } from '../../src/report.ts'
import { createShapedMessages } from '../../src/shaped-messages.ts'
import { createPeople, type People } from '../../src/traffic/index.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends object ? Mutable<T[K]> : T[K] }

export interface Told {
  /** undefined: 404 */
  history: Mutable<History> | undefined
  receipts: Mutable<Receipt>[]
  /** what a tracker says of it, and how the command line ends */
  sentence: string
  people: Record<string, number>
  code: number
}

export interface Liar {
  readonly people: People
  readonly expectations: Expectations
  readonly oracle: Oracle
  readonly rows: Mutable<AcceptedRow>[]
  /** what happens after the first view of a history was told, after the second … */
  readonly afterViews: (() => void)[]
  /** makes of the statistics what they tell, once they are right */
  miscount: (rows: Mutable<StatisticsRow>[]) => void
  /** requests to the API that will be answered 503, or not at all, turn by turn */
  trouble: number
  /** what the sandbox says of calls */
  readonly calls: Mutable<Calls>
  /** what the command line says, once each, instead of an answer */
  readonly commandLineAway: string[]
  /** An accepted message that has settled, to persons 0 … 9 on all channels unless asked otherwise. */
  message(entry?: Partial<Entry>): Message
  told(message: Message): Told
  /** what was told as a receipt, counted anew into the ledger */
  tell(message: Message, channel: Channel, person: number, state: string, reason?: string): void
  /** takes the provider's rows for this person away */
  unaccept(message: Message, channel: Channel, person: number): void
  accept(message: Message, channel: Channel, person: number, more?: Partial<AcceptedRow>): void
  close(): Promise<void>
}

/** in the order in which the first that fits is the person's; after the number of each what is said of it */
const said = {
  delivered: 'delivered',
  sentToChat: 'sent to the chat',
  handedOver: 'taken by the operator, not confirmed yet',
  pending: 'still being sent',
  unknown: 'not known whether it arrived',
  notDelivered: 'not delivered',
  withoutContact: 'without a contact',
} as const
type Class = keyof typeof said

function classOf(channel: string, state: string): Class {
  if (state === 'sent') return channel === 'sms' ? 'handedOver' : 'sentToChat'
  if (state === 'delivered' || state === 'pending' || state === 'unknown') return state
  return state === 'no-contact' ? 'withoutContact' : 'notDelivered'
}

function inWords(receipts: readonly Receipt[]): Pick<Told, 'people' | 'sentence' | 'code'> {
  const order = Object.keys(said) as Class[]
  const people = Object.fromEntries(order.map((name) => [name, 0])) as Record<Class, number>
  for (const { channels } of receipts) {
    const found = Object.entries(channels).map(([channel, { state }]) => classOf(channel, state))
    people[order.find((name) => found.includes(name)) ?? 'pending'] += 1
  }
  const counts = order.filter((name) => people[name] > 0).map((name) => `${people[name]} ${said[name]}`)
  const doubt = people.handedOver + people.unknown > 0 ? 3 : 0
  const code = people.notDelivered > 0 || people.withoutContact === receipts.length ? 1 : doubt
  return { people, sentence: `Of ${receipts.length} people: ${counts.join('; ')}.`, code }
}

export async function startLiar({ failFast = false } = {}): Promise<Liar> {
  const people = createPeople({ everyone: 120, first: 115, callsUrl: 'http://receiver.test' })
  const expectations = createExpectations(people)
  const rows: Mutable<AcceptedRow>[] = []
  const histories = new Map<string, Told>()
  const server = createServer((request, response) => {
    const url = new URL(request.url as string, 'http://liar')
    if (!['/accepted', '/revisions', '/calls'].includes(url.pathname) && liar.trouble > 0) {
      liar.trouble -= 1
      if (liar.trouble % 2 === 0) request.socket.destroy()
      else response.writeHead(503).end('{}')
      return
    }
    const json = (body: unknown) => response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}))
    if (url.pathname === '/accepted') {
      const since = Number(url.searchParams.get('since'))
      response.end(
        rows
          .slice(since)
          .map((row, i) => `${JSON.stringify({ ...row, seq: since + i })}\n`)
          .join(''),
      )
    } else if (url.pathname === '/revisions') {
      response.end('')
    } else if (url.pathname === '/calls') {
      json(liar.calls)
    } else if (url.pathname === '/v1/stats') {
      json({ receipts: statistics() })
    } else if (url.pathname === '/v1/histories') {
      json({ histories: [...histories.values()].flatMap(({ history }) => history ?? []) })
    } else {
      const [, , , key, what] = url.pathname.split('/')
      const told = histories.get(key as string)
      if (what === 'tracker') {
        const { sentence, people } = told as Told
        return json(told?.history && { sentence, history: { ...told.history, people } })
      }
      const receipts = what === 'receipts'
      const from = Number(url.searchParams.get('from'))
      const more = told && from + 7 < told.receipts.length ? { next: from + 7 } : {}
      json(receipts ? { receipts: told?.receipts.slice(from, from + 7), ...more } : told?.history)
      if (!receipts) liar.afterViews.shift()?.()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** The ledger, and what is said of it: truly. */
  function count(told: Told): void {
    const { history, receipts } = told
    if (!history) return
    for (const channel of Object.keys(history.channels)) {
      const line: Record<string, number | string> = { state: 'settled', accepted: receipts.length, pending: 0 }
      for (const receipt of receipts) {
        const { state } = receipt.channels[channel] as { state: string }
        line[state] = Number(line[state] ?? 0) + 1
      }
      history.channels[channel] = line as Mutable<History['channels'][string]>
    }
    Object.assign(told, inWords(receipts))
  }

  /** As receipts say it: nobody has gone on, but to the next phone. */
  function statistics(): StatisticsRow[] {
    const rows = new Map<string, Mutable<StatisticsRow>>()
    const rowOf = (channel: string, at: string | undefined, reason?: string) => {
      const hour = hourOf(at ?? '')
      const name = [channel, hour, reason].join(' ')
      const row = rows.get(name) ?? {
        type: 'general',
        channel,
        hour,
        ...(reason ? { reason } : {}),
        came: {},
        left: {},
      }
      rows.set(name, row)
      return row
    }
    const count = (counts: Mutable<Counts>, state: State) => {
      counts[state] = (counts[state] ?? 0) + 1
    }
    for (const { history, receipts } of histories.values()) {
      for (const { channels } of history ? receipts : []) {
        for (const [channel, { state, at, reason, earlier = [] }] of Object.entries(channels)) {
          count(rowOf(channel, history?.startedAt).came, 'pending')
          if (state !== 'pending') count(rowOf(channel, at, reason).came, state)
          for (const before of earlier) {
            const { came, left } = rowOf(channel, before.at)
            count(came, before.state)
            count(left, before.state)
          }
        }
      }
    }
    const all = [...rows.values()]
    liar.miscount(all)
    return all
  }

  function message(entry: Partial<Entry> = {}): Message {
    const made = expectations.enter({
      audience: Uint32Array.from({ length: 10 }, (_unused, person) => person),
      channels,
      mayExpire: false,
      notBeforeMs: Date.now() - 1000,
      words: 'what is said',
      ...entry,
    })
    const key = `07.chaos.${made.marker}`
    const { audience } = made
    made.key = key
    made.standing = 'accepted'
    made.dueMs = made.notBeforeMs
    const ids = [...audience].map(people.idOf)
    const at = new Date(made.dueMs).toISOString()
    const told: Told = {
      history: {
        key,
        state: 'settled',
        text: made.text,
        audience: { size: ids.length, sha256: createHash('sha256').update(ids.join('\n')).digest('hex') },
        at,
        acceptedAt: at,
        startedAt: new Date(made.dueMs + 3).toISOString(),
        settledAt: new Date(made.dueMs + 40).toISOString(),
        channels: Object.fromEntries(made.channels.map((channel) => [channel, { state: 'settled', accepted: 0 }])),
      },
      receipts: ids.map((id, ordinal) => ({ ordinal, person: id, channels: {} })),
      sentence: '',
      people: {},
      code: 0,
    }
    for (const channel of made.channels) {
      for (const [ordinal, person] of audience.entries()) {
        const receipt = receiptOf(channel, person, told.history?.startedAt as string)
        ;(told.receipts[ordinal] as Told['receipts'][number]).channels[channel] = receipt
        if (receipt.state === 'sent') accept(made, channel, person)
      }
    }
    count(told)
    histories.set(key, told)
    return made
  }

  /** where they get it; undefined: nowhere */
  function takenAt(channel: Channel, person: number): string | undefined {
    if (people.isReachable(channel, person)) return people.contactOf(channel, person)
    const next = channel === 'sms' ? people.nextPhoneOf(person) : undefined
    return next?.isReachable ? next.address : undefined
  }

  function receiptOf(channel: Channel, person: number, at: string): Mutable<Receipt>['channels'][string] {
    const first = people.contactOf(channel, person)
    if (first === undefined) return { state: 'no-contact', at }
    const state = takenAt(channel, person) === undefined ? 'failed' : 'sent'
    const next = channel === 'sms' ? people.nextPhoneOf(person) : undefined
    if (!next) return { state, at }
    if (people.isReachable(channel, person)) return { state, at, contact: first.slice(-2) }
    return { state, at, contact: next.address.slice(-2), earlier: [{ contact: first.slice(-2), state: 'failed', at }] }
  }

  function accept({ text }: Message, channel: Channel, person: number, more: Partial<AcceptedRow> = {}): void {
    const address = takenAt(channel, person) as string
    rows.push({ seq: rows.length, channel, address, text, at: Date.now(), providerId: String(rows.length), ...more })
  }

  const toldOf = ({ key }: Message) => histories.get(key as string) as Told

  const liar: Liar = {
    people,
    expectations,
    afterViews: [],
    miscount: () => {},
    trouble: 0,
    calls: { came: 7, repeated: 2, changed: 0 },
    commandLineAway: [],
    oracle: createOracle({
      apiUrl: url,
      apiKey: 'any',
      sandboxUrl: url,
      expectations,
      shaped: createShapedMessages([]),
      failFast,
      askCommandLine: async (key) => {
        const away = liar.commandLineAway.shift()
        if (away !== undefined) return { code: 2, out: '', err: away }
        const { code, sentence } = histories.get(key) as Told
        return { code, out: `${sentence}\n`, err: '' }
      },
    }),
    rows,
    message,
    told: toldOf,
    tell(about, channel, person, state, reason) {
      const told = toldOf(about)
      const receipt = told.receipts.find(({ person: id }) => id === people.idOf(person)) as Mutable<Receipt>
      const since = state === 'pending' ? {} : { at: told.history?.startedAt }
      receipt.channels[channel] = { state, ...since, ...(reason ? { reason } : {}) } as Mutable<
        Receipt['channels'][string]
      >
      count(told)
    },
    accept,
    unaccept({ text }, channel, person) {
      const at = rows.findIndex((row) => row.text === text && row.address === takenAt(channel, person))
      rows.splice(at, 1)
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return liar
}
