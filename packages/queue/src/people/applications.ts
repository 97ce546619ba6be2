/**
 * Somebody who is not in the list asks to be put into it. The states, and what a crash leaves, stand in
 * docs/decisions/0094-applying-oneself.md; what is kept, and how many, in applications.ts of the store.
 */
import { randomBytes } from 'node:crypto'
import { agreementText, Problem } from '@courier-fleet/api-types'
import {
  type Applicant,
  type Application,
  decideApplication,
  keepApplication,
  personOfApplication,
  readApplication,
  readApplications,
} from '@courier-fleet/store'
import { byCaller } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import { unknown } from '../http/unknown.ts'
import type { Enrolment } from './enrolments.ts'

/** What somebody has written into the page, before their contact is proved. */
export type Asked = Pick<Applicant, 'name' | 'group' | 'wish' | 'language' | 'channel'>

const lifeMs = 14 * 86_400_000
/** No id of a person begins so: a code of this holder is of an application. */
const mark = 'apply:'

/** Nothing is kept but the code, which carries what was written, and lapses. */
export async function ask(
  { enrolments }: Pick<RouteDeps, 'enrolments'>,
  asked: Asked,
): Promise<Enrolment & { readonly id: string }> {
  const id = randomBytes(6).toString('hex')
  const carried = Buffer.from(JSON.stringify({ id, ...asked })).toString('base64url')
  return { id, ...(await enrolments.issue(mark + carried, asked.channel)) }
}

/** Of whom a code is issued to. @returns undefined where that is a person */
export function askedBy(holder: string): (Asked & { readonly id: string }) | undefined {
  if (!holder.startsWith(mark)) return undefined
  return JSON.parse(Buffer.from(holder.slice(mark.length), 'base64url').toString())
}

/**
 * The contact has typed the code: from now on the office sees it. It may be typed again, as long as nothing is decided.
 * @returns whether it is open now. @throws Problem 429 `too-many-applications`
 */
export async function open(
  { redis, clock }: RouteDeps,
  { id, ...asked }: Asked & { readonly id: string },
  address: string,
): Promise<boolean> {
  const atMs = clock.now()
  const applicant = { ...asked, address, wording: agreementText('application', asked.language).id, atMs }
  await keepApplication(redis, { id, untilMs: atMs + lifeMs, state: 'open', applicant })
  return (await readApplication(redis, id, atMs))?.state === 'open'
}

export type Waiting = Extract<Application, { applicant: Applicant }>

const isWaiting = (application: Application): application is Waiting => 'applicant' in application

/** Those that the office has to decide, the oldest first. */
export async function waiting({ redis, clock }: RouteDeps): Promise<Waiting[]> {
  return (await readApplications(redis, clock.now())).filter(isWaiting)
}

async function find({ redis, clock }: RouteDeps, id: string): Promise<Waiting> {
  const found = await readApplication(redis, id, clock.now())
  return found && isWaiting(found) ? found : unknown('application', id)
}

/**
 * Puts the person into the list, with the contact that they have proved. Each step may be repeated, and the application stays until all are done.
 * @param into the group; that of the link when absent
 * @throws Problem 404 `unknown-application` `unknown-group` · 409 `address-taken` `application-decided`
 */
export async function accept(deps: RouteDeps, caller: Caller, id: string, into?: string): Promise<string> {
  const { redis, directory, sendingRights, linkContact, systemMessages, background, audit } = deps
  const found = await find(deps, id)
  const { applicant } = found
  const group = found.state === 'accepting' ? found.into : (into ?? applicant.group)
  if (!(await directory.getGroup(group))) unknown('group', group)
  const person = personOfApplication(id)
  const holder = await directory.personOf(applicant.channel, applicant.address)
  if (holder !== undefined && holder !== person)
    throw new Problem(409, 'address-taken', `this contact is linked to "${holder}"`, 'id')
  const { untilMs } = found
  const begun: Application = { id, untilMs, state: 'accepting', applicant, into: group }
  if (found.state === 'open') await decideApplication(redis, found, begun)
  const { name, language, channel, address, wording, atMs } = applicant
  const role = { sender: person, before: await sendingRights.roleOf(person), after: 'student' as const }
  const { timeZone } = deps.rules
  await sendingRights.change([role], () =>
    directory.putPerson({ id: person, name, role: 'student', timeZone, language }),
  )
  await directory.addMembers(group, [person])
  const agreed = { by: 'application', wording, at: atMs } as const
  const { by, via } = byCaller(caller)
  await linkContact(channel, person, address, { by, via, consents: true, agreed })
  await audit.write({ action: 'application.accepted', by, via, person, channel, detail: `group:${group}` })
  await decideApplication(redis, begun, { id, untilMs, state: 'accepted' })
  const accepted = { id: person, name, role: 'student', timeZone, language } as const
  background.run(systemMessages.tellAccepted(accepted), 'could not tell of an application')
  return person
}

/** @param answer for the applicant, who reads it on their page. @throws Problem 404 `unknown-application` · 409 `application-decided` */
export async function refuse(deps: RouteDeps, caller: Caller, id: string, answer: string): Promise<void> {
  const found = await find(deps, id)
  if (found.state !== 'open')
    throw new Problem(409, 'application-decided', 'it is being accepted: accept it once more', 'id')
  const { channel } = found.applicant
  await decideApplication(deps.redis, found, { id, untilMs: found.untilMs, state: 'refused', answer })
  await deps.audit.write({ action: 'application.refused', ...byCaller(caller), channel, detail: id })
}
