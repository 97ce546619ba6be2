/**
 * How to reach people. `contact-of:…` says whose an address is and is written first; `contacts:…` is what is sent to.
 * An address found in only one of the two belongs to nobody, so that a crash in between can be repaired by repeating.
 */

import { Problem } from '@courier-fleet/api-types'
import { mayHaveSeveral, mostContacts } from '@courier-fleet/channels'
import { bucketOf, keys, type Redis, redisNow } from '@courier-fleet/store'
import type { CountryCode } from 'libphonenumber-js'
import { normaliseAddress } from './address.ts'
import { addressesOf, eachOf, hasAddress } from './contact-record.ts'
import { dropContact, type Link, markContact, releaseAddress } from './contact-scripts.ts'
import type { ContactStore } from './contact-store.ts'
import type { Agreeing, Directory, PlainContact } from './directory.ts'
import { findPerson } from './person-record.ts'

export type Contacts = Pick<
  Directory,
  | 'markContact'
  | 'hearContact'
  | 'linkContact'
  | 'addContact'
  | 'unlinkContact'
  | 'setConsent'
  | 'personOf'
  | 'storedAddress'
> & {
  ofPerson(person: string): Promise<Record<string, PlainContact>>
  /**
   * What a person had on a channel is theirs again as it was, and nothing else: what its provider or they had said of it holds again. A
   * STOP since stays.
   */
  restoreContact(channel: string, person: string, contact: PlainContact | null): Promise<void>
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

    async setConsent(channel, person, allowed, { agreed, address: given } = {}) {
      const all = addressesOf(await store.get(channel, person))
      const wanted = given === undefined ? undefined : storedForm(channel, given, country)
      const meant = given === undefined ? all : all.filter((address) => address === wanted)
      const said = { state: allowed ? 'active' : 'opted-out', isOwnWord: true, ...(allowed && { agreed }) } as const
      for (const address of meant) await markContact(redis, { channel, person, address }, said)
      return meant.length > 0
    },

    async linkContact(channel, person, text, { consents = false, agreed } = {}) {
      const address = normaliseAddress(channel, text, country)
      return linkContact({ redis, store }, { channel, person, address }, { consents, agreed })
    },

    async addContact(channel, person, text) {
      const address = normaliseAddress(channel, text, country)
      if (!mayHaveSeveral(channel)) {
        throw new Problem(422, 'one-contact', `a person has one contact on ${channel}: PUT sets it`, 'channel')
      }
      return addFurther({ redis, store }, { channel, person, address })
    },

    async restoreContact(channel, person, contact) {
      const wanted = eachOf(contact)
      const linkOf = (address: string) => ({ channel, person, address })
      const gone = addressesOf(await store.get(channel, person)).filter((address) => !hasAddress(contact, address))
      for (const { address } of wanted) await claimAddress(redis, linkOf(address))
      await store.restore({ channel, person }, wanted)
      for (const address of gone) await releaseAddress(redis, linkOf(address))
    },

    async unlinkContact(channel, person, given) {
      const wanted = given === undefined ? undefined : storedForm(channel, given, country)
      const all = addressesOf(await store.get(channel, person))
      const gone = given === undefined ? all : all.filter((address) => address === wanted)
      for (const address of gone) {
        await dropContact(redis, { channel, person, address })
        await releaseAddress(redis, { channel, person, address })
      }
      return gone.length > 0
    },

    async personOf(channel, text) {
      const address = storedForm(channel, text, country)
      if (address === undefined) return undefined
      const person = await redis.get(keys.contactOf(channel, address))
      if (person === null) return undefined
      return hasAddress(await store.get(channel, person), address) ? person : undefined
    },

    storedAddress: (channel, text) => normaliseAddress(channel, text, country),

    ofPerson: async (person) => {
      const stored = Object.entries((await store.getAll([person]))[0] ?? {})
      return Object.fromEntries(stored.map(([channel, { wishes: _mark, ...contact }]) => [channel, contact]))
    },
  }
}

/** `contact-of` says whose it is from now on; whoever had it loses it. @returns who that was */
async function claimAddress(redis: Redis, { channel, person, address }: Link): Promise<string | undefined> {
  const ownerKey = keys.contactOf(channel, address)
  const former = await redis.get(ownerKey)
  if (former !== null && former !== person) await dropContact(redis, { channel, person: former, address })
  const meanwhile = await redis.set(ownerKey, person, 'GET')
  if (meanwhile !== null && meanwhile !== person) await dropContact(redis, { channel, person: meanwhile, address })
  const takenFrom = meanwhile ?? former
  return takenFrom === null || takenFrom === person ? undefined : takenFrom
}

/** Order as of linkContact(); where they have as many as they may the address is nobody's. */
async function addFurther(
  { redis, store }: { redis: Redis; store: ContactStore },
  link: Link,
): Promise<{ address: string; takenFrom?: string }> {
  const { channel, person, address } = link
  if (!(await findPerson(redis, person))) throw new Problem(404, 'unknown-person', `no person "${person}"`)
  const before = await store.get(channel, person)
  const tooMany = () =>
    new Problem(409, 'enough-contacts', `a person has at most ${mostContacts} contacts on ${channel}`, 'address')
  if (addressesOf(before).length >= mostContacts && !hasAddress(before, address)) throw tooMany()
  const takenFrom = await claimAddress(redis, link)
  if (!(await store.addActive(link, [{ address }]))) {
    await releaseAddress(redis, link)
    throw tooMany()
  }
  if ((await redis.get(keys.contactOf(channel, address))) !== person) await dropContact(redis, link)
  return takenFrom === undefined ? { address } : { address, takenFrom }
}

/**
 * Order: the former owner loses it, `contact-of`, `contacts`, then the person's former address is released. Of two people who
 * link one address at the same moment the later one has it. An address the person has stays where it is; of several it is the first that another replaces.
 */
async function linkContact(
  { redis, store }: { redis: Redis; store: ContactStore },
  { channel, person, address }: Link,
  { consents, agreed }: { readonly consents: boolean; readonly agreed?: Agreeing | undefined },
): Promise<{ address: string; takenFrom?: string }> {
  if (!(await findPerson(redis, person))) throw new Problem(404, 'unknown-person', `no person "${person}"`)
  const takenFrom = await claimAddress(redis, { channel, person, address })
  const before = await store.get(channel, person)
  const own = eachOf(before).find((each) => each.address === address)
  if (!own) {
    await store.putActive([{ channel, person, address }], consents, agreed)
    if (before) await releaseAddress(redis, { channel, person, address: before.address })
  } else if (consents || own.state !== 'active') {
    await markContact(redis, { channel, person, address }, { state: 'active', isOwnWord: consents, agreed })
  }
  if ((await redis.get(keys.contactOf(channel, address))) !== person)
    await dropContact(redis, { channel, person, address })
  return takenFrom === undefined ? { address } : { address, takenFrom }
}

function storedForm(channel: string, text: string, country: CountryCode): string | undefined {
  try {
    return normaliseAddress(channel, text, country)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
