/** Each works on a single key: whose an address is lies in the address's slot, what a person's address is in the person's. */
import { bucketOf, defineScript, flagReply, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const markScript = defineScript('mark-contact', {
  keys: ['contacts'],
  args: ['person', 'address', 'state', 'contact'],
  reply: flagReply,
})
const dropScript = defineScript('drop-contact', {
  keys: ['contacts'],
  args: ['person', 'address'],
  reply: flagReply,
})
const releaseScript = defineScript('release-address', { keys: ['owner'], args: ['person'], reply: flagReply })

export interface Link {
  readonly channel: string
  readonly person: string
  readonly address: string
}

const contactsOf = ({ channel, person }: Link) => keys.contacts(bucketOf(person), channel)

/** Stores the marked contact unless the person has another address by now, has opted out, or is marked so already. */
export async function markContact(redis: Redis, link: Link, state: string, contact: string): Promise<void> {
  const { person, address } = link
  await markScript(redis, { contacts: contactsOf(link) }, { person, address, state, contact })
}

/** Takes the address from the person, unless they have another one by now. */
export async function dropContact(redis: Redis, link: Link): Promise<void> {
  const { person, address } = link
  await dropScript(redis, { contacts: contactsOf(link) }, { person, address })
}

/** Forgets whose the address is, unless it is someone else's by now. */
export async function releaseAddress(redis: Redis, { channel, person, address }: Link): Promise<void> {
  await releaseScript(redis, { owner: keys.contactOf(channel, address) }, { person })
}
