/** How often codes may be asked for and tried: few digits are safe only while nobody may guess often. */
import { defineScript, keys, Problem } from '@courier-fleet/core'
import type { Redis } from 'ioredis'

const windowMs = 900_000

/** tries a window */
const most = {
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

const limitScript = defineScript('limit', { keys: ['tries'], args: ['most', 'windowMs'] })

export interface RateLimits {
  /** Counts a try. @throws Problem 429 `too-many-codes` */
  count(what: keyof typeof most, who: string): Promise<void>
  /** Forgets the tries of somebody who has shown to be no guesser. */
  forgive(what: keyof typeof most, who: string): Promise<void>
}

export function createRateLimits({ redis }: { redis: Redis }): RateLimits {
  return {
    async count(what, who) {
      const waitMs = Number(await limitScript(redis, { tries: keys.limit(what, who) }, { most: most[what], windowMs }))
      if (waitMs === 0) return
      const seconds = Math.ceil(waitMs / 1000)
      throw new Problem(429, 'too-many-codes', `too many codes; try again in ${seconds} s`, undefined, seconds)
    },

    async forgive(what, who) {
      await redis.del(keys.limit(what, who))
    },
  }
}
