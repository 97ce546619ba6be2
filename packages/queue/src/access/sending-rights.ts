/**
 * What senders have scheduled when they may send less than before: removed, demoted, without their API key, or no longer owning whom they write to. A mark in Redis has
 * wake.lua hold what was accepted until then. It is set before the change and again after it: a crash between leaves too much held,
 * which an operator can release, and never too little.
 */
import { type CallerRole, type Role, roles } from '@courier-fleet/api-types'
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import { anyUser, barSender, barTokens, type Redis, unbarSender, unbarTokens } from '@courier-fleet/store'
import { createTopicRights, type TopicRights } from './topic-rights.ts'

/** To whom one may write: to nobody, to whom one owns, to everyone. */
const powers: Readonly<Record<CallerRole, number>> = {
  student: 0,
  inbound: 0,
  presence: 0,
  trainer: 1,
  staff: 2,
  operator: 2,
  admin: 2,
}

export interface RoleOf {
  readonly sender: string
  /** absent: none */
  readonly before: CallerRole | undefined
  readonly after: CallerRole | undefined
}

export interface OwnersOf {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface SendingRights extends Pick<TopicRights, 'changeSenders'> {
  /** The role by which somebody sends: that of the directory, else the highest of their API keys. @param without an API key that is not counted */
  roleOf(sender: string, without?: string): Promise<CallerRole | undefined>
  /** Makes a change of roles, and holds what those have scheduled who may send less by it. */
  change<T>(roles: readonly RoleOf[], make: () => Promise<T>): Promise<T>
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
}

const powerOf = (role: CallerRole | undefined) => (role === undefined ? 0 : powers[role])

export function createSendingRights(deps: RightsDeps): SendingRights {
  const { directory, apiKeys } = deps

  async function roleOf(sender: string, without?: string): Promise<CallerRole | undefined> {
    const person = await directory.findPerson(sender)
    if (person) return person.role
    const own = (await apiKeys.list()).filter(({ id, owner }) => owner === sender && id !== without)
    return own.map(({ role }) => role).sort((one, other) => powers[other] - powers[one])[0]
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

  /** Who may write to as many as before, but not to a topic that is for those of a higher role. */
  async function withoutTopics(changes: readonly RoleOf[]): Promise<{ sender: string; tokens: string[] }[]> {
    const lower = changes.flatMap(({ sender, before, after }) => {
      const isLower = before && after && roles.indexOf(after as Role) < roles.indexOf(before as Role)
      return isLower && powerOf(after) > 0 && powerOf(after) === powerOf(before) ? [{ sender, before, after }] : []
    })
    return Promise.all(
      lower.map(async ({ sender, before, after }) => ({ sender, tokens: await topics.lostBy(sender, before, after) })),
    )
  }

  return {
    roleOf,

    changeSenders: topics.changeSenders,

    async change(changes, make) {
      const less = changes.filter(({ before, after }) => powerOf(after) < powerOf(before))
      const more = changes.filter(({ before, after }) => powerOf(after) > powerOf(before))
      const without = (await withoutTopics(changes)).filter(({ tokens }) => tokens.length > 0)
      const bar = () =>
        Promise.all([
          ...less.map(({ sender, before }) => barSender(deps, sender, powerOf(before))),
          ...without.map(({ sender, tokens }) => barTokens(deps, sender, tokens)),
        ])
      await bar()
      const made = await make()
      await bar()
      await Promise.all(more.map(({ sender, after }) => unbarSender(deps, sender, powerOf(after))))
      return made
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
