/**
 * Applications of people who want to be put into the list: kept once their contact is proved, until they are decided or have lapsed.
 * What was decided stays for as long without its name and contact, for the applicant to look at.
 */
import { Problem } from '@courier-fleet/api-types'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'
import { flagReply } from './replies.ts'
import { asProblem, defineScript } from './script.ts'

export interface Applicant {
  readonly name: string
  /** id of the group whose link was followed; empty: none was */
  readonly group: string
  /** the group in the words of the applicant; empty where a link named it */
  readonly wish: string
  readonly language: 'ru' | 'en'
  readonly channel: string
  /** in its stored form */
  readonly address: string
  /** id of the wording by which they agree to be written to */
  readonly wording: string
  /** Unix ms: when the contact was proved */
  readonly atMs: number
}

export type Application = {
  readonly id: string
  /** Unix ms: from then on there is none */
  readonly untilMs: number
} & (
  | { readonly state: 'open'; readonly applicant: Applicant }
  /** the person is being put into the list; who crashes there goes on by accepting again */
  | { readonly state: 'accepting'; readonly applicant: Applicant; readonly into: string }
  | { readonly state: 'accepted' }
  | { readonly state: 'refused'; readonly answer: string }
)

/** Who somebody will be: accepting an application again makes nobody else. */
export const personOfApplication = (id: string): string => `a-${id}`

/** Of one group, and of those that name none by a link; and of all. */
const maxOpen = { group: 200, all: 1000 } as const

const keepScript = defineScript('keep-application', {
  keys: ['applications'],
  args: ['id', 'application', 'ofGroup', 'inAll'],
  reply: flagReply,
})
const decideScript = defineScript('decide-application', {
  keys: ['applications'],
  args: ['id', 'before', 'after'],
  reply: flagReply,
})
const names = { applications: keys.applications }

/** @returns false where there was one of this id, whatever has become of it. @throws Problem 429 `too-many-applications` */
export function keepApplication(redis: Redis, application: Application): Promise<boolean> {
  const args = { id: application.id, application: JSON.stringify(application), ofGroup: maxOpen.group }
  return asProblem(keepScript(redis, names, { ...args, inAll: maxOpen.all }), { FULL: [429, 'too-many-applications'] })
}

/** @throws Problem 409 `application-decided` where it is another by now */
export async function decideApplication(redis: Redis, before: Application, after: Application): Promise<void> {
  const args = { id: before.id, before: JSON.stringify(before), after: JSON.stringify(after) }
  if (await decideScript(redis, names, args)) return
  throw new Problem(409, 'application-decided', `somebody has decided "${before.id}" meanwhile`, 'id')
}

export async function readApplication(redis: Redis, id: string, nowMs: number): Promise<Application | undefined> {
  const found = await redis.hget(keys.applications, id)
  const application = found === null ? undefined : (JSON.parse(found) as Application)
  return application && application.untilMs > nowMs ? application : undefined
}

/** All there are, the oldest first; what has lapsed is taken out. */
export async function readApplications(redis: Redis, nowMs: number): Promise<Application[]> {
  const all = Object.values(await redis.hgetall(keys.applications)).map((text) => JSON.parse(text) as Application)
  const lapsed = all.filter(({ untilMs }) => untilMs <= nowMs)
  if (lapsed.length > 0) await redis.hdel(keys.applications, ...lapsed.map(({ id }) => id))
  return all.filter(({ untilMs }) => untilMs > nowMs).sort((one, other) => one.untilMs - other.untilMs)
}
