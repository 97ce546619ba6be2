/**
 * What senders have scheduled when they may send less than before: removed, demoted, a system without an API key, or no longer owning whom they write to. A mark in Redis has
 * wake.lua hold what was accepted until then. It is set before the change and again after it: a crash between leaves too much held,
 * which an operator can release, and never too little.
 */
import type { CallerRole, KeptRole } from '@courier-fleet/api-types'
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import { anyUser, barTokens, type LiveSettings, type Redis, rightsNow, unbarTokens } from '@courier-fleet/store'
import { changedBy, createHold, highest, powerOf, powers, requireOtherAdmin } from './hold-scheduled.ts'
import { createTopicRights, type TopicRights } from './topic-rights.ts'

export interface RoleOf {
  readonly sender: string
  /** absent: none */
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface OwnersOf {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** What is about to be done with the API keys of a sender. */
export interface OtherKeys {
  /** id of one that is not counted */
  readonly without?: string
  /** role of one that is counted besides */
  readonly and?: string
}

export interface SendingRights extends Pick<TopicRights, 'changeSenders'> {
  /** By which rights somebody sends: those of their role in the directory, else the highest of their API keys. */
  roleOf(sender: string, but?: OtherKeys): Promise<CallerRole | undefined>
  /**
   * Makes a change of whose role is which, and holds what those have scheduled who may send less by it.
   * @throws Problem 409 `last-admin` where nobody would be an administrator any more
   */
  change<T>(roles: readonly RoleOf[], make: () => Promise<T>): Promise<T>
  /** Makes a change of what roles may do, likewise. @param now what operators have made of them, before and after */
  changeRights<T>(now: { before: readonly KeptRole[]; after: readonly KeptRole[] }, make: () => Promise<T>): Promise<T>
  /**
   * Makes a change of the owners of a group or cohort, and holds what those who own it no more have scheduled for it; of a group also
   * what they have scheduled for single people, for these may be of it.
   */
  changeOwners<T>(token: string, owners: OwnersOf, make: () => Promise<T>): Promise<T>
  /** Takes somebody out of a group, and holds what its owners have scheduled for this person, unless they still may write to them. */
  takeOut<T>(person: string, owners: readonly string[], make: () => Promise<T>): Promise<T>
}

interface RightsDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Directory
  readonly apiKeys: ApiKeys
  readonly settings: Pick<LiveSettings, 'current' | 'look'>
}

export function createSendingRights(deps: RightsDeps): SendingRights {
  const { directory, apiKeys, settings } = deps
  const rights = async (role: string | undefined) => (role === undefined ? undefined : rightsNow(settings, role))

  async function roleOf(sender: string, { without, and }: OtherKeys = {}): Promise<CallerRole | undefined> {
    const person = await directory.findPerson(sender)
    if (person) return rights(person.role)
    const own = (await apiKeys.list()).filter(({ id, owner }) => owner === sender && id !== without)
    return highest(await Promise.all([...own.map(({ role }) => role), and].map(rights)))
  }

  /** Those who may write to nobody but whom they own. */
  async function boundAmong(senders: readonly string[]): Promise<string[]> {
    const roles = await Promise.all(senders.map((sender) => roleOf(sender)))
    return senders.filter((_sender, index) => powerOf(roles[index]) < powers.staff)
  }

  const barAll = (senders: readonly string[], tokens: readonly string[]) =>
    Promise.all(senders.map((sender) => barTokens(deps, sender, tokens)))

  async function mayWrite(sender: string, token: string): Promise<boolean> {
    const by = { owner: sender, role: (await roleOf(sender)) ?? 'student' }
    const [audience] = await directory.expandMany([[token]], by)
    return !(audience instanceof Error)
  }

  const topics = createTopicRights({ ...deps, roleOf })

  const hold = createHold(deps, topics)

  return {
    roleOf,

    changeSenders: topics.changeSenders,

    async change(named, make) {
      const changes = await Promise.all(
        named.map(async ({ sender, before, after }) => {
          return { sender, before: await rights(before), after: await rights(after) }
        }),
      )
      await requireOtherAdmin(deps, changes)
      return hold(changes, make)
    },

    async changeRights({ before, after }, make) {
      return hold(await changedBy(deps, before, after), make)
    },

    async changeOwners(token, { before, after }, make) {
      const losers = await boundAmong(before.filter((owner) => !after.includes(owner)))
      const tokens = token.startsWith('group:') ? [token, anyUser] : [token]
      await barAll(losers, tokens)
      const made = await make()
      await barAll(losers, tokens)
      const gainers = after.filter((owner) => !before.includes(owner))
      await Promise.all(gainers.map((owner) => unbarTokens(deps, owner, [token])))
      return made
    },

    async takeOut(person, owners, make) {
      const token = `user:${person}`
      const losers = await boundAmong(owners)
      await barAll(losers, [token])
      const made = await make()
      await barAll(losers, [token])
      for (const owner of losers) if (await mayWrite(owner, token)) await unbarTokens(deps, owner, [token])
      return made
    },
  }
}
