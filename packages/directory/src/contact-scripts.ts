/** Each works on a single key: directory keys have no hash tag, so that a cluster can spread them. */
import { defineScript, drawerOf, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const markScript = defineScript('mark-contact', {
  keys: ['contacts'],
  args: ['person', 'address', 'state', 'contact'],
})
const dropScript = defineScript('drop-contact', { keys: ['contacts'], args: ['person', 'address'] })
const releaseScript = defineScript('release-address', { keys: ['owner'], args: ['person'] })

export interface Link {
  readonly channel: string
  readonly person: string
  readonly address: string
}

const drawer = ({ channel, person }: Link) => keys.contacts(channel, drawerOf(person))

/** Stores the marked contact unless the person has another address by now, has opted out, or is marked so already. */
export async function markContact(redis: Redis, link: Link, state: string, contact: string): Promise<void> {
  const { person, address } = link
  await markScript(redis, { contacts: drawer(link) }, { person, address, state, contact })
}

/** Takes the address from the person, unless they have another one by now. */
export async function dropContact(redis: Redis, link: Link): Promise<void> {
  const { person, address } = link
  await dropScript(redis, { contacts: drawer(link) }, { person, address })
}

/** Forgets whose the address is, unless it is someone else's by now. */
export async function releaseAddress(redis: Redis, { channel, person, address }: Link): Promise<void> {
  await releaseScript(redis, { owner: keys.contactOf(channel, address) }, { person })
}
