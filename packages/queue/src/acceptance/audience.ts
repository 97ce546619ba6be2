/** Whom messages are for, each frozen as it is when it is accepted. */
import { type MessageBody, Problem } from '@courier-fleet/api-types'
import { hashOfAudience, type PackedAudience } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'
import { requireSealingKey } from '../subscriptions/webhooks.ts'
import { type AcceptDeps, type Draft, stepThrough } from './draft.ts'
import type { Addressees } from './named-addressees.ts'
import { requirePresence } from './require-presence.ts'
import { requireForUrls } from './url-addressees.ts'

export async function readAddressees({ addressees }: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  const found = await addressees.of(
    drafts.map(({ offer }) => offer.body.to),
    by,
  )
  for (const [index, draft] of drafts.entries()) {
    const whom = found[index] as Addressees | Error
    if (whom instanceof Error) draft.answer = whom
    else draft.addressees = whom
  }
}

/** People: of a message to URLs nobody. */
export const namedBy = ({ addressees, offer }: Draft) => (addressees?.urls ? [] : (addressees?.named ?? offer.body.to))

export async function findAudiences(deps: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  const audiences = await deps.directory.expandMany(drafts.map(namedBy), by)
  await stepThrough(drafts, (draft, at) => setAudience(deps, draft, audiences[at] as PackedAudience | Error))
}

/** @throws Problem why this audience cannot be written to, or is not the one that was expected */
function setAudience(deps: AcceptDeps, draft: Draft, people: PackedAudience | Error): Promise<void> | undefined {
  const { offer, addressees } = draft
  const { whenOnline, expect } = offer.body
  if (addressees?.urls || addressees?.narrow || whenOnline !== undefined || expect)
    return checkAudience(deps, draft, people)
  draft.audience = somebodyIn(people)
  return undefined
}

async function checkAudience(deps: AcceptDeps, draft: Draft, people: PackedAudience | Error): Promise<void> {
  const { addressees, offer } = draft
  if (addressees?.urls) {
    requireForUrls(offer.body)
    requireSealingKey(deps.webhooks)
  }
  await requirePresence(deps.directory, offer.body, addressees?.urls !== undefined)
  const audience = somebodyIn(await narrowed(addressees?.urls ?? people, draft))
  await requireExpected(audience, offer.body)
  draft.audience = audience
}

async function narrowed(audience: PackedAudience | Error, { addressees }: Draft): Promise<PackedAudience | Error> {
  if (audience instanceof Problem) return addressees?.told?.(audience) ?? audience
  if (audience instanceof Error) return audience
  return addressees?.narrow?.(audience) ?? audience
}

/** @throws Problem 422 `empty-audience`, or why it cannot be written to */
function somebodyIn(audience: PackedAudience | Error): PackedAudience {
  if (audience instanceof Error) throw audience
  if (audience.size > 0) return audience
  throw new Problem(422, 'empty-audience', 'nobody is in this audience', 'to')
}

/** @throws Problem 409 `audience-mismatch` */
async function requireExpected(audience: PackedAudience, { expect }: MessageBody): Promise<void> {
  const { size } = audience
  if (expect?.size !== undefined && expect.size !== size) {
    const detail = `the audience has ${size} people, not ${expect.size}`
    throw new Problem(409, 'audience-mismatch', detail, 'expect.size')
  }
  if (expect?.sha256 !== undefined) {
    const sha256 = await hashOfAudience(audience)
    const detail = `the audience (${size} people) has the SHA-256 ${sha256}, not ${expect.sha256}`
    if (sha256 !== expect.sha256) throw new Problem(409, 'audience-mismatch', detail, 'expect.sha256')
  }
}
