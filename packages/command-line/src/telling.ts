/** Tells what became of a message: in words, a line for each channel, and by name who has not got it for certain. */
import type { HistoryView, PeopleClass, ReceiptView, TrackerReport } from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import type { Client } from '@courier-fleet/client'
import { outcomeWords, stepsWords } from '@courier-fleet/words'
import type { Call } from './command.ts'
import { fileLines } from './file-lines.ts'
import { channelTable, personLine } from './outcome.ts'
import type { Look } from './style.ts'

/** people named of each class */
const maxNamed = 20
/** whoever is still being sent to is not missed, and not named */
const headings = {
  notDelivered: 'Not delivered',
  unknown: 'Not known whether it arrived',
  handedOver: 'Not confirmed yet',
  withoutContact: 'Without a contact',
} as const
type NamedClass = keyof typeof headings
type Named = Partial<Record<NamedClass, ReceiptView[]>>

export async function tellOutcome(
  client: Client,
  report: TrackerReport,
  { answer, look }: Pick<Call, 'answer' | 'look'>,
): Promise<void> {
  const named = await peopleToName(client, report)
  answer({ ...report, named }, () => outcomeText(report, named, look))
}

function outcomeText({ history }: TrackerReport, named: Named, { moment, colours }: Look): string {
  const { sentence } = outcomeWords('en', history, { moment })
  const lines = [colours.bold(sentence)]
  if (Object.keys(history.channels).length > 0) lines.push('', channelTable(history))
  if (history.steps)
    lines.push('', 'Step by step:', ...stepsWords('en', history.steps, moment).map((line) => `  ${line}`))
  lines.push(...confirmedLines(history))
  if (history.files) lines.push('', ...fileLines(history.files))
  for (const [name, heading] of Object.entries(headings) as [NamedClass, string][]) {
    const people = named[name] ?? []
    if (people.length === 0) continue
    lines.push('', `${heading}:`, ...people.map((person) => `  ${personLine(person, moment)}`))
    const more = (history.people?.[name] ?? 0) - people.length
    if (more > 0) lines.push(`  … and ${more} more: fleet receipts ${history.key} --csv`)
  }
  return lines.join('\n')
}

/** Where it was asked for: how many have confirmed it, and what to do about those who have not. */
function confirmedLines({ key, confirmed }: HistoryView): string[] {
  if (!confirmed) return []
  const { yes, no, of } = confirmed
  const rest = [
    `  who has not: fleet receipts ${key} --confirmed no`,
    `  to remind them: fleet send --to unconfirmed:${key} --confirm --text TEXT`,
  ]
  return ['', `Confirmed by ${yes} of ${of} people.`, ...(no > 0 ? rest : [])]
}

const isNamed = (name: PeopleClass): name is NamedClass => name in headings

async function peopleToName(client: Client, { history: { key, people } }: TrackerReport): Promise<Named> {
  const named: Named = {}
  if (!people) return named
  /** how many are still to be found of each class */
  const open = new Map((Object.keys(headings) as NamedClass[]).map((name) => [name, Math.min(people[name], maxNamed)]))
  const left = () => [...open.values()].some((count) => count > 0)
  if (!left()) return named
  for await (const receipt of client.allReceipts(key)) {
    const name = classOf(receipt)
    const wanted = isNamed(name) ? (open.get(name) ?? 0) : 0
    if (!isNamed(name) || wanted === 0) continue
    named[name] = [...(named[name] ?? []), receipt]
    open.set(name, wanted - 1)
    if (!left()) break
  }
  return named
}
