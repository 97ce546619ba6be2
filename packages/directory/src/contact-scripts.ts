/** Each works on a single key: directory keys have no hash tag, so that a cluster can spread them. */
import { defineScript, keys } from '@courier-fleet/core'
import type { Redis } from 'ioredis'

const markScript = defineScript('mark-contact', {
  keys: ['contacts'],
  args: ['channel', 'address', 'state', 'contact'],
})
const dropScript = defineScript('drop-contact', { keys: ['contacts'], args: ['channel', 'address'] })
const releaseScript = defineScript('release-address', { keys: ['owner'], args: ['person'] })

export interface Link {
  readonly channel: string
  readonly person: string
  readonly address: string
}

/** Stores the marked contact unless the person has another address by now, has opted out, or is marked so already. */
export async function markContact(redis: Redis, link: Link, state: string, contact: string): Promise<void> {
  const { channel, person, address } = link
  await markScript(redis, { contacts: keys.contacts(person) }, { channel, address, state, contact })
}

/** Takes the address from the person, unless they have another one by now. */
export async function dropContact(redis: Redis, { channel, person, address }: Link): Promise<void> {
  await dropScript(redis, { contacts: keys.contacts(person) }, { channel, address })
}

/** Forgets whose the address is, unless it is someone else's by now. */
export async function releaseAddress(redis: Redis, { channel, person, address }: Link): Promise<void> {
  await releaseScript(redis, { owner: keys.contactOf(channel, address) }, { person })
}
