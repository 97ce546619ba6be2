/** How often codes may be asked for and tried: few digits are safe only while nobody may guess often. */

import { Problem } from '@courier-fleet/api-types'
import { defineScript, keys, numberReply } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const windowMs = 900_000

/** tries a window */
const maxTries = {
  /** enrolment codes issued for one person */
  enrolment: 5,
  /** enrolment codes typed by one contact */
  redeem: 5,
  /** sign-in codes sent to one person; each bears five wrong tries */
  'sign-in': 3,
  /** sign-in codes asked for under one name, whether it is a person's or not */
  'sign-in-name': 3,
  /** sign-in codes asked for, and typed, from one network address: a whole campus may have but one */
  'sign-in-from': 60,
  'session-from': 60,
} as const

type Tried = keyof typeof maxTries

const limitScript = defineScript('limit', { keys: ['tries'], args: ['max', 'windowMs'], reply: numberReply })

export interface RateLimits {
  /** Counts a try. @returns 0 when there was room for it, else the ms until there is */
  hit(what: Tried, who: string): Promise<number>
  /** Counts a try. @throws Problem 429 `too-many-codes` when there was no room for it */
  count(what: Tried, who: string): Promise<void>
  /** Forgets the tries of somebody who has shown to be no guesser. */
  forgive(what: Tried, who: string): Promise<void>
}

export function createRateLimits({ redis }: { redis: Redis }): RateLimits {
  const hit = async (what: Tried, who: string) =>
    limitScript(redis, { tries: keys.limit(what, who) }, { max: maxTries[what], windowMs })

  return {
    hit,

    async count(what, who) {
      const waitMs = await hit(what, who)
      if (waitMs === 0) return
      const seconds = Math.ceil(waitMs / 1000)
      throw new Problem(429, 'too-many-codes', `too many codes; try again in ${seconds} s`, undefined, seconds)
    },

    async forgive(what, who) {
      await redis.del(keys.limit(what, who))
    },
  }
}
