import { bucketOf, keys, markDirty, type Redis } from '@courier-fleet/store'
import { dropContact, type Link, releaseAddress } from '../contact-scripts.ts'
import { createContactStore } from '../contact-store.ts'
import { putRecords } from '../person-record.ts'
import type { ContactsChange, RosterChange } from './roster-change.ts'

/**
 * Order: indexes, contacts, groups, records. A record comes last and vouches for the rest, so an import that was cut off
 * is completed by importing again.
 */
export async function writeChanges(redis: Redis, changes: readonly RosterChange[]): Promise<void> {
  if (changes.length === 0) return
  const joined = grouped(changes, ({ joins }) => joins)
  await writeIndexes(redis, changes)
  const contacts = changes.flatMap((change) => change.contacts)
  await Promise.all(contacts.flatMap(linksOf).map((link) => claimAddress(redis, link)))
  await Promise.all([
    writeContacts(redis, contacts),
    ...[...joined].map(([group, people]) => redis.sadd(keys.members(group), ...people)),
  ])
  await putRecords(
    redis,
    changes.map(({ person }) => person),
  )
  await markDirty(redis, 'group', [...joined.keys()])
  await markDirty(redis, 'person', [...joined.values()].flat())
}

async function writeIndexes(redis: Redis, changes: readonly RosterChange[]): Promise<void> {
  const indexOf = ({ person }: RosterChange, role: string) => keys.role(bucketOf(person.id), role)
  const added = grouped(changes, ({ person }) => [keys.personIds(bucketOf(person.id))])
  const entered = grouped(changes, (change) => [indexOf(change, change.person.role)])
  const left = grouped(changes, (change) => (change.formerRole ? [indexOf(change, change.formerRole)] : []))
  await Promise.all([
    ...[...added].map(([index, people]) => redis.zadd(index, ...people.flatMap((id) => [0, id]))),
    ...[...entered].map(([index, people]) => redis.sadd(index, ...people)),
    ...[...left].map(([index, people]) => redis.srem(index, ...people)),
  ])
}

const linksOf = ({ channel, person, additions }: ContactsChange): Link[] =>
  additions.map(({ address }) => ({ channel, person, address }))

const replacedBy = ({ channel, person, additions }: ContactsChange): Link[] =>
  additions.flatMap(({ insteadOf }) => (insteadOf === undefined ? [] : [{ channel, person, address: insteadOf }]))

/** The first one of many people in one call; of whoever gets more, or another than their first, all in one. Then what they replace is released. */
async function writeContacts(redis: Redis, changes: readonly ContactsChange[]): Promise<void> {
  const store = createContactStore(redis)
  const isOfFirst = ({ before, additions: [first, ...more] }: ContactsChange) =>
    more.length === 0 && first?.insteadOf === before[0]
  const release = (links: readonly Link[]) => Promise.all(links.map((link) => releaseAddress(redis, link)))
  const firsts = changes.filter(isOfFirst)
  await Promise.all([
    store.putActive(firsts.flatMap(linksOf), false).then(() => release(firsts.flatMap(replacedBy))),
    ...changes
      .filter((change) => !isOfFirst(change))
      .map(async (change) => {
        const isWritten = await store.addActive(change, change.additions)
        // where others were linked since the chunk was read, what does not fit is nobody's
        await release(isWritten ? replacedBy(change) : linksOf(change))
      }),
  ])
}

/** Whoever has linked the address since the chunk was read loses it, as to any later link. */
async function claimAddress(redis: Redis, { channel, person, address }: Link): Promise<void> {
  const meanwhile = await redis.set(keys.contactOf(channel, address), person, 'GET')
  if (meanwhile !== null && meanwhile !== person) await dropContact(redis, { channel, person: meanwhile, address })
}

/** Ids of people by what each of their changes names. */
function grouped(
  changes: readonly RosterChange[],
  names: (change: RosterChange) => readonly string[],
): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const change of changes) {
    for (const name of names(change)) {
      const people = groups.get(name)
      if (people) people.push(change.person.id)
      else groups.set(name, [change.person.id])
    }
  }
  return groups
}
