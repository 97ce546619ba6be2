/**
 * States of online-model.ts from which the same can follow have one name, and a short one: claims and reporters that have changed places, and
 * what somebody has read and will not look at again.
 */
import type { Claim, Reporter, Sent, State } from './online-model.ts'

const ends = [null, 'cancelled', 'expired'] as const
const bytes = ['none', 'w', 'k', 'c'] as const
const kinds = ['range', 'wave', 'own'] as const
const claimSteps = ['idle', 'byte', 'decide', 'call', 'done', 'defer', 'mark', 'send', 'record', 'end'] as const
const receipts = ['pending', 'attempting', 'sent', 'cancelled', 'expired'] as const
const reporterSteps = ['idle', 'take', 'call', 'done'] as const
const members = [null, 0, 1] as const

/** A character for each claim, reporter and message; what a step looks at must be in it. */
export function nameOf({ messages, list, report, reporters, ...rest }: State): string {
  const flags = [rest.isSecondDue, rest.isFresh, rest.isLocked, list.includes(0), list.includes(1)]
  const numbers: Digit[] = flags.map((flag) => [Number(flag), 2])
  numbers.push([rest.faultsLeft, 2], [rest.reports, 8])
  const reported = report ? `${packed([members.indexOf(report.member), 3], [report.id, 8])}` : '-'
  const two = sorted(reporters.map(reporterName))
  return `${messages.map(messageName).join(' ')} ${two}${reported}${packed(...numbers)}`
}

function messageName({ claims, taken, ...rest }: Sent): string {
  const flags = [rest.isInWave, rest.wasRecordedOver, ...kinds.map((kind) => taken.includes(kind))]
  const numbers: Digit[] = flags.map((flag) => [Number(flag), 2])
  numbers.push([bytes.indexOf(rest.byte), 4], [receipts.indexOf(rest.receipt), 5], [ends.indexOf(rest.ended), 3])
  return `${packed(...numbers)}${sorted(claims.map(claimName))}`
}

/** What was read is looked at until it is decided; at the end of a wave how the message ended. */
function claimName({ kind, at, ended, byte }: Claim): string {
  const isOpen = at === 'byte' || at === 'decide'
  return packed(
    [kinds.indexOf(kind), 3],
    [claimSteps.indexOf(at), 10],
    [isOpen || at === 'end' ? ends.indexOf(ended) : 0, 3],
    [isOpen ? bytes.indexOf(byte) : 0, 4],
  )
}

/** That a message is over is looked at once it has left the list. */
const reporterName = ({ at, id, member, isOver }: Reporter): string =>
  packed([reporterSteps.indexOf(at), 4], [id, 8], [members.indexOf(member), 3], [Number(at === 'done' && isOver), 2])

type Digit = readonly [value: number, of: number]

const packed = (...digits: readonly Digit[]): string =>
  String.fromCharCode(0x100 + digits.reduce((all, [value, of]) => all * of + value, 0))

const sorted = (names: readonly string[]): string => [...names].sort().join('')
