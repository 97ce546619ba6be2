/** How often codes may be asked for and tried, and what may be done in the name of others: few digits and forged contacts are
 * safe only while nobody may guess often. */

import { createHash } from 'node:crypto'
import { Problem } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { defineScript, keys, numberReply, type Redis } from '@courier-fleet/store'
import type { Rules } from './rules.ts'

const quarterMs = 900_000
const dayMs = 86_400_000

/** tries a window */
const limits = {
  /** enrolment codes issued for one person */
  enrolment: { max: 5, windowMs: quarterMs },
  /** groups that one caller makes codes for, all at once */
  'group-codes': { max: 20, windowMs: quarterMs },
  /** enrolment codes typed by one contact, and brought by one inbound process, right ones included */
  redeem: { max: 5, windowMs: quarterMs },
  'redeem-key': { max: 200, windowMs: quarterMs },
  /** likewise of codes that are good for days: a hall of people, and nobody guesses so many digits */
  'redeem-key-lasting': { max: 2000, windowMs: quarterMs },
  /** answers to one contact by one inbound process: two machines that answer each other would never end */
  answer: { max: 30, windowMs: quarterMs },
  /** sign-in codes asked for by a browser in which somebody has signed in before; each bears five wrong tries */
  'sign-in-browser': { max: 6, windowMs: quarterMs },
  /** by other browsers: of one network, which a whole campus may share; of one network under one name */
  'sign-in-network': { max: 60, windowMs: quarterMs },
  'sign-in-name': { max: 3, windowMs: quarterMs },
  /** sent to one person whom browsers ask for that are not theirs */
  'sign-in-person': { max: 12, windowMs: quarterMs },
  /** applications that are filled in, of one network and of all: each keeps a code for ten minutes */
  apply: { max: 60, windowMs: quarterMs },
  'apply-all': { max: 2000, windowMs: quarterMs },
  /** looks and clicks at the one-click addresses of one person, by scanners, too */
  'one-click': { max: 120, windowMs: quarterMs },
  /** calls that somebody has made to URLs of theirs, to try them */
  test: { max: 30, windowMs: quarterMs },
  /** looks of one person at what they received: each reads hundreds of messages */
  received: { max: 60, windowMs: quarterMs },
  /** SMS of the fleet itself to one person, that others may have caused */
  sms: { max: 8, windowMs: dayMs },
} as const satisfies Record<string, Limit>

interface Limit {
  readonly max: number
  readonly windowMs: number
}

export type Limited = keyof typeof limits | 'sms-of-all'

/** How many answers there were in how many minutes, and when there is room for more, Unix ms. */
export interface SpentAnswers {
  readonly answers: number
  readonly minutes: number
  readonly untilMs: number
}

const limitScript = defineScript('limit', { keys: ['tries'], args: ['max', 'windowMs'], reply: numberReply })
const distinctScript = defineScript('limit-distinct', {
  keys: ['known'],
  args: ['who', 'max', 'windowMs'],
  reply: numberReply,
})

export interface RateLimits {
  /** Counts a try. @returns 0 when there was room for it, else the ms until there is */
  hit(what: Limited, who: string): Promise<number>
  /** Counts a try. @throws Problem 429 `too-many-codes` when there was no room for it */
  count(what: Limited, who: string): Promise<void>
  /** Counts the different contacts that the key of an inbound process names. @throws Problem 429 `too-many-contacts` */
  countContact(keyId: string, contact: string): Promise<void>
  /**
   * Counts an answer to a contact. @throws Problem 429 `too-many-answers`
   * @param tell called before the first refusal of a window, and by whoever is refused next where it failed
   */
  countAnswer(who: string, tell: (spent: SpentAnswers) => Promise<void>): Promise<void>
  /** Counts a call to a URL of theirs. @throws Problem 429 `too-many-calls` */
  countTest(owner: string): Promise<void>
  /** Counts a look at what they have received. @throws Problem 429 `too-many-calls` */
  countReceived(person: string): Promise<void>
  /** Forgets the tries of somebody who has shown to be no guesser. */
  forgive(what: Limited, who: string): Promise<void>
}

interface RateLimitDeps {
  readonly redis: Redis
  readonly rules: Rules
  readonly clock: Clock
}

export function createRateLimits({ redis, rules, clock }: RateLimitDeps): RateLimits {
  const limitOf = (what: Limited): Limit | undefined => {
    if (what !== 'sms-of-all') return limits[what]
    return rules.systemSmsPerDay === undefined ? undefined : { max: rules.systemSmsPerDay, windowMs: dayMs }
  }

  async function hit(what: Limited, who: string): Promise<number> {
    const limit = limitOf(what)
    return limit ? limitScript(redis, { tries: keys.limit(what, who) }, { ...limit }) : 0
  }

  return {
    hit,

    async count(what, who) {
      refuse('too-many-codes', 'too many codes', await hit(what, who))
    },

    async countContact(keyId, contact) {
      const max = rules.inboundContacts
      if (max === undefined) return
      const who = createHash('sha256').update(contact).digest('base64url').slice(0, 16)
      const waitMs = await distinctScript(
        redis,
        { known: keys.limit('contacts', keyId) },
        { who, max, windowMs: quarterMs },
      )
      refuse('too-many-contacts', `this key has named ${max} different contacts in a quarter of an hour`, waitMs)
    },

    async countAnswer(who, tell) {
      const waitMs = await hit('answer', who)
      if (waitMs === 0) return
      const { max, windowMs } = limits.answer
      const told = keys.limit('answer-limit-told', who)
      if ((await limitScript(redis, { tries: told }, { max: 1, windowMs: waitMs })) === 0)
        await tell({ answers: max, minutes: windowMs / 60_000, untilMs: clock.now() + waitMs }).catch(async (error) => {
          await redis.del(told)
          throw error
        })
      refuse('too-many-answers', `this contact has had ${max} answers in a quarter of an hour`, waitMs)
    },

    async countTest(owner) {
      refuse(
        'too-many-calls',
        `you have tried ${limits.test.max} times in a quarter of an hour`,
        await hit('test', owner),
      )
    },

    async countReceived(person) {
      refuse('too-many-calls', 'you have looked very often', await hit('received', person))
    },

    async forgive(what, who) {
      await redis.del(keys.limit(what, who))
    },
  }
}

function refuse(code: string, detail: string, waitMs: number): void {
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new Problem(429, code, `${detail}; try again in ${seconds} s`, undefined, seconds)
}
