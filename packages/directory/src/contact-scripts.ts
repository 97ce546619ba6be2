/** Each works on a single key: whose an address is lies in the address's slot, what a person's address is in the person's. */
import { bucketOf, defineScript, flagReply, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const markScript = defineScript('mark-contact', {
  keys: ['contacts'],
  args: ['person', 'address', 'state', 'contact', 'isOwnWord'],
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

/**
 * Stores the marked contact unless the person has another address by now, or is marked so already. What a provider says does
 * not undo that the person has opted out.
 * @returns whether it has changed
 */
export async function markContact(
  redis: Redis,
  link: Link,
  mark: { readonly state: string; readonly contact: string; readonly by: 'person' | 'provider' },
): Promise<boolean> {
  const { person, address } = link
  const { state, contact, by } = mark
  const isOwnWord = by === 'person' ? 1 : 0
  return markScript(redis, { contacts: contactsOf(link) }, { person, address, state, contact, isOwnWord })
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
