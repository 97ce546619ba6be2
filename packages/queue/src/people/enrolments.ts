/** One-time codes that link a contact: issued to a person for a channel, typed into that channel by whoever has them. */
import { createHash } from 'node:crypto'
import { codeLifeMs, lastingCodeLength } from '@courier-fleet/api-types'
import { addressesOf, type Contact, type Directory, hasAddress } from '@courier-fleet/directory'
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

/** What has become of a code. */
export interface CodeUse {
  /** whose it is */
  readonly person: string
  readonly isUsed: boolean
}

export interface Enrolments {
  /** The code is shown this once. */
  issue(person: string, channel: string): Promise<Enrolment>
  /**
   * A code that is good for longer, and for so long as the person has the contact that they have now: it lies about on paper. The one
   * before it is void from now on.
   * @param contact what they have on the channel now
   */
  issueLasting(person: string, channel: string, contact: Contact | undefined, lifeMs: number): Promise<string>
  /** Of a code that is good for long; changes nothing. @returns undefined when it is wrong, void, or has lapsed */
  look(channel: string, code: string): Promise<CodeUse | undefined>
  /**
   * Takes the code for this address; the same address may repeat it.
   * @param address in its stored form
   * @returns whose code it is; undefined when it is wrong, lapsed, or another address has taken it
   */
  redeem(channel: string, address: string, code: string): Promise<string | undefined>
}

interface EnrolmentsDeps {
  readonly redis: Redis
  readonly directory: Pick<Directory, 'contactsOf'>
  readonly clock: Clock
}

export function createEnrolments({ redis, directory, clock }: EnrolmentsDeps): Enrolments {
  const keyOf = (channel: string, code: string) => keys.enrolment(channel, codeDigest(channel, code))

  /** Of a code that is good for long and the newest of its person. */
  async function find(channel: string, code: string) {
    const [person, takenBy] = ((await redis.get(keyOf(channel, code))) ?? '').split(' ')
    if (!person) return undefined
    const [newest, [contact]] = await Promise.all([
      redis.get(keys.enrolmentOf(person, channel)),
      directory.contactsOf(channel, [person]),
    ])
    const [digest, before] = newest?.split(' ') ?? []
    if (digest !== codeDigest(channel, code)) return undefined
    return { person, isUsed: takenBy !== undefined, contact, isAsBefore: before === digestOf(contact) }
  }

  return {
    async issue(person, channel) {
      for (;;) {
        const code = newCode()
        // one that is somebody else's at the moment is not given out again
        const isNew = await redis.set(keyOf(channel, code), person, 'PX', codeLifeMs, 'NX')
        if (isNew) return { code, expiresMs: clock.now() + codeLifeMs, way: await enrolmentWay(redis, channel, code) }
      }
    },

    async issueLasting(person, channel, contact, lifeMs) {
      for (;;) {
        const code = newCode(lastingCodeLength)
        const isNew = await redis.set(keyOf(channel, code), person, 'PX', lifeMs, 'NX')
        if (!isNew) continue
        // from here on it is good, and the one before is not; a crash before this leaves one that nobody has seen
        const newest = `${codeDigest(channel, code)} ${digestOf(contact)}`
        await redis.set(keys.enrolmentOf(person, channel), newest, 'PX', lifeMs)
        return code
      }
    },

    async look(channel, code) {
      const found = await find(channel, code)
      return found && (found.isUsed || found.isAsBefore) ? found : undefined
    },

    async redeem(channel, address, code) {
      if (code.length === lastingCodeLength) {
        const found = await find(channel, code)
        if (!found?.isAsBefore && !hasAddress(found?.contact, address)) return undefined
      }
      return redeemScript(redis, { enrolment: keyOf(channel, code) }, { address })
    },
  }
}

/** of the address, or of all where there are several, whichever is used first; empty for none */
const digestOf = (contact: Contact | undefined) =>
  contact ? createHash('sha256').update(addressesOf(contact).sort().join(' ')).digest('base64url').slice(0, 16) : ''
