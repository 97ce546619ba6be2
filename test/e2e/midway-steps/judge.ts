/** Who was to be sent the second step of a message, and who was: what the stand-ins took, held against Redis's order and the receipts. */
import type { ReceiptView } from '@courier-fleet/api-types'

/** of one person */
export interface Facts {
  /** the number of the write by which it was known that they had read it; undefined where they have not */
  readonly readAt: number | undefined
  /** the number of the write by which they were to be sent the second step; undefined where they were not */
  readonly markedAt: number | undefined
  /** how often the centre took it for them */
  readonly taken: number
  /** of the second step */
  readonly receipt: ReceiptView['channels'][string] | undefined
}

export interface Verdict {
  readonly counts: { spared: number; readTooLate: number; neverRead: number; unknown: number }
  /** what does not hold, in words; nothing where all does */
  readonly troubles: readonly string[]
}

const cameStates = ['sent', 'delivered']

/** @param mayBeUnknown how many, where a process was killed */
export function judge(people: Iterable<Facts>, mayBeUnknown: number): Verdict {
  const counts = { spared: 0, readTooLate: 0, neverRead: 0, unknown: 0 }
  const wrong = { knownBefore: 0, twice: 0, lost: 0, toldFalsely: 0 }
  for (const { readAt, markedAt, taken, receipt } of people) {
    const isUnknown = receipt?.state === 'unknown'
    const saysItCame = cameStates.includes(receipt?.state ?? '')
    const saysSpared = receipt?.reason === 'reached-elsewhere'
    if (isUnknown) counts.unknown += 1
    else if (markedAt === undefined) counts.spared += 1
    else counts[readAt === undefined ? 'neverRead' : 'readTooLate'] += 1

    if (readAt !== undefined && markedAt !== undefined && readAt < markedAt) wrong.knownBefore += 1
    if (taken > 1) wrong.twice += 1
    if (taken === 0 && !saysSpared && !isUnknown) wrong.lost += 1
    if (saysSpared ? taken > 0 || readAt === undefined : taken > 0 !== saysItCame && !isUnknown) wrong.toldFalsely += 1
  }
  const troubles = [
    wrong.knownBefore && `${wrong.knownBefore} were sent an SMS though it was known before that they had read it`,
    wrong.twice && `${wrong.twice} were sent it twice`,
    wrong.lost && `${wrong.lost} had not read it, and were sent nothing`,
    wrong.toldFalsely && `of ${wrong.toldFalsely} the history says what is not so`,
    counts.unknown > mayBeUnknown && `${counts.unknown} are unknown, and ${mayBeUnknown} may be`,
  ]
  return { counts, troubles: troubles.filter((each) => typeof each === 'string') }
}
