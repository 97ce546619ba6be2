/** Tells what became of a message: the ending in words, a line for each channel, and who was not reached. */
import type { ReceiptView, TrackerReport } from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import type { Client } from '@courier-fleet/client'
import type { Call } from './command.ts'
import { channelTable, unreachedLine } from './outcome.ts'

/** people named who did not get it */
const named = 20
const missedClasses = ['unknown', 'notDelivered', 'withoutContact'] as const

interface Unreached {
  readonly people: readonly ReceiptView[]
  readonly more: boolean
}

export async function tellOutcome(
  client: Client,
  report: TrackerReport,
  { answer }: Pick<Call<Record<string, never>>, 'answer'>,
): Promise<void> {
  const { history } = report
  const { people } = history
  const anybody = people !== undefined && missedClasses.some((name) => people[name] > 0)
  const unreached = !anybody ? { people: [], more: false } : await unreachedOf(client, history.key)
  answer({ ...report, unreached: unreached.people }, () => outcomeText(report, unreached))
}

function outcomeText({ history, sentence }: TrackerReport, { people, more }: Unreached): string {
  const lines = [sentence]
  if (Object.keys(history.channels).length > 0) lines.push('', channelTable(history))
  if (people.length > 0) lines.push('', 'Not reached:', ...people.map((person) => `  ${unreachedLine(person)}`))
  if (more) lines.push(`  … and more: GET /v1/histories/${history.key}/receipts`)
  return lines.join('\n')
}

async function unreachedOf(client: Client, key: string): Promise<Unreached> {
  const people: ReceiptView[] = []
  for await (const receipt of client.allReceipts(key)) {
    if (!missedClasses.some((name) => name === classOf(receipt))) continue
    if (people.length === named) return { people, more: true }
    people.push(receipt)
  }
  return { people, more: false }
}
