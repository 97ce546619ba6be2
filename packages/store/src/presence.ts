/**
 * Messages that go out when people are online. Three steps, each one script or command in one slot; README.md of lua/ says what a crash
 * between two of them leaves:
 *
 *   take   in the person's slot: what is soonest due of all that waits for them, or, of a message that falls due, a report not yet used
 *   call   in the message's slot: it waits for them no more, on any channel
 *   done   in the person's slot: it leaves their list
 */
import { type HistoryRef, memberOf, refOfMember } from '@courier-fleet/api-types'
import { nanoid } from 'nanoid'
import { bucketOf } from './buckets.ts'
import type { Redis } from './connection/client.ts'
import { shardOfTag, tagOf, tagOfBucket } from './hash-tags.ts'
import { keys } from './keys.ts'
import { flagReply, listReply, textReply } from './replies.ts'
import { defineScript } from './script.ts'

/** people of one call: Redis does nothing else meanwhile */
const maxPeople = 200
/** What was called off is taken from somebody's list in the same report, so many of them at most. */
const maxRounds = 20

const awaitScript = defineScript('await-online', {
  keys: ['people'],
  args: ['tag', 'message', 'due', 'expires', 'intervalMs'],
  reply: listReply(flagReply),
})
const takeScript = defineScript('take-online', {
  keys: ['people'],
  args: ['tag', 'report', 'intervalMs'],
  reply: listReply(textReply),
})
const callScript = defineScript('call-online', {
  keys: ['history', 'due'],
  args: ['message', 'tag'],
  reply: listReply(textReply),
})

/** A message that waits for people, as their lists name it. */
export interface AwaitingMessage {
  readonly ref: HistoryRef
  readonly dueMs: number
  readonly expiresMs: number
  /** as the history has it: `<ms>-<n>` */
  readonly accepted: string
}

interface Awaited {
  readonly person: string
  readonly ordinal: number
}

/**
 * Of a message that is due, who was reported online a moment ago and is called; everyone else waits from now on. Safe to repeat.
 * @param intervalMs between one who is called and the next of the same person. @returns for each whether they are called
 */
export async function awaitOnline(
  redis: Redis,
  message: AwaitingMessage,
  people: readonly Awaited[],
  intervalMs: number,
): Promise<boolean[]> {
  const name = nameOf(message)
  const called = new Array<boolean>(people.length).fill(false)
  const { dueMs: due, expiresMs: expires } = message
  await Promise.all(
    inBuckets(people, ({ person }) => person).map(async ([bucket, rows]) => {
      const more = rows.flatMap((row) => [(people[row] as Awaited).person, (people[row] as Awaited).ordinal])
      const args = { tag: tagOfBucket(bucket), message: name, due, expires, intervalMs }
      const answers = await awaitScript(redis, { people: keys.people(bucket) }, args, more)
      for (const [index, row] of rows.entries()) called[row] = answers[index] === true
    }),
  )
  const present = people.filter((_each, row) => called[row])
  await callOnline(
    redis,
    message.ref,
    present.map(({ ordinal }) => ordinal),
  )
  await done(
    redis,
    present.map(({ person, ordinal }) => ({ person, member: `${name} ${ordinal}` })),
  )
  return called
}

/**
 * These are online now: of each what is soonest due of all that waits for that goes out, one message a report, and the next no sooner
 * than `intervalMs` later. Whom nobody knows is passed over.
 */
export async function reportOnline(redis: Redis, people: readonly string[], intervalMs: number): Promise<void> {
  const report = nanoid(12)
  let open: readonly Taken[] = [...new Set(people)].map((person) => ({ person, member: '' }))
  for (let round = 0; round < maxRounds && open.length > 0; round += 1) {
    const taken = await take(redis, open, { report, intervalMs })
    const isCalled = await callTaken(redis, taken)
    await done(redis, taken)
    open = taken.filter((_each, row) => !isCalled[row])
  }
}

/**
 * Of a message that waits for nobody's presence any more, or not for theirs.
 * @returns for each whether it goes out to them by that, or did before; false where there is nothing for them to wait for
 */
