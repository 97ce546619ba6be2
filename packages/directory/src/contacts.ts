/**
 * How to reach people. `contact-of:…` says whose an address is and is written first; `contacts:…` is what is sent to.
 * An address found in only one of the two belongs to nobody, so that a crash in between can be repaired by repeating.
 */

import { Problem } from '@courier-fleet/api-types'
import { bucketOf, keys, type Redis, redisNow } from '@courier-fleet/store'
import type { CountryCode } from 'libphonenumber-js'
import { normaliseAddress } from './address.ts'
import { dropContact, type Link, markContact, releaseAddress } from './contact-scripts.ts'
import type { ContactStore } from './contact-store.ts'
import type { Agreeing, Directory, PlainContact } from './directory.ts'
import { findPerson } from './person-record.ts'

export type Contacts = Pick<
  Directory,
  'markContact' | 'hearContact' | 'linkContact' | 'unlinkContact' | 'setConsent' | 'personOf' | 'storedAddress'
> & {
  ofPerson(person: string): Promise<Record<string, PlainContact>>
  /** Links an address again as it was: what its provider or its person had said of it holds again. A STOP since stays. */
  restoreContact(link: Link, contact: PlainContact): Promise<void>
}

interface ContactsDeps {
  readonly redis: Redis
  readonly store: ContactStore
  readonly country: CountryCode
}

export function createContacts({ redis, store, country }: ContactsDeps): Contacts {
  return {
    async markContact(channel, person, address, { state, reason, agoMs }) {
      const nowMs = await redisNow(redis, keys.contacts(bucketOf(person), channel))
      await markContact(redis, { channel, person, address }, { state, reason, atMs: nowMs - agoMs() })
    },

    hearContact: (channel, person, address, isOpen) =>
      markContact(redis, { channel, person, address }, { state: isOpen ? 'active' : 'blocked' }),

    async setConsent(channel, person, allowed, agreed) {
      const contact = await store.get(channel, person)
      if (!contact) return false
      const { address } = contact
      await markContact(
        redis,
        { channel, person, address },
        { state: allowed ? 'active' : 'opted-out', isOwnWord: true, agreed: allowed ? agreed : undefined },
      )
      return true
    },

    async linkContact(channel, person, text, { consents = false, agreed } = {}) {
      const address = normaliseAddress(channel, text, country)
      return linkContact({ redis, store }, { channel, person, address }, { consents, agreed })
    },

    async restoreContact(link, { state, reason, since, agreed }) {
      await linkContact({ redis, store }, link, { consents: false, agreed })
      const said = { state, isOwnWord: state === 'opted-out', ...(reason && { reason }), ...(since && { atMs: since }) }
      if (state !== 'active') await markContact(redis, link, said)
    },

    async unlinkContact(channel, person) {
      const contact = await store.get(channel, person)
      if (!contact) return false
      await dropContact(redis, { channel, person, address: contact.address })
      await releaseAddress(redis, { channel, person, address: contact.address })
      return true
    },

    async personOf(channel, text) {
      const address = storedForm(channel, text, country)
      if (address === undefined) return undefined
      const person = await redis.get(keys.contactOf(channel, address))
      if (person === null) return undefined
      return (await store.get(channel, person))?.address === address ? person : undefined
    },

    storedAddress: (channel, text) => normaliseAddress(channel, text, country),

    ofPerson: async (person) => {
      const stored = Object.entries((await store.getAll([person]))[0] ?? {})
      return Object.fromEntries(stored.map(([channel, { wishes: _mark, ...contact }]) => [channel, contact]))
    },
  }
}

/**
 * Order: the former owner loses it, `contact-of`, `contacts`, then the person's former address is released. Of two people who
 * link one address at the same moment the later one has it.
 */
async function linkContact(
  { redis, store }: { redis: Redis; store: ContactStore },
  { channel, person, address }: Link,
  { consents, agreed }: { readonly consents: boolean; readonly agreed?: Agreeing | undefined },
): Promise<{ address: string; takenFrom?: string }> {
  if (!(await findPerson(redis, person))) throw new Problem(404, 'unknown-person', `no person "${person}"`)
  const ownerKey = keys.contactOf(channel, address)
  const former = await redis.get(ownerKey)
  if (former !== null && former !== person) await dropContact(redis, { channel, person: former, address })
  const meanwhile = await redis.set(ownerKey, person, 'GET')
  if (meanwhile !== null && meanwhile !== person) await dropContact(redis, { channel, person: meanwhile, address })

  const before = await store.get(channel, person)
  if (before?.address !== address) {
    await store.putActive([{ channel, person, address }], consents, agreed)
    if (before) await releaseAddress(redis, { channel, person, address: before.address })
  } else if (consents || before.state !== 'active') {
    await markContact(redis, { channel, person, address }, { state: 'active', isOwnWord: consents, agreed })
  }
  if ((await redis.get(ownerKey)) !== person) await dropContact(redis, { channel, person, address })
  const takenFrom = meanwhile ?? former
  return takenFrom === null || takenFrom === person ? { address } : { address, takenFrom }
}

function storedForm(channel: string, text: string, country: CountryCode): string | undefined {
  try {
    return normaliseAddress(channel, text, country)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
