/** One-time codes that link a contact: issued to a person for a channel, typed into that channel by whoever has them. */
import { codeLifeMs } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { defineScript, keys, optionalReply, type Redis, textReply } from '@courier-fleet/store'
import { type EnrolmentWay, enrolmentWay } from './enrolment-way.ts'
import { codeDigest, newCode } from './one-time-code.ts'

const redeemScript = defineScript('redeem', {
  keys: ['enrolment'],
  args: ['address'],
  reply: optionalReply(textReply),
})

export interface Enrolment {
  readonly code: string
  /** until when it is good, Unix ms */
  readonly expiresMs: number
  /** where the person sends it, where that is known */
  readonly way: EnrolmentWay | undefined
}

export interface Enrolments {
  /** The code is shown this once. */
  issue(person: string, channel: string): Promise<Enrolment>
  /**
   * Takes the code for this address; the same address may repeat it.
   * @param address in its stored form
   * @returns whose code it is; undefined when it is wrong, lapsed, or another address has taken it
   */
  redeem(channel: string, address: string, code: string): Promise<string | undefined>
}

export function createEnrolments({ redis, clock }: { redis: Redis; clock: Clock }): Enrolments {
  const keyOf = (channel: string, code: string) => keys.enrolment(channel, codeDigest(channel, code))

  return {
    async issue(person, channel) {
      for (;;) {
        const code = newCode()
        // one that is somebody else's at the moment is not given out again
        const isNew = await redis.set(keyOf(channel, code), person, 'PX', codeLifeMs, 'NX')
        if (isNew) return { code, expiresMs: clock.now() + codeLifeMs, way: await enrolmentWay(redis, channel, code) }
      }
    },

    async redeem(channel, address, code) {
      return redeemScript(redis, { enrolment: keyOf(channel, code) }, { address })
    },
  }
}