export async function callOnline(redis: Redis, ref: HistoryRef, ordinals: readonly number[]): Promise<boolean[]> {
  const sorted = [...ordinals].sort((one, other) => one - other)
  const known = new Map<number, boolean>()
  for (let at = 0; at < sorted.length; at += maxPeople) {
    const runs = runsOf(sorted.slice(at, at + maxPeople))
    const where = { history: keys.history(ref), due: keys.due(ref.shard) }
    const answers = await callScript(redis, where, { message: memberOf(ref), tag: tagOf(ref.shard) }, runs.flat())
    for (const [index, [first]] of runs.entries())
      for (const [offset, answer] of [...(answers[index] ?? '')].entries()) known.set(first + offset, answer !== '0')
  }
  return ordinals.map((ordinal) => known.get(ordinal) === true)
}

interface Taken {
  readonly person: string
  readonly member: string
}

/** @param open each with what this report has found to be over */
async function take(redis: Redis, open: readonly Taken[], args: { report: string; intervalMs: number }) {
  const taken: Taken[] = []
  await Promise.all(
    inBuckets(open, ({ person }) => person).map(async ([bucket, rows]) => {
      const own = rows.map((row) => open[row] as Taken)
      const asked = own.flatMap(({ person, member }) => [person, member])
      const tag = tagOfBucket(bucket)
      const members = await takeScript(redis, { people: keys.people(bucket) }, { ...args, tag }, asked)
      for (const [index, member] of members.entries())
        if (member !== '') taken.push({ person: (own[index] as Taken).person, member })
    }),
  )
  return taken
}

async function callTaken(redis: Redis, taken: readonly Taken[]): Promise<boolean[]> {
  const messages = new Map<string, number[]>()
  for (const [row, { member }] of taken.entries()) {
    const name = member.slice(0, member.lastIndexOf(' '))
    messages.set(name, [...(messages.get(name) ?? []), row])
  }
  const isCalled = new Array<boolean>(taken.length).fill(false)
  await Promise.all(
    [...messages.values()].map(async (rows) => {
      const ordinals = rows.map((row) => ordinalOf(taken[row] as Taken))
      const answers = await callOnline(redis, refOf(taken[rows[0] as number] as Taken), ordinals)
      for (const [index, row] of rows.entries()) isCalled[row] = answers[index] === true
    }),
  )
  return isCalled
}

/** A command for each, all in one round trip. */
const done = async (redis: Redis, taken: readonly Taken[]): Promise<void> => {
  await Promise.all(taken.map(({ person, member }) => redis.zrem(keys.waitingOnline(bucketOf(person), person), member)))
}

/** Of two that were due at once the one that was accepted first has the lesser name. */
function nameOf({ ref, expiresMs, accepted }: AwaitingMessage): string {
  const [ms = '', n = '0'] = accepted.split('-')
  return `${ms}-${n.padStart(6, '0')} ${expiresMs} ${tagOf(ref.shard)} ${memberOf(ref)}`
}

const ordinalOf = ({ member }: Taken) => Number(member.slice(member.lastIndexOf(' ') + 1))

/** @throws RangeError where Redis holds what nobody has written */
function refOf({ member }: Taken): HistoryRef {
  const [, , tag = '', message = ''] = member.split(' ')
  const shard = shardOfTag(tag)
  if (shard === undefined) throw new RangeError(`there is no shard with the tag "${tag}"`)
  return refOfMember(shard, message)
}

/** @returns first ordinal, and ordinal after the last, of neighbours */
function runsOf(sorted: readonly number[]): [first: number, after: number][] {
  const runs: [number, number][] = []
  for (const ordinal of sorted) {
    const last = runs.at(-1)
    if (last && ordinal <= last[1]) last[1] = ordinal + 1
    else runs.push([ordinal, ordinal + 1])
  }
  return runs
}

/** Where in the list the people of each bucket stand, as many as a call takes. */
function inBuckets<T>(people: readonly T[], personOf: (each: T) => string): [bucket: number, rows: number[]][] {
  const buckets = new Map<number, number[]>()
  for (const [row, each] of people.entries()) {
    const bucket = bucketOf(personOf(each))
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), row])
  }
  return [...buckets].flatMap(([bucket, rows]) => {
    const calls: [number, number[]][] = []
    for (let at = 0; at < rows.length; at += maxPeople) calls.push([bucket, rows.slice(at, at + maxPeople)])
    return calls
  })
}
