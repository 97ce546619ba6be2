/**
 * Contacts as Redis holds them: the people of a channel in a few hashes, their drawers, so that thousands are read with a
 * handful of commands. Which channels there are is written before the first contact of one.
 */
import { contactDrawers, drawerOf, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { readContact, writeContact } from './contact-record.ts'
import type { Link } from './contact-scripts.ts'
import type { Contact } from './directory.ts'

export interface ContactStore {
  get(channel: string, person: string): Promise<Contact | undefined>
  /** in order */
  getMany(channel: string, people: readonly string[]): Promise<(Contact | undefined)[]>
  /** by channel, in order */
  getAll(people: readonly string[]): Promise<Record<string, Contact>[]>
  put(channel: string, person: string, contact: Contact): Promise<void>
  /** The same for many, as never marked. */
  putActive(links: readonly Link[]): Promise<void>
}

/** Most people to read in one command: Redis does nothing else meanwhile. */
const readAtOnce = 1000

export function createContactStore(redis: Redis): ContactStore {
  async function getMany(channel: string, people: readonly string[]): Promise<(Contact | undefined)[]> {
    const drawers = Array.from({ length: contactDrawers }, (): { people: string[]; places: number[] } => ({
      people: [],
      places: [],
    }))
    for (let place = 0; place < people.length; place += 1) {
      const person = people[place] as string
      const drawer = drawers[drawerOf(person)]
      drawer?.people.push(person)
      drawer?.places.push(place)
    }
    const contacts: (Contact | undefined)[] = new Array(people.length).fill(undefined)
    async function readSome(number: number, from: number): Promise<void> {
      const { people: owners = [], places = [] } = drawers[number] ?? {}
      const texts = await redis.hmget(keys.contacts(channel, number), ...owners.slice(from, from + readAtOnce))
      for (let index = 0; index < texts.length; index += 1) {
        const text = texts[index] ?? null
        if (text !== null) contacts[places[from + index] as number] = readContact(text)
      }
    }
    const reads: Promise<void>[] = []
    for (const [number, { people: owners }] of drawers.entries())
      for (let from = 0; from < owners.length; from += readAtOnce) reads.push(readSome(number, from))
    await Promise.all(reads)
    return contacts
  }

  return {
    async get(channel, person) {
      const text = await redis.hget(keys.contacts(channel, drawerOf(person)), person)
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
    async put(channel, person, contact) {
      await redis.sadd(keys.contactChannels, channel)
      await redis.hset(keys.contacts(channel, drawerOf(person)), person, writeContact(contact))
    },
    async putActive(links) {
      if (links.length === 0) return
      await redis.sadd(keys.contactChannels, ...new Set(links.map(({ channel }) => channel)))
      const drawers = new Map<string, string[]>()
      for (const { channel, person, address } of links) {
        const key = keys.contacts(channel, drawerOf(person))
        const fields = [person, writeContact({ address, state: 'active' })]
        const others = drawers.get(key)
        if (others) others.push(...fields)
        else drawers.set(key, fields)
      }
      await Promise.all([...drawers].map(([key, fields]) => redis.hset(key, ...fields)))
    },
  }
}
