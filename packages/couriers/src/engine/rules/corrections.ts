/** What a claim of a correction, or of a recall, is to do about each: docs/decisions/0066 and 0070. */
import { type Correcting, type Redis, readWhomToCorrect, readWhomToRecall, readWhomToTell } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import { type Claim, editsOf, versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

/** before the answer to an attempt with an older text is looked for again */
const openAttemptMs = 1_000
/** Whoever comes later in the audience is edited later: so no more than some ten thousand people a second are looked at again. */
const lookedAtPerMs = 10
const maxLookMs = 60_000

/** How long after it was not known yet it is looked for again. */
export const lookAgainMs = (claim: Pick<Claim, 'leg' | 'to'>): number =>
  editsOf(claim) === undefined ? openAttemptMs : Math.min(Math.max(openAttemptMs, claim.to / lookedAtPerMs), maxLookMs)

interface CorrectionDeps {
  readonly redis: Redis
  readonly courier: Pick<Courier, 'channel' | 'edit' | 'recall'>
}

/** @returns of an ordinal of this claim what is to be done; `undefined` where the claim is of neither */
export async function readCorrecting(
  { claim, message }: ClaimBuffer,
  { redis, courier }: CorrectionDeps,
): Promise<((ordinal: number) => Correcting) | undefined> {
  const version = versionOf(claim)
  if (version === undefined) return undefined
  const { channel } = courier
  const { text, followUp, recall } = message
  const edits = editsOf(claim)
  if (edits !== undefined && followUp !== undefined) return readWhomToTell(redis, claim, { leg: edits, followUp })
  if (recall === undefined) {
    return readWhomToCorrect(redis, claim, { channel, version, text, followUp, canEdit: courier.edit !== undefined })
  }
  if (recall !== version) return undefined
  return readWhomToRecall(redis, claim, { channel, version, canRecall: courier.recall !== undefined })
}
