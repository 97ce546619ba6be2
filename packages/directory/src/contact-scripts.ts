/** Each works on a single key: whose an address is lies in the address's slot, what a person's address is in the person's. */
import { mostContacts } from '@courier-fleet/channels'
import { bucketOf, defineScript, flagReply, keys, numberReply, type Redis, tagOfBucket } from '@courier-fleet/store'
import type { Agreeing, ContactState, FurtherContact } from './directory.ts'

const putScript = defineScript('put-contacts', {
  keys: ['contacts', 'wishes', 'stops'],
  args: ['isOwnWord', 'tag', 'agreed'],
  reply: numberReply,
})
const addScript = defineScript('add-contact', {
  keys: ['contacts', 'wishes', 'stops'],
  args: ['person', 'tag', 'most'],
  reply: flagReply,
})
const restoreScript = defineScript('restore-contacts', {
  keys: ['contacts', 'wishes', 'stops'],
  args: ['person', 'tag', 'all'],
  reply: flagReply,
})
const markScript = defineScript('mark-contact', {
  keys: ['contacts'],
  args: ['person', 'address', 'state', 'reason', 'at', 'isOwnWord', 'tag', 'agreed'],
  reply: flagReply,
})
const dropScript = defineScript('drop-contact', {
  keys: ['contacts', 'stops'],
  args: ['person', 'address', 'tag'],
  reply: flagReply,
})
const releaseScript = defineScript('release-address', { keys: ['owner'], args: ['person'], reply: flagReply })

export interface Link {
  readonly channel: string
  readonly person: string
  readonly address: string
}

const tagOf = (person: string) => tagOfBucket(bucketOf(person))

const contactsOf = ({ channel, person }: Omit<Link, 'address'>) => keys.contacts(bucketOf(person), channel)

const stopsKeyOf = ({ channel, person }: Omit<Link, 'address'>) => keys.stops(bucketOf(person), channel)

export interface Mark {
  readonly state: ContactState
  readonly reason?: string
  /** when that was so, Unix ms by Redis's clock; now when absent */
  readonly atMs?: number
  readonly isOwnWord?: boolean
  /** the person agrees to it */
  readonly agreed?: Agreeing | undefined
}

/** As active, each as the first of its person. A call a bucket and channel. What a person has opted out of stays so, unless it is they who link it (`isOwnWord`). */
export async function putContacts(
  redis: Redis,
  links: readonly Link[],
  isOwnWord: boolean,
  agreed?: Agreeing,
): Promise<void> {
  const calls = new Map<string, { bucket: number; stops: string; pairs: string[] }>()
  for (const link of links) {
    const key = contactsOf(link)
    const call = calls.get(key) ?? { bucket: bucketOf(link.person), stops: stopsKeyOf(link), pairs: [] }
    calls.set(key, call)
    call.pairs.push(link.person, link.address)
  }
  await Promise.all(
    [...calls].map(([contacts, { bucket, stops, pairs }]) =>
      putScript(
        redis,
        { contacts, wishes: keys.wishes(bucket), stops },
        { isOwnWord: isOwnWord ? 1 : 0, tag: tagOfBucket(bucket), agreed: jsonOf(agreed) },
        pairs,
      ),
    ),
  )
}

/** One address more; where one is named that the person has, instead of that one. */
export interface Addition {
  readonly address: string
  readonly insteadOf?: string | undefined
}

const keysOf = (link: Omit<Link, 'address'>) => ({
  contacts: contactsOf(link),
  wishes: keys.wishes(bucketOf(link.person)),
  stops: stopsKeyOf(link),
})

/** Behind those the person has on the channel, or instead of some of them: all of these, or none. @returns false where they would have too many */
export function addContacts(
  redis: Redis,
  link: Omit<Link, 'address'>,
  additions: readonly Addition[],
): Promise<boolean> {
  const { person } = link
  const pairs = additions.flatMap(({ address, insteadOf = '' }) => [address, insteadOf])
  return addScript(redis, keysOf(link), { person, tag: tagOf(person), most: mostContacts }, pairs)
}

/** These and no others, with all that was known of them; a STOP since stays. */
export async function restoreContacts(
  redis: Redis,
  link: Omit<Link, 'address'>,
  contacts: readonly FurtherContact[],
): Promise<void> {
  const all = JSON.stringify(contacts)
  await restoreScript(redis, keysOf(link), { person: link.person, tag: tagOf(link.person), all })
}

/**
 * Marks the contact unless the person has this address no more, or is marked so already. What others say does not undo
 * that the person has opted out, nor that they were heard since.
 * @returns whether its state has changed
 */
export async function markContact(redis: Redis, link: Link, mark: Mark): Promise<boolean> {
  const { person, address } = link
  const { state, reason = '', atMs, isOwnWord = false, agreed } = mark
  const at = atMs === undefined ? '' : Math.floor(atMs)
  return markScript(
    redis,
    { contacts: contactsOf(link) },
    { person, address, state, reason, at, isOwnWord: isOwnWord ? 1 : 0, tag: tagOf(person), agreed: jsonOf(agreed) },
  )
}

const jsonOf = (agreed: Agreeing | undefined) => (agreed === undefined ? '' : JSON.stringify(agreed))

/** Takes the address from the person, unless they have it no more; with the first gone the next one is the first, and with the last gone a STOP is kept for whichever comes next. */
export async function dropContact(redis: Redis, link: Link): Promise<void> {
  const { person, address } = link
  await dropScript(
    redis,
    { contacts: contactsOf(link), stops: stopsKeyOf(link) },
    { person, address, tag: tagOf(person) },
  )
}

/** Forgets whose the address is, unless it is someone else's by now. */
export async function releaseAddress(redis: Redis, { channel, person, address }: Link): Promise<void> {
  await releaseScript(redis, { owner: keys.contactOf(channel, address) }, { person })
}
