/** What the view of a history says by itself, beside what was answered before. */
import type { Message } from '../expectations.ts'
import type { Violation } from '../report.ts'
import type { Counts, History } from './api.ts'
import { type State, states } from './states.ts'
import { nameOf } from './watched.ts'

type Line = History['channels'][string]

const order = ['issued', 'scheduled', 'running', 'settled'] as const
export const isOver = ({ state }: History) => state === 'settled' || state === 'cancelled'

/** sums that nothing which may happen to a receipt makes smaller */
const growing: readonly (readonly State[])[] = [
  ['sent', 'delivered', 'read', 'confirmed', 'failed'],
  ['delivered', 'read', 'confirmed'],
  ['confirmed'],
  ['failed'],
  ['suppressed'],
  ['no-contact'],
  ['expired'],
  ['cancelled'],
]

/** somebody has it, may have it, or may get it */
const mayHaveIt: readonly State[] = ['pending', 'sent', 'delivered', 'read', 'confirmed', 'unknown']

export const sum = (counts: Counts, of: readonly State[] = states) =>
  of.reduce((total, state) => total + (counts[state] ?? 0), 0)

/** @param sha256 of the audience asked for. @param before the view of the poll before, of an accepted message */
export function judgeHistory(message: Message, view: History, sha256: string, before?: History): Violation[] {
  const violations: Violation[] = []
  const add = (kind: Violation['kind'], what: string, channel?: string) =>
    violations.push({ kind, message: nameOf(message), ...(channel === undefined ? {} : { channel }), what })
  const { audience, channels, cancellation, dueMs } = message

  if (view.state === 'issued') add('lost', 'was answered as accepted, and is a key without a message now')
  if (view.audience && (view.audience.size !== audience.length || view.audience.sha256 !== sha256)) {
    add('lost', `is for ${view.audience.size} people; those asked for were ${audience.length}, or others`)
  }
  if (view.text !== undefined && view.text !== message.text) add('told-falsely', 'has another text than was asked for')
  if (dueMs !== undefined && view.at !== undefined && Date.parse(view.at) !== dueMs) {
    add('told-falsely', `says it is due ${view.at}, and answered ${new Date(dueMs).toISOString()}`)
  }
  if (view.state === 'cancelled' && cancellation === undefined)
    add('told-falsely', 'says cancelled; nobody cancelled it')
  if (cancellation === 'cancelled' && !isOver(view)) {
    add('told-falsely', `was answered as cancelled, so that nobody gets it, and says ${view.state}`)
  }
  for (const [channel, line] of Object.entries(view.channels)) {
    const size = sum(line)
    if (cancellation === 'cancelled' && sum(line, mayHaveIt) > 0) {
      add('told-falsely', `was answered as cancelled, so that nobody gets it: ${JSON.stringify(line)}`, channel)
    }
    if (size !== line.accepted || size !== audience.length || states.some((state) => (line[state] ?? 0) < 0)) {
      add('imbalance', `counts sum up to ${size} of ${audience.length}: ${JSON.stringify(line)}`, channel)
    }
  }
  if (view.state === 'settled') {
    for (const channel of channels) {
      const line = view.channels[channel]
      if (!line) add('lost', 'settled without this channel, which it was meant for', channel)
      else if (line.state !== 'settled')
        add('told-falsely', `says settled while this channel is ${line.state}`, channel)
    }
  }
  if (before) judgeStep(before, view, add)
  return violations
}

/** Between two polls a message, a channel and its counts only get on. */
function judgeStep(
  before: History,
  view: History,
  add: (kind: 'told-falsely', what: string, channel?: string) => void,
): void {
  const rank = ({ state }: History) => (state === 'cancelled' ? order.length : order.indexOf(state))
  if (rank(view) < rank(before) || (isOver(before) && view.state !== before.state)) {
    add('told-falsely', `said ${before.state}, and later ${view.state}`)
  }
  if (before.settledAt !== undefined && view.settledAt !== before.settledAt)
    add('told-falsely', `said it settled at ${before.settledAt}, and later at ${view.settledAt}`)
  for (const [channel, old] of Object.entries(before.channels)) {
    const line = view.channels[channel]
    if (!line) add('told-falsely', 'had a line for this channel, and later none', channel)
    else for (const what of stepsBack(old, line)) add('told-falsely', what, channel)
  }
}

function* stepsBack(old: Line, line: Line): Generator<string> {
  if (old.state === 'settled' && line.state !== 'settled') yield `said settled, and later ${line.state}`
  if ((line.pending ?? 0) > (old.pending ?? 0)) yield `had ${old.pending} pending, and later ${line.pending}`
  for (const set of growing) {
    if (sum(line, set) < sum(old, set)) {
      yield `had ${sum(old, set)} ${set.join('/')}, and later ${sum(line, set)}`
    }
  }
}
