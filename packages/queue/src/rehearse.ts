/** Whom a message would reach if it went out now: the same audience and the same contacts, and nothing is sent. */
import {
  packAudience,
  type RehearsalInput,
  type RehearsalView,
  readProcesses,
  smsPartsOf,
  unreachableReasons,
} from '@courier-fleet/core'
import type { Contact, Directory, Principal } from '@courier-fleet/directory'
import type { Redis } from 'ioredis'

type Reason = (typeof unreachableReasons)[number]
type Reach = RehearsalView['channels'][string]

const mostUnreachable = 1000
const atOnce = 1000

const reasonOf = (contact: Contact | undefined): Reason | undefined => {
  if (!contact) return 'no-contact'
  return contact.state === 'active' ? undefined : contact.state
}

export interface RehearseDeps {
  readonly redis: Redis
  readonly directory: Directory
}

/** @throws Problem 403 · 422 as sending would */
export async function rehearse(deps: RehearseDeps, input: RehearsalInput, by: Principal): Promise<RehearsalView> {
  const { people, named } = await deps.directory.expandCounted(input.to, by)
  const { reaches, reachable, unreachable } = await countReach(deps, people, input.channels)
  const names = await deps.directory.namesOf(unreachable.map(({ person }) => person))
  return {
    people: people.length,
    overlap: named - people.length,
    sha256: packAudience(people).sha256,
    channels: Object.fromEntries([...reaches].sort(([a], [b]) => (a < b ? -1 : 1))),
    reachable,
    unreachable: unreachable.map((row, index) => {
      const name = names[index]
      return name === undefined ? row : { ...row, name }
    }),
    ...(input.text === undefined ? {} : { text: textView(input.text, reaches.get('sms')?.reachable ?? 0) }),
  }
}

async function countReach({ redis, directory }: RehearseDeps, people: readonly string[], only?: readonly string[]) {
  const channels = new Set(only ?? (await channelsWithCouriers(redis)))
  // a channel that shows up late in the audience: nobody before had a contact there
  const counts = new Map<string, Map<Reason | 'reachable', number>>()
  const add = (channel: string, what: Reason | 'reachable') => {
    const count = counts.get(channel) ?? new Map()
    counts.set(channel, count.set(what, (count.get(what) ?? 0) + 1))
  }
  const missed: { person: string; reasons: Record<string, Reason> }[] = []
  let reachable = 0
  for (let from = 0; from < people.length; from += atOnce) {
    const some = people.slice(from, from + atOnce)
    const contacts = await directory.allContactsOf(some)
    for (const [index, own] of contacts.entries()) {
      const reasons: Record<string, Reason> = {}
      let reached = false
      for (const [channel, contact] of Object.entries(own)) {
        if (only && !channels.has(channel)) continue
        channels.add(channel)
        const reason = reasonOf(contact)
        add(channel, reason ?? 'reachable')
        if (reason) reasons[channel] = reason
        else reached = true
      }
      if (reached) reachable += 1
      else if (missed.length < mostUnreachable) missed.push({ person: some[index] as string, reasons })
    }
  }
  const reaches = new Map(
    [...channels].map((channel) => [channel, reachOf(people.length, counts.get(channel))] as const),
  )
  const unreachable = missed.map(({ person, reasons }) => ({
    person,
    channels: Object.fromEntries([...channels].sort().map((channel) => [channel, reasons[channel] ?? 'no-contact'])),
  }))
  return { reaches, reachable, unreachable }
}

/** Who was not counted on this channel has no contact there. */
function reachOf(people: number, count: Map<Reason | 'reachable', number> = new Map()): Reach {
  const counted = [...count.values()].reduce((sum, each) => sum + each, 0)
  const of = (what: Reason | 'reachable') => count.get(what) ?? 0
  const reasons = Object.fromEntries(unreachableReasons.map((reason) => [reason, of(reason)])) as Record<Reason, number>
  return { reachable: of('reachable'), ...reasons, 'no-contact': people - counted }
}

async function channelsWithCouriers(redis: Redis): Promise<string[]> {
  const processes = await readProcesses(redis)
  return processes.flatMap(({ channel }) => (channel === undefined ? [] : [channel]))
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function textView(text: string, reachableBySms: number): NonNullable<RehearsalView['text']> {
  const { encoding, parts } = smsPartsOf(text)
  let length = 0
  for (const _ of graphemes.segment(text)) length += 1
  return { length, sms: { encoding, parts: parts.length, total: parts.length * reachableBySms } }
}
