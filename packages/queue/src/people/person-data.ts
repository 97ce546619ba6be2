/** All that is known of one person: what they are given when they ask for it. */
import { type AuditLine, historyKeyOf, type PersonData } from '@courier-fleet/api-types'
import { type PersonInFull, shownContacts } from '@courier-fleet/directory'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import { personReceipts } from '../histories/person-receipts.ts'
import { unknown } from '../http/unknown.ts'
import { viewOf } from '../subscriptions/subscription-views.ts'
import { personDiary } from './person-diary.ts'

const sentAtOnce = 500
const linesAtOnce = 1000
const iso = (ms: number) => new Date(ms).toISOString()

/** @param toMs of the page before; absent: the first page, which has more than messages */
export async function personData(
  deps: RouteDeps,
  person: PersonInFull,
  caller: Caller,
  toMs: number | undefined,
): Promise<PersonData> {
  const { messages, next } = await personReceipts(deps.histories, person, {
    fromMs: 0,
    toMs: toMs ?? Number.MAX_SAFE_INTEGER,
  })
  const page = { messages, ...(next === undefined ? {} : { next }) }
  return toMs === undefined ? { ...(await ofPerson(deps, person, caller)), ...page } : page
}

async function ofPerson(deps: RouteDeps, person: PersonInFull, caller: Caller): Promise<Omit<PersonData, 'messages'>> {
  const { id } = person
  const { redis, settings, directory, sessions, subscriptions, clock } = deps
  const [details, { off, quiet }, stops, { entries }, listed, followed, sent, audit] = await Promise.all([
    directory.getPerson(id),
    directory.wishesOf(id),
    directory.stopsOf(id),
    personDiary(redis, settings.current(), person, caller),
    sessions.list(id),
    subscriptions.list(id),
    sentBy(deps, id),
    linesOf(deps, id),
  ])
  return {
    person: details ? { ...details, contacts: shownContacts(details) } : unknown('person', id),
    wishes: { off, ...(quiet === undefined ? {} : { quiet }) },
    stops: Object.entries(stops).map(([channel, since]) => ({ channel, since: iso(since) })),
    diary: entries,
    sessions: listed.map(({ id: session, openedMs, expiresMs }) => ({
      id: session,
      openedAt: iso(openedMs),
      expiresAt: iso(expiresMs),
    })),
    subscriptions: followed.map((each) => viewOf(each, clock.now())),
    sent,
    audit,
  }
}

async function sentBy({ histories }: RouteDeps, person: string): Promise<NonNullable<PersonData['sent']>> {
  const sent: NonNullable<PersonData['sent']> = []
  let before: number | undefined = Number.MAX_SAFE_INTEGER
  while (before !== undefined) {
    const window = await histories.list(person, before, sentAtOnce)
    const refs = window.found.map(({ ref }) => ref)
    const glances = await histories.glances(refs, { withText: true })
    for (const [index, { ref, at }] of window.found.entries())
      sent.push({ key: historyKeyOf(ref), acceptedAt: iso(at), text: glances[index]?.text ?? '' })
    before = window.next
  }
  return sent
}

/** What they did, and what was done about them. */
async function linesOf({ audit }: RouteDeps, id: string): Promise<AuditLine[]> {
  const found: AuditLine[] = []
  let before: string | undefined
  do {
    const { lines, next }: { lines: AuditLine[]; next?: string | undefined } = await audit.read(before, linesAtOnce)
    found.push(...lines.filter(({ by, person }) => by === id || person === id))
    before = next
  } while (before !== undefined)
  return found
}
