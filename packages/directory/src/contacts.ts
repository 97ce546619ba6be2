/**
 * How to reach people. `contact-of:…` says whose an address is and is written first; `contacts:…` is what is sent to.
 * An address found in only one of the two belongs to nobody, so that a crash in between can be repaired by repeating.
 */

import { Problem } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { CountryCode } from 'libphonenumber-js'
import { normaliseAddress } from './address.ts'
import { writeContact } from './contact-record.ts'
import { dropContact, markContact, releaseAddress } from './contact-scripts.ts'
import { type ContactStore, createContactStore } from './contact-store.ts'
import type { Contact, Directory } from './directory.ts'
import { findPerson } from './person-record.ts'

type Contacts = Pick<
  Directory,
  | 'contactsOf'
  | 'allContactsOf'
  | 'markContact'
  | 'hearContact'
  | 'linkContact'
  | 'unlinkContact'
  | 'setConsent'
  | 'personOf'
  | 'storedAddress'
> & {
  ofPerson(person: string): Promise<Record<string, Contact>>
}

export function createContacts(deps: { redis: Redis; clock: Clock; country: CountryCode }): Contacts {
  const { redis, clock, country } = deps
  const store = createContactStore(redis)

  return {
    contactsOf: store.getMany,

    allContactsOf: store.getAll,

    async markContact(channel, person, address, state, reason) {
      const contact = writeContact({ address, state, reason, since: clock.now() })
      await markContact(redis, { channel, person, address }, { state, contact, by: 'provider' })
    },

    async hearContact(channel, person, address, isOpen) {
      const state = isOpen ? 'active' : 'blocked'
      const contact = writeContact({ address, state, since: clock.now() })
      return markContact(redis, { channel, person, address }, { state, contact, by: 'provider' })
    },

    async setConsent(channel, person, allowed) {
      const contact = await store.get(channel, person)
      if (!contact) return false
      const { address } = contact
      const state = allowed ? 'active' : 'opted-out'
      const marked = writeContact({ address, state, since: clock.now() })
      await markContact(redis, { channel, person, address }, { state, contact: marked, by: 'person' })
      return true
    },

    async linkContact(channel, person, text, { consents = false } = {}) {
      const address = normaliseAddress(channel, text, country)
      return linkContact({ redis, store, clock }, { channel, person, address }, consents)
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

    ofPerson: async (person) => (await store.getAll([person]))[0] ?? {},
  }
}

/**
 * Order: the former owner loses it, `contact-of`, `contacts`, then the person's former address is released. Of two people who
 * link one address at the same moment the later one has it.
 */
async function linkContact(
  { redis, store, clock }: { redis: Redis; store: ContactStore; clock: Clock },
  { channel, person, address }: { channel: string; person: string; address: string },
  consents: boolean,
): Promise<{ address: string; takenFrom?: string }> {
  if (!(await findPerson(redis, person))) throw new Problem(404, 'unknown-person', `no person "${person}"`)
  const ownerKey = keys.contactOf(channel, address)
  const former = await redis.get(ownerKey)
  if (former !== null && former !== person) await dropContact(redis, { channel, person: former, address })
  const meanwhile = await redis.set(ownerKey, person, 'GET')
  if (meanwhile !== null && meanwhile !== person) await dropContact(redis, { channel, person: meanwhile, address })

  const before = await store.get(channel, person)
  if (before?.address !== address) {
    await store.put(channel, person, { address, state: 'active' })
    if (before) await releaseAddress(redis, { channel, person, address: before.address })
  } else if (before.state !== 'active' && (consents || before.state !== 'opted-out')) {
    await store.put(channel, person, { address, state: 'active', since: clock.now() })
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
