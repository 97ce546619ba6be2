/**
 * Who may not write to a topic any more: named no more among its senders, of a role that is not, or of another role than before. What
 * they have scheduled for it is held when it falls due, as sending-rights.ts has it for groups.
 */
import { type CallerRole, type Role, roles, shardNames } from '@courier-fleet/api-types'
import { type Directory, mayWriteToTopic, type Topic } from '@courier-fleet/directory'
import { barTokens, keys, type Redis, unbarTokens } from '@courier-fleet/store'

/** absent: there is no such topic */
type Senders = Pick<Topic, 'senders'> | undefined

/** Of somebody, by what their role may do; absent: nothing, for they have none. */
export interface RightsOf {
  readonly sender: string
  readonly before: CallerRole | undefined
  readonly after: CallerRole | undefined
}

interface TopicRightsDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Pick<Directory, 'listTopics'>
  readonly roleOf: (sender: string) => Promise<CallerRole | undefined>
}

export interface TopicRights {
  /** Makes a change of who may write to a topic, or removes it. */
  changeSenders<T>(id: string, senders: { before: Senders; after: Senders }, make: () => Promise<T>): Promise<T>
  /** Who loses topics by another role: those that they may write to by the role before, and not by the one after. */
  lostBy(changes: readonly RightsOf[]): Promise<{ readonly sender: string; readonly tokens: readonly string[] }[]>
}

const may = (senders: Senders, owner: string, role: CallerRole | undefined) =>
  senders !== undefined && role !== undefined && mayWriteToTopic(senders, { owner, role })

export function createTopicRights(deps: TopicRightsDeps): TopicRights {
  /** Whoever may have something scheduled: those who are named, and where a role is no longer, all who have sent anything. */
  async function concerned(before: Senders, after: Senders): Promise<string[]> {
    const [old = [], now = []] = [before?.senders, after?.senders]
    const changed = [...old, ...now].filter((sender) => old.includes(sender) !== now.includes(sender))
    if (!changed.some((sender) => roles.includes(sender as Role))) return changed
    const senders = await Promise.all(
      shardNames(deps.shards).map((shard) => deps.redis.zrangebyscore(keys.senders(shard), '-inf', '+inf')),
    )
    return [...new Set([...senders.flat(), ...changed])]
  }

  return {
    async changeSenders(id, { before, after }, make) {
      const owners = await concerned(before, after)
      const token = `topic:${id}`
      // looked at each time: somebody may be given another role meanwhile
      async function losers(had: Senders, has: Senders): Promise<string[]> {
        const found = await Promise.all(owners.map((owner) => deps.roleOf(owner)))
        return owners.filter((owner, index) => may(had, owner, found[index]) && !may(has, owner, found[index]))
      }
      const bar = async () => Promise.all((await losers(before, after)).map((owner) => barTokens(deps, owner, [token])))
      await bar()
      const made = await make()
      await bar()
      await Promise.all((await losers(after, before)).map((owner) => unbarTokens(deps, owner, [token])))
      return made
    },

    async lostBy(changes) {
      const others = changes.filter(({ before, after }) => before !== after)
      if (others.length === 0) return []
      const topics = await deps.directory.listTopics()
      return others.flatMap(({ sender, before, after }) => {
        const lost = topics.filter((topic) => may(topic, sender, before) && !may(topic, sender, after))
        return lost.length === 0 ? [] : [{ sender, tokens: lost.map(({ id }) => `topic:${id}`) }]
      })
    },
  }
}
