/** Which claims of a send job are of messages that are counted, by which rules, and what has to be known of those messages. */
import { type HistoryRef, heldCauses } from '@courier-fleet/api-types'
import { type CountPolicy, countPolicyOf } from '@courier-fleet/rules'
import { keys, type Redis, type Settings } from '@courier-fleet/store'
import { versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

const dayMs = 86_400_000

function policyOf({ claim, message }: ClaimBuffer, settings: Settings): CountPolicy | undefined {
  // whoever is corrected has been counted
  if (message.urls || versionOf(claim) !== undefined) return undefined
  return countPolicyOf(claim.class, message.rules, settings, settings.version)
}

/** Whether a rule counts its message, by these settings. */
export const isCounted = (buffer: ClaimBuffer, settings: Settings): boolean => policyOf(buffer, settings) !== undefined

/** By the claims that are counted; of a fleet without such rules none, and nothing is read. */
export async function readPolicies(
  redis: Redis,
  buffers: readonly ClaimBuffer[],
  settings: Settings,
): Promise<ReadonlyMap<ClaimBuffer, CountPolicy>> {
  const policies = new Map<ClaimBuffer, CountPolicy>()
  for (const buffer of buffers) {
    const policy = policyOf(buffer, settings)
    if (policy) policies.set(buffer, buffer.message.online ? withoutIntervals(policy) : policy)
  }
  await Promise.all(
    [...policies].map(async ([buffer, policy]) => policies.set(buffer, await lifted(redis, buffer, policy))),
  )
  return policies
}

/** They come one by one as it is, whenever somebody is online: caps hold for them, intervals do not. */
const withoutIntervals = (policy: CountPolicy): CountPolicy => ({
  ...policy,
  rules: policy.rules.filter(({ reason }) => reason !== 'too-soon'),
})

/**
 * Whom somebody has sent to again, or has called forward in spite of a rule, that rule does not refuse; they count.
 */
async function lifted(redis: Redis, { claim }: ClaimBuffer, policy: CountPolicy): Promise<CountPolicy> {
  if (claim.cause === 'sent-again') return { ...policy, rules: [] }
  if (!heldCauses.some((cause) => cause === claim.cause)) return policy
  const said = await redis.hmget(keys.history(claim.ref), ...heldCauses.map((cause) => `sent-now:${cause}`))
  const calledForward = new Set<string>(heldCauses.filter((_cause, index) => said[index] !== null))
  return { ...policy, rules: policy.rules.filter(({ reason }) => !calledForward.has(reason)) }
}

/** Of a message somebody of whom has to wait. */
export interface WaitingTerms {
  readonly expiresMs: number
  /** people of the whole message */
  readonly size: number
}

export async function readWaitingTerms(
  redis: Redis,
  refs: Iterable<HistoryRef>,
): Promise<Map<HistoryRef, WaitingTerms>> {
  const terms = new Map<HistoryRef, WaitingTerms>()
  await Promise.all(
    [...refs].map(async (ref) => {
      const [expires, due, size] = await redis.hmget(keys.history(ref), 'expires', 'due', 'size')
      terms.set(ref, { expiresMs: expires ? Number(expires) : Number(due) + dayMs, size: Number(size) })
    }),
  )
  return terms
}
