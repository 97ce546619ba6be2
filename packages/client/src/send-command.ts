/** `npm run send`: sends a message, watches it, and says who got it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Acceptance, ReceiptView, TrackerReport } from '@courier-fleet/core'
import { type Client, createClient } from './create-client.ts'
import { ApiError } from './errors.ts'
import { findFleet } from './fleet-file.ts'
import { channelTable, exitCodeOf, isReached, progressLine, unreachedLine } from './outcome.ts'
import { createProgress, type Progress } from './progress.ts'
import { readSendOptions, type SendOptions, sendUsage } from './send-options.ts'
import { explain } from './usage-error.ts'

/** people named who did not get it */
const named = 20
/** before listening again after having been cut off */
const retryMs = 500

export interface Terminal {
  readonly out: (text: string) => void
  readonly err: NodeJS.WriteStream
  readonly env: NodeJS.ProcessEnv
  /** what `npm start` wrote */
  readonly fleetFile: string | URL
}

/** @returns the exit code: 0 everyone with a contact got it · 1 not everyone, or not known yet · 2 not sent */
export async function sendCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const options = readSendOptions(args, Date.now())
    if (!options) {
      terminal.out(sendUsage)
      return 0
    }
    const client = createClient(findFleet(terminal.env, terminal.fleetFile))
    const { to, text, at, channels } = options
    const message = { to: [...to], text, ...(at ? { at } : {}), ...(channels ? { channels: [...channels] } : {}) }
    const accepted = await client.send(message, { idempotencyKey: randomUUID() })
    if (!options.json) terminal.out(acceptedLine(accepted))
    const report = await watchUntilSettled(client, accepted, options, terminal)
    await tell(client, report, options, terminal)
    return exitCodeOf(report)
  } catch (error) {
    const line = explain(error)
    if (line === undefined) throw error
    terminal.err.write(`send: ${line}\n`)
    return 2
  }
}

const acceptedLine = ({ key, audience, at }: Acceptance) =>
  `Accepted ${key} for ${audience.size} ${audience.size === 1 ? 'person' : 'people'}, due ${at}`

async function watchUntilSettled(
  client: Client,
  { key, at }: Acceptance,
  { waitMs, json }: SendOptions,
  { err }: Terminal,
): Promise<TrackerReport> {
  const progress = createProgress(err, json)
  const deadline = AbortSignal.timeout(waitMs === 0 ? 0 : Math.max(Date.parse(at) - Date.now(), 0) + waitMs)
  try {
    while (!deadline.aborted && !(await watchOnce(client, key, progress, deadline))) {
      await sleep(retryMs, undefined, { signal: deadline }).catch(() => {})
    }
  } finally {
    progress.end()
  }
  return client.track(key, 0)
}

/** @returns false when it was cut off before the message was over: the queue may have been restarted */
async function watchOnce(client: Client, key: string, progress: Progress, deadline: AbortSignal): Promise<boolean> {
  try {
    for await (const history of client.watch(key, deadline)) {
      progress.show(progressLine(history, Date.now()))
      if (history.state === 'settled' || history.state === 'cancelled') return true
    }
  } catch (error) {
    if (error instanceof ApiError && error.problem.status < 500) throw error
  }
  return false
}

async function tell(client: Client, report: TrackerReport, { json }: SendOptions, { out }: Terminal): Promise<void> {
  const everyone = report.settled && report.history.people?.reached === report.history.audience?.size
  const begun = Object.keys(report.history.channels).length > 0
  const { people, more } =
    everyone || !begun ? { people: [], more: false } : await unreached(client, report.history.key)
  if (json) return out(JSON.stringify({ ...report, unreached: people }, null, 2))
  out(report.sentence)
  if (!begun) return
  out(`\n${channelTable(report.history)}`)
  if (people.length === 0) return
  out('\nNot reached:')
  for (const person of people) out(`  ${unreachedLine(person)}`)
  if (more) out(`  … and more: GET /v1/histories/${report.history.key}/receipts`)
}

async function unreached(client: Client, key: string): Promise<{ people: ReceiptView[]; more: boolean }> {
  const people: ReceiptView[] = []
  for await (const receipt of client.allReceipts(key)) {
    if (isReached(receipt)) continue
    if (people.length === named) return { people, more: true }
    people.push(receipt)
  }
  return { people, more: false }
}
