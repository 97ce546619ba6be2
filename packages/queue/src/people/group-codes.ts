/** Codes for the people of a group, made all at once: each good for days, once, for one person. */
import { type GroupCode, type GroupCodesAsked, type GroupCodesView, Problem } from '@courier-fleet/api-types'
import { channels, findChannel } from '@courier-fleet/channels'
import type { Contact, Person } from '@courier-fleet/directory'
import { byCaller } from '../access/audit.ts'
import { mayEnrol, requireRole } from '../access/auth.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import { enrolmentLinkSigner } from './enrolment-link.ts'
import { enrolmentWays } from './enrolment-way.ts'
import { readableGroup } from './readable-group.ts'

const dayMs = 86_400_000
const atOnce = 100

export interface GroupCodes extends GroupCodesView {
  readonly groupName: string
  /** of those who have a code, in order */
  readonly people: readonly Person[]
}

/** @throws Problem 404 `unknown-group` · 403 `not-your-group` `not-allowed` · 422 `unknown-channel` · 429 `too-many-codes` */
export async function makeGroupCodes(
  deps: RouteDeps,
  caller: Caller,
  id: string,
  { channel, days, again }: GroupCodesAsked,
): Promise<GroupCodes> {
  const { directory, rateLimits, audit, clock } = deps
  const group = await readableGroup(directory, caller, id)
  if (again) requireRole(caller, 'operator')
  requireInbound(channel)
  await rateLimits.count('group-codes', caller.owner)
  const { chosen, linked, others } = await choose(deps, caller, id, { channel, again })
  const lifeMs = days * dayMs
  const expiresMs = clock.now() + lifeMs
  const [codes, to] = await issue(deps, chosen, { channel, lifeMs, expiresMs })
  const whom = chosen.map(({ person }) => person.id).join(' ')
  const about = { ...byCaller(caller), channel, detail: `group:${id}` }
  if (whom !== '') await audit.write({ action: 'enrolment.issued', ...about, after: whom })
  return {
    group: id,
    groupName: group.name,
    channel,
    expiresAt: new Date(expiresMs).toISOString(),
    ...(to === undefined ? {} : { to }),
    codes,
    linked,
    others,
    people: chosen.map(({ person }) => person),
  }
}

function requireInbound(channel: string): void {
  if (findChannel(channel)?.inbound) return
  const known = channels.filter(({ inbound }) => inbound).map(({ name }) => name)
  throw new Problem(
    422,
    'unknown-channel',
    `codes are taken on ${known.join(', ')}, and not on "${channel}"`,
    'channel',
  )
}

interface Chosen {
  readonly person: Person
  readonly contact: Contact | undefined
}

async function choose(
  { directory }: RouteDeps,
  caller: Caller,
  group: string,
  { channel, again }: { readonly channel: string; readonly again: boolean },
): Promise<{ chosen: Chosen[]; linked: number; others: number }> {
  const ids = await directory.membersOf(group)
  const [people, contacts] = await Promise.all([directory.findPeople(ids), directory.contactsOf(channel, ids)])
  const known = ids.flatMap((_id, index) => {
    const person = people[index]
    return person ? [{ person, contact: contacts[index] }] : []
  })
  const allowed = known.filter(({ person }) => mayEnrol(directory, caller, person))
  const chosen = allowed.filter(({ contact }) => again || !contact)
  chosen.sort(
    (one, other) => one.person.name.localeCompare(other.person.name) || (one.person.id < other.person.id ? -1 : 1),
  )
  return { chosen, linked: allowed.length - chosen.length, others: known.length - allowed.length }
}

async function issue(
  { redis, enrolments, rules }: RouteDeps,
  chosen: readonly Chosen[],
  { channel, lifeMs, expiresMs }: { readonly channel: string; readonly lifeMs: number; readonly expiresMs: number },
): Promise<[codes: GroupCode[], to: string | undefined]> {
  const [ways, sign] = await Promise.all([enrolmentWays(redis, channel), enrolmentLinkSigner(redis)])
  const { publicUrl } = rules
  async function codeOf({ person, contact }: Chosen): Promise<GroupCode> {
    const code = await enrolments.issueLasting(person.id, channel, contact, lifeMs)
    return {
      person: person.id,
      name: person.name,
      code,
      ...(ways ? { url: ways.urlOf(code) } : {}),
      ...(publicUrl === undefined ? {} : { link: `${publicUrl}/e/${sign({ channel, code, expiresMs })}` }),
    }
  }
  const codes: GroupCode[] = []
  for (let from = 0; from < chosen.length; from += atOnce)
    codes.push(...(await Promise.all(chosen.slice(from, from + atOnce).map(codeOf))))
  return [codes, ways?.to]
}
