/** Contacts as Redis holds them. Which channels there are is written before the first contact of one. */
import { bucketOf, keys, type Redis } from '@courier-fleet/store'
import { readContact, type StoredContact } from './contact-record.ts'
import { type Addition, addContacts, type Link, putContacts, restoreContacts } from './contact-scripts.ts'
import type { Agreeing, FurtherContact } from './directory.ts'
import { readFields } from './person-fields.ts'

export interface ContactStore {
  get(channel: string, person: string): Promise<StoredContact | undefined>
  /** in order */
  getMany(channel: string, people: readonly string[]): Promise<(StoredContact | undefined)[]>
  /** by channel, in order */
  getAll(people: readonly string[]): Promise<Record<string, StoredContact>[]>
  /** Behind those of the person, or instead of some of them: all of these, or none. @returns false where they would have too many */
  addActive(link: Omit<Link, 'address'>, additions: readonly Addition[]): Promise<boolean>
  /** These and no others, as they were. */
  restore(link: Omit<Link, 'address'>, contacts: readonly FurtherContact[]): Promise<void>
  /** As active and never marked, each the first of its person. A channel they have opted out of stays so, unless it is they who link it (`isOwnWord`). */
  putActive(links: readonly Link[], isOwnWord: boolean, agreed?: Agreeing): Promise<void>
}

export function createContactStore(redis: Redis): ContactStore {
  async function getMany(channel: string, people: readonly string[]): Promise<(StoredContact | undefined)[]> {
    const texts = await readFields(redis, people, (bucket) => keys.contacts(bucket, channel))
    return texts.map((text) => (text === null ? undefined : readContact(text)))
  }

  return {
    async get(channel, person) {
      const text = await redis.hget(keys.contacts(bucketOf(person), channel), person)
      return text === null ? undefined : readContact(text)
    },
    getMany,
    async getAll(people) {
      const channels = (await redis.smembers(keys.contactChannels)).sort()
      const columns = await Promise.all(channels.map((channel) => getMany(channel, people)))
      return rowsOf(people, channels, columns)
    },
    async addActive(link, additions) {
      await redis.sadd(keys.contactChannels, link.channel)
      return addContacts(redis, link, additions)
    },
    async restore(link, contacts) {
      await redis.sadd(keys.contactChannels, link.channel)
      await restoreContacts(redis, link, contacts)
    },
    async putActive(links, isOwnWord, agreed) {
      if (links.length === 0) return
      await redis.sadd(keys.contactChannels, ...new Set(links.map(({ channel }) => channel)))
      await putContacts(redis, links, isOwnWord, agreed)
    },
  }
}

/** Of each person what the columns, one a channel, hold of them. */
export function rowsOf<T>(
  people: readonly string[],
  channels: readonly string[],
  columns: readonly (readonly (T | undefined)[])[],
): Record<string, T>[] {
  return people.map((_person, row) => {
    const own: Record<string, T> = {}
    for (const [index, channel] of channels.entries()) {
      const contact = columns[index]?.[row]
      if (contact) own[channel] = contact
    }
    return own
  })
}
