/**
 * How many messages a sender may still send today, whichever way they are sent.
 *
 * `quota:<sender>` names the histories that count. A history is counted before it is scheduled, and only the script that
 * counts says whether there was room. The two keys are in different slots, so a crash in between leaves a history counted
 * that nobody was sent; so does one between a cancel and giving back. Both are found when somebody asks what is left, or the
 * limit would refuse them. So is a message that was stopped while it ran, once it is known that nobody got it.
 */

import {
  findRole,
  type HistoryRef,
  historyKeyOf,
  type LimitsView,
  parseHistoryKey,
  type Role,
} from '@courier-fleet/api-types'
import type { Principal } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import {
  defineScript,
  type Histories,
  keys,
  type LiveSettings,
  listReply,
  numberReply,
  type Redis,
} from '@courier-fleet/store'
import { type Day, localDays } from '../http/local-day.ts'
import { ProblemWithFacts } from '../http/problem-with-facts.ts'
import type { BudgetViews } from './budget-views.ts'
import type { Rules } from './rules.ts'

/** a call that counted its history and has not scheduled it by now never will */
const unscheduledMs = 300_000

const reserveScript = defineScript('reserve', {
  keys: ['quota'],
  args: ['history', 'max', 'now', 'dayStart', 'restMs'],
  reply: listReply(numberReply),
})

/** 429: no more messages today. */
export class QuotaSpent extends ProblemWithFacts {
  constructor(max: number, { end }: Day, now: number) {
    const resetsAt = new Date(end).toISOString()
    const detail = `you may send ${max} messages a day, and have; again from ${resetsAt}`
    super(429, 'quota', detail, { resetsAt }, undefined, Math.max(1, Math.ceil((end - now) / 1000)))
  }
}

export interface Quota {
  isLimited(by: Principal): boolean
  /**
   * Counts a history against its sender's day; once, however often it is called.
   * @returns how many are left; undefined for a sender without a limit
   * @throws QuotaSpent
   */
  reserve(ref: HistoryRef, by: Principal): Promise<number | undefined>
  /** The history counts no longer: taken back before anybody got it, or not accepted. Safe to repeat. */
  giveBack(ref: HistoryRef): Promise<void>
  limits(by: Principal): Promise<LimitsView>
}

interface QuotaDeps {
  readonly redis: Redis
  readonly histories: Histories
  readonly clock: Clock
  readonly rules: Rules
  readonly settings: Pick<LiveSettings, 'current'>
  readonly budgetViews: Pick<BudgetViews, 'of'>
}

export function createQuota(deps: QuotaDeps): Quota {
  const { redis, histories, clock, rules, settings, budgetViews } = deps
  const dayAt = localDays(rules.timeZone)
  function maxFor({ role, ownRole = role }: Principal): number | undefined {
    const kept = findRole(settings.current().roles, ownRole)
    return kept ? (kept.quota ?? undefined) : rules.quotas[role as Role]
  }

  async function tryReserve(ref: HistoryRef, max: number, now: number, day: Day) {
    const [counted, used = 0] = await reserveScript(
      redis,
      { quota: keys.quota(ref.sender) },
      { history: historyKeyOf(ref), max, now, dayStart: day.start, restMs: day.end - now },
    )
    return counted === 1 ? Math.max(0, max - used) : undefined
  }

  /** Gives back what crashes have left. @returns whether there was anything */
  async function mend(sender: string, now: number): Promise<boolean> {
    const found = await redis.zrangebyscore(keys.quota(sender), '-inf', '+inf', 'WITHSCORES')
    const counted = found.flatMap((key, i) => (i % 2 === 0 ? [{ key, at: Number(found[i + 1]) }] : []))
    const isGone = await Promise.all(
      counted.map(async ({ key, at }) => {
        const ref = parseHistoryKey(key)
        const state = await histories.state(ref)
        if (state === undefined || state === 'issued') return now - at > unscheduledMs
        return histories.wasTakenBack(ref)
      }),
    )
    const gone = counted.filter((_each, index) => isGone[index]).map(({ key }) => key)
    if (gone.length > 0) await redis.zrem(keys.quota(sender), ...gone)
    return gone.length > 0
  }

  return {
    isLimited: (by) => maxFor(by) !== undefined,

    async reserve(ref, by) {
      const max = maxFor(by)
      if (max === undefined) return undefined
      const now = clock.now()
      const day = dayAt(now)
      let left = await tryReserve(ref, max, now, day)
      if (left === undefined && (await mend(ref.sender, now))) left = await tryReserve(ref, max, now, day)
      if (left === undefined) throw new QuotaSpent(max, day, now)
      return left
    },

    async giveBack(ref) {
      await redis.zrem(keys.quota(ref.sender), historyKeyOf(ref))
    },

    async limits(by) {
      const limit = maxFor(by)
      const held = await budgetViews.of(by)
      const budgets = held.length > 0 ? { budgets: held } : {}
      if (limit === undefined) return { limit: null, used: null, left: null, resetsAt: null, ...budgets }
      const now = clock.now()
      const { start, end } = dayAt(now)
      await mend(by.owner, now)
      const used = await redis.zcount(keys.quota(by.owner), start, '+inf')
      return { limit, used, left: Math.max(0, limit - used), resetsAt: new Date(end).toISOString(), ...budgets }
    },
  }
}
