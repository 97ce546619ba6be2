/** Contacts as Redis holds them. Which channels there are is written before the first contact of one. */
import { bucketOf, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { readContact, writeActive } from './contact-record.ts'
import type { Link } from './contact-scripts.ts'
import type { Contact } from './directory.ts'
import { readFields, writeFields } from './person-fields.ts'

export interface ContactStore {
  get(channel: string, person: string): Promise<Contact | undefined>
  /** in order */
  getMany(channel: string, people: readonly string[]): Promise<(Contact | undefined)[]>
  /** by channel, in order */
  getAll(people: readonly string[]): Promise<Record<string, Contact>[]>
  /** As active and never marked. */
  putActive(links: readonly Link[]): Promise<void>
}

export function createContactStore(redis: Redis): ContactStore {
  async function getMany(channel: string, people: readonly string[]): Promise<(Contact | undefined)[]> {
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
      return people.map((_person, row) => {
        const own: Record<string, Contact> = {}
        for (const [index, channel] of channels.entries()) {
          const contact = columns[index]?.[row]
          if (contact) own[channel] = contact
        }
        return own
      })
    },
    async putActive(links) {
      if (links.length === 0) return
      await redis.sadd(keys.contactChannels, ...new Set(links.map(({ channel }) => channel)))
      await writeFields(
        redis,
        links.map(({ channel, person, address }) => ({
          key: keys.contacts(bucketOf(person), channel),
          person,
          text: writeActive(address),
        })),
      )
    },
  }
}
