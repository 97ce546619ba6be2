/** What a claim of a correction, or of a recall, is to do about each: docs/decisions/0066 and 0070. */
import { type Correcting, type Redis, readWhomToCorrect, readWhomToRecall } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import { versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

/** before the answer to an attempt with an older text is looked for again */
export const openAttemptMs = 1_000

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
  if (recall === undefined) {
    return readWhomToCorrect(redis, claim, { channel, version, text, followUp, canEdit: courier.edit !== undefined })
  }
  if (recall !== version) return undefined
  return readWhomToRecall(redis, claim, { channel, version, canRecall: courier.recall !== undefined })
}
