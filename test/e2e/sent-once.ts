/** A message to very many generated people, and what the stand-ins took of it beside what the API says of each: nobody twice, nobody lost. */
import { parseArgs } from 'node:util'
import type { HistoryView, ImportReportView, TrackerReport } from '@courier-fleet/api-types'
import { generatedAddress, generatePeople } from '@courier-fleet/testkit'
import type { Fleet } from './fleet.ts'

export const sentOn = ['telegram', 'vk', 'sms'] as const
type Channel = (typeof sentOn)[number]

const importedPerCall = 25_000
/** some have an address that somebody of the demo has: they are refused */
const spare = 500
const says = { it: ['sent', 'delivered', 'read'], nobodyKnows: ['unknown'] }

export interface SentOnce {
  readonly key: string
  /** how many have it on each channel, as the history says now, in words */
  progress(): Promise<string>
  /** whether nobody is left to be sent to, as the history says now */
  isOver(): Promise<boolean>
  /** Resolves once at least so many have it on each channel. */
  untilTaken(count: number): Promise<void>
  /** Waits until it has settled, and says what became of it. @returns whether all is well, so many `unknown` by SMS allowed */
  judge(unknownSms: number): Promise<boolean>
}

/** as the program was told by --people */
export function peopleAsked(): number {
  const { values } = parseArgs({ options: { people: { type: 'string', default: '50000' } } })
  return Number(values.people)
}

/** Imports the people and sends it to them all. */
export async function sendOnce(fleet: Fleet, people: number, text: string): Promise<SentOnce> {
  const imported = await importPeople(fleet, people + spare)
  const count = imported.length
  if (count < people) throw new Error(`only ${count} people were taken`)
  const key = await fleet.api.send({ to: ['cohort:everyone'], text, channels: [...sentOn] })
  const counts = async () => {
    const { channels } = await fleet.api.history(key)
    return sentOn.map((channel) => ({ channel, taken: count - left(channels[channel]) }))
  }
  return {
    key,
    progress: async () => (await counts()).map(({ channel, taken }) => `${channel} ${taken}`).join(', '),
    isOver: async () => (await counts()).every(({ taken }) => taken === count),
    async untilTaken(count) {
      while (!(await counts()).every(({ taken }) => taken >= count)) await pause()
    },
    async judge(unknownSms) {
      const { settled, history } = await trackLong(fleet, key)
      const { balanced } = await fleet.api.recount(key)
      console.log(`settled: ${settled}, ${history.audience?.size} people; every count agrees: ${balanced}`)
      const taken = await readTaken(fleet, text)
      const told = await readTold(fleet, key)
      const isWell = sentOn.map((channel) => judgeChannel({ channel, imported, taken, told, unknownSms }))
      return settled && balanced && isWell.every(Boolean)
    },
  }
}

/** A tracker waits for five minutes at most. */
export async function trackLong(fleet: Fleet, key: string): Promise<TrackerReport> {
  const first = await fleet.api.track(key, 300)
  return first.settled ? first : fleet.api.track(key, 300)
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200))

/** Before a channel has begun nobody has been sent to. */
const left = (ledger: HistoryView['channels'][string] | undefined) =>
  ledger ? ledger.pending : Number.MAX_SAFE_INTEGER

/** @returns the indexes of those who were taken: some have an address that somebody of the demo has */
export async function importPeople(fleet: Fleet, people: number): Promise<number[]> {
  const csv: Buffer[] = []
  for await (const chunk of generatePeople(people)) csv.push(chunk)
  const [head = '', ...lines] = Buffer.concat(csv).toString().trimEnd().split('\n')
  const refused = new Set<number>()
  for (let from = 0; from < lines.length; from += importedPerCall) {
    const part = [head, ...lines.slice(from, from + importedPerCall), ''].join('\n')
    const { status, body } = await fleet.api.call<ImportReportView>('POST', '/v1/imports', part)
    if (status !== 200) throw new Error(`the import was answered ${status}`)
    for (const line of body.lines) if (line.status === 'rejected') refused.add(indexOf(line.person ?? ''))
  }
  return lines.flatMap((_line, index) => (refused.has(index) ? [] : [index]))
}

/** of an id that generatePeople() gives */
const indexOf = (person: string) => Number(person.slice(1))

/** How often each address was shown the text. */
async function readTaken(fleet: Fleet, text: string): Promise<Map<string, number>> {
  const taken = new Map<string, number>()
  for await (const row of fleet.sandbox.acceptedRows()) {
    if (!row.text.endsWith(text)) continue
    const place = `${row.channel} ${row.address}`
    taken.set(place, (taken.get(place) ?? 0) + 1)
  }
  return taken
}

/** What the API says of each person, by their index. */
async function readTold(fleet: Fleet, key: string): Promise<Map<number, Partial<Record<Channel, string>>>> {
  const told = new Map<number, Partial<Record<Channel, string>>>()
  for (const { person, channels } of await fleet.api.receipts(key))
    told.set(indexOf(person), Object.fromEntries(sentOn.map((channel) => [channel, channels[channel]?.state ?? ''])))
  return told
}

interface Judged {
  readonly channel: Channel
  /** indexes of the people */
  readonly imported: readonly number[]
  readonly taken: ReadonlyMap<string, number>
  readonly told: ReadonlyMap<number, Partial<Record<Channel, string>>>
  readonly unknownSms: number
}

function judgeChannel({ channel, imported, taken, told, unknownSms }: Judged): boolean {
  const found = { once: 0, twice: 0, lost: 0, 'told falsely': 0, unknown: 0 }
  for (const index of imported) {
    const times = taken.get(`${channel} ${generatedAddress[channel](index)}`) ?? 0
    const state = told.get(index)?.[channel] ?? ''
    found[times > 1 ? 'twice' : judgeOne(times === 1, state)] += 1
  }
  console.log(`${channel}: ${JSON.stringify(found)}`)
  const allowed = channel === 'sms' ? unknownSms : 0
  return found.twice + found.lost + found['told falsely'] === 0 && found.unknown <= allowed
}

function judgeOne(isTaken: boolean, state: string): 'once' | 'lost' | 'told falsely' | 'unknown' {
  if (says.nobodyKnows.includes(state)) return 'unknown'
  if (isTaken) return says.it.includes(state) ? 'once' : 'told falsely'
  return says.it.includes(state) ? 'told falsely' : 'lost'
}
