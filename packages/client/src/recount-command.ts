/** `npm run recount -- <key>`: whether the counters of a message agree with its receipts. */
import type { RecountReport } from '@courier-fleet/core'
import { createClient } from './create-client.ts'
import { findFleet } from './fleet-file.ts'
import type { Terminal } from './send-command.ts'
import { explain, UsageError } from './usage-error.ts'

/** @returns the exit code: 0 balanced · 1 not · 2 it could not be counted */
export async function recountCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const [key, ...more] = args
    if (key === undefined || more.length > 0) throw new UsageError('usage: npm run recount -- <history key>')
    const { balanced, channels } = await createClient(findFleet(terminal.env, terminal.fleetFile)).recount(key)
    if (channels.length === 0) terminal.out('No channel has begun: there is nothing to count yet.')
    for (const channel of channels) terminal.out(channelLine(channel))
    return balanced ? 0 : 1
  } catch (error) {
    const line = explain(error)
    if (line === undefined) throw error
    terminal.err.write(`recount: ${line}\n`)
    return 2
  }
}

function channelLine({ channel, ledger, bytes, balanced }: RecountReport['channels'][number]): string {
  const counts = Object.entries(ledger) as [keyof typeof ledger, number][]
  if (balanced) {
    const people = counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`)
    return `${channel}: balanced (${people.join(', ')})`
  }
  const wrong = counts.filter(([state, count]) => count !== bytes[state])
  return `${channel}: NOT BALANCED: ${wrong.map(([state, count]) => `${state} ${count}, counted ${bytes[state]}`).join('; ')}`
}
