/**
 * Topics: people join and leave them by themselves. Who is in one is told to operators only, and an import joins nobody.
 * Whoever joins is written first and looks at the topic and the person afterwards, whoever removes one of these does so before
 * the members: so nobody is left in a topic that is gone, and no removed person in any, whatever happens at the same time.
 */
import { Problem, type Role, roles } from '@courier-fleet/api-types'
import { bucketOf, keys, markDirty, type Redis } from '@courier-fleet/store'
import type { Directory, Principal, Topic } from './directory.ts'
import { checkId, checkName } from './fields.ts'
import { sameList } from './groups.ts'
import { findPeople, findPerson } from './person-record.ts'
import { readSet } from './sets.ts'

type Topics = Pick<
  Directory,
  'putTopic' | 'getTopic' | 'listTopics' | 'deleteTopic' | 'joinTopic' | 'leaveTopic' | 'peopleInTopic' | 'topicsOf'
>

const rank = (role: string) => roles.indexOf(role as Role)

/** A role among the senders means those above it, too. */
export function mayWriteToTopic({ senders }: Pick<Topic, 'senders'>, { owner, role }: Principal): boolean {
  return senders.some((sender) => (rank(sender) >= 0 ? rank(role) >= rank(sender) : sender === owner))
}

/** As the hash `topic:…` holds it. */
function writeTopic({ name, senders, open }: Topic): Record<string, string> {
  return { ru: name.ru, en: name.en, senders: senders.join(' '), open: open ? '1' : '0' }
}

export function readTopic(id: string, { ru, en, senders, open }: Record<string, string>): Topic | undefined {
  if (ru === undefined || en === undefined) return undefined
  return { id, name: { ru, en }, senders: senders ? senders.split(' ') : [], open: open === '1' }
}

export function createTopics({ redis }: { redis: Redis }): Topics {
  const find = async (id: string) => readTopic(id, await redis.hgetall(keys.topic(id)))

  async function get(id: string) {
    const [topic, size] = await Promise.all([find(id), redis.scard(keys.topicMembers(id))])
    return topic && { ...topic, size }
  }

  const idsOfTopics = async () => [...(await readSet(redis, keys.topics))].sort()

  return {
    async putTopic(input) {
      const topic = await checkTopic(redis, input)
      const before = await find(topic.id)
      // left by a removal that was cut off: whoever was in that topic has not joined this one
      if (!before) await emptyOut(redis, topic.id)
      await redis.sadd(keys.topics, topic.id)
      await redis.hset(keys.topic(topic.id), writeTopic(topic))
      if (!before) return 'created'
      return isSame(before, topic) ? 'unchanged' : 'updated'
    },

    getTopic: get,

    async listTopics() {
      return (await Promise.all((await idsOfTopics()).map(get))).filter((topic) => topic !== undefined)
    },

    /** Order: record, index, marks, members: as long as these are there, a call that was cut off can be repeated, and marks them. */
    async deleteTopic(id) {
      const existed = await redis.del(keys.topic(id))
      return (await emptyOut(redis, id)) || existed === 1
    },

    async joinTopic(id, person, { isInvited = false } = {}) {
      checkId(person, 'person')
      const topic = await find(id)
      if (!topic) throw unknownTopic(id)
      if (!topic.open && !isInvited && (await redis.sismember(keys.topicMembers(id), person)) === 0) {
        throw new Problem(403, 'topic-closed', `nobody joins the topic "${id}" by themselves`)
      }
      const added = await redis.sadd(keys.topicMembers(id), person)
      const missing = await missingOf(redis, id, person)
      await markDirty(redis, 'person', [person])
      if (!missing) return added === 1
      await redis.srem(keys.topicMembers(id), person)
      throw missing
    },

    async leaveTopic(id, person) {
      if (!(await find(id))) throw unknownTopic(id)
      const removed = await redis.srem(keys.topicMembers(id), person)
      await markDirty(redis, 'person', [person])
      return removed === 1
    },

    peopleInTopic: async (id) => [...(await readSet(redis, keys.topicMembers(id)))].sort(),

    async topicsOf(person) {
      const ids = await idsOfTopics()
      const within = await Promise.all(ids.map((id) => redis.sismember(keys.topicMembers(id), person)))
      return ids.filter((_, index) => within[index] === 1)
    },
  }
}

/** Of one without a record. @returns whether anything was left of it */
async function emptyOut(redis: Redis, id: string): Promise<boolean> {
  const wasListed = await redis.srem(keys.topics, id)
  const members = await readSet(redis, keys.topicMembers(id))
  await markDirty(redis, 'person', [...members])
  await redis.unlink(keys.topicMembers(id))
  return wasListed + members.size > 0
}

/** Out of all topics: after `removed-people` names them, so that whoever is joining sees it. */
export async function leaveAllTopics(redis: Redis, person: string): Promise<void> {
  const topics = await readSet(redis, keys.topics)
  await Promise.all([...topics].map((topic) => redis.srem(keys.topicMembers(topic), person)))
}

/** What one cannot join, or who cannot: looked at once they are written. */
async function missingOf(redis: Redis, id: string, person: string): Promise<Problem | undefined> {
  const [topic, found, removed] = await Promise.all([
    redis.exists(keys.topic(id)),
    findPerson(redis, person),
    redis.sismember(keys.removedPeople(bucketOf(person)), person),
  ])
  if (topic === 0) return unknownTopic(id)
  return found && removed === 0 ? undefined : new Problem(404, 'unknown-person', `no person "${person}"`)
}

/** @throws Problem 422 `bad-field` · `unknown-person` (field `senders.N`) */
async function checkTopic(redis: Redis, { id, name, senders, open }: Topic): Promise<Topic> {
  const named = senders.filter((sender) => rank(sender) < 0)
  const people = await findPeople(redis, named)
  for (const [index, sender] of senders.entries()) {
    const field = `senders.${index}`
    checkId(sender, field)
    if (sender === 'student') throw new Problem(422, 'bad-field', 'students cannot send messages', field)
    if (rank(sender) < 0 && !people[named.indexOf(sender)]) {
      throw new Problem(422, 'unknown-person', `no person "${sender}"`, field)
    }
  }
  return {
    id: checkId(id, 'id'),
    name: { ru: checkName(name.ru, 'name.ru'), en: checkName(name.en, 'name.en') },
    senders: [...new Set(senders)].sort(),
    open,
  }
}

const isSame = (one: Topic, other: Topic) =>
  one.name.ru === other.name.ru &&
  one.name.en === other.name.en &&
  one.open === other.open &&
  sameList(one.senders, other.senders)

const unknownTopic = (id: string) => new Problem(404, 'unknown-topic', `there is no topic "${id}"`)
