/**
 * What people want: types of message they have switched off, and their own quiet hours. Few have any: a contact is marked when
 * its person does, and only those are asked for, so that nobody else costs a command.
 */
import { Problem, type Wishes } from '@courier-fleet/api-types'
import { bucketOf, defineScript, flagReply, keys, type Redis, tagOfBucket } from '@courier-fleet/store'
import { inOrderOfUse, type StoredContact } from './contact-record.ts'
import { type ContactStore, rowsOf } from './contact-store.ts'
import type { Contact, Directory } from './directory.ts'
import { readFields } from './person-fields.ts'
import { findPerson } from './person-record.ts'

const putScript = defineScript('put-wishes', {
  keys: ['wishes'],
  args: ['person', 'tag', 'before', 'wanted'],
  reply: flagReply,
})

type WishesStore = Pick<Directory, 'wishesOf' | 'changeWishes' | 'contactsOf' | 'allContactsOf'> & {
  /** of somebody who is removed */
  forgetWishes(person: string): Promise<void>
}

const none: Wishes = { off: [] }
const isNone = ({ off, quiet }: Wishes) => off.length === 0 && quiet === undefined
const readWishes = (text: string | null): Wishes => (text ? (JSON.parse(text) as Wishes) : none)
const writeWishes = (wishes: Wishes) => (isNone(wishes) ? '' : JSON.stringify(wishes))

export function createWishes(redis: Redis, contacts: ContactStore): WishesStore {
  const textOf = async (person: string) => (await redis.hget(keys.wishes(bucketOf(person)), person)) ?? ''

  /** A channel that has its first contact while they are written is looked at the next time round; linking looks for them, too. */
  async function put(person: string, before: string, wanted: string): Promise<boolean> {
    const bucket = bucketOf(person)
    const tag = tagOfBucket(bucket)
    for (let known: string[] | undefined; ; ) {
      const channels = await redis.smembers(keys.contactChannels)
      if (known && channels.length === known.length) return true
      known = channels
      if (!(await putScript(redis, { wishes: keys.wishes(bucket) }, { person, tag, before, wanted }, channels)))
        return false
    }
  }

  async function withWishes(
    people: readonly string[],
    stored: readonly (StoredContact | undefined)[],
  ): Promise<(Contact | undefined)[]> {
    const marked = people.filter((_person, index) => stored[index]?.wishes)
    const texts = marked.length === 0 ? [] : await readFields(redis, marked, keys.wishes)
    let at = 0
    const wishesOf = ({ wishes: _mark, ...contact }: StoredContact): Contact => {
      const wishes = readWishes(texts[at++] ?? null)
      return isNone(wishes) ? contact : { ...contact, wishes }
    }
    const known = stored.map((contact) => (contact?.wishes ? wishesOf(contact) : (contact as Contact | undefined)))
    return known.map((contact) => contact && inOrderOfUse(contact))
  }

  async function contactsOf(channel: string, people: readonly string[]): Promise<(Contact | undefined)[]> {
    return withWishes(people, await contacts.getMany(channel, people))
  }

  return {
    wishesOf: async (person) => readWishes(await textOf(person)),

    async changeWishes(person, change) {
      if (!(await findPerson(redis, person))) throw new Problem(404, 'unknown-person', `no person "${person}"`)
      for (;;) {
        const text = await textOf(person)
        const before = readWishes(text)
        const after = change(before)
        if (await put(person, text, writeWishes(after))) return { before, after }
      }
    },

    async forgetWishes(person) {
      for (let text = await textOf(person); text !== '' && !(await put(person, text, '')); ) text = await textOf(person)
    },

    contactsOf,

    async allContactsOf(people) {
      const channels = (await redis.smembers(keys.contactChannels)).sort()
      return rowsOf(people, channels, await Promise.all(channels.map((channel) => contactsOf(channel, people))))
    },
  }
}
