/**
 * Takes an import back: looked at first, then exactly that is done (decision 80). Some people at a time; of each the journal
 * forgets what was put back, so that taking back again does what is left, whatever ended it the first time.
 */
import { createHash } from 'node:crypto'
import { Problem } from '@courier-fleet/api-types'
import { bucketOf, keys, type Redis, redisNow } from '@courier-fleet/store'
import { createContactStore } from '../contact-store.ts'
import type { Contacts } from '../contacts.ts'
import type { Directory, RoleChange, TakeBackOptions, TakeBackReport } from '../directory.ts'
import { markGroup, readGroup } from '../groups.ts'
import { findInFull, readInFull } from '../person-record.ts'
import type { Stops } from '../stops.ts'
import { type Kept, keptOfLeaver, readKept } from './journal.ts'
import { type GroupsPlan, planGroups, takeBackGroups } from './take-back-groups.ts'
import { planPeople, type Step } from './take-back-plan.ts'

/** put back together: the journal forgets them when all of them are */
const chunkSize = 50
/** at once */
const lanes = 10

export interface TakeBackDeps {
  readonly redis: Redis
  readonly contacts: Pick<Contacts, 'restoreContact'>
  readonly stops: Pick<Stops, 'restoreStops'>
  readonly directory: Omit<Directory, 'importCsv' | 'knownOfImports' | 'listImports' | 'takeBackImport'>
}

type Callbacks = Required<Pick<TakeBackOptions, 'changeRoles' | 'removePerson' | 'takeOut' | 'changeOwners'>>

export function createTakeBack(deps: TakeBackDeps): Directory['takeBackImport'] {
  const { redis, directory } = deps
  return async (id, options = {}) => {
    const { dryRun = false, version, by, erased = new Set(), named = async () => new Set<string>() } = options
    const [facts, entries, at] = await Promise.all([
      redis.hgetall(keys.ofImport(id)),
      readKept(redis, id),
      redis.zscore(keys.imports, id),
    ])
    if (at === null || (Object.keys(facts).length === 0 && entries.length === 0)) throw unknownImport(id)
    const steps = await planPeople(redis, entries, { by, erased })
    const groups = await planGroups(redis, directory, facts, steps)
    const newcomers = steps.filter(({ what, why }) => what === 'removed' && why === undefined)
    const used = await named(
      newcomers.map((step) => step.id),
      Number(at),
    )
    const report = reportOf(id, steps, groups, used)
    const wanted = versionOf(steps, groups)
    if (dryRun) return { ...report, version: wanted }
    if (version === undefined) throw nobodyHasLooked()
    // of one that was cut off: whoever repeats it has looked
    if (version !== wanted && version !== facts.version) throw stale()
    await redis.hset(keys.ofImport(id), 'version', version)
    const doing = steps.filter(({ why }) => why === undefined)
    for (let from = 0; from < doing.length; from += chunkSize) {
      const chunk = doing.slice(from, from + chunkSize)
      await putBack(deps, chunk, { ...justDo(directory), ...options }, used)
      await redis.hdel(keys.importPeople(id), ...chunk.map((step) => step.id))
    }
    await takeBackGroups(redis, directory, groups)
    await redis.hset(keys.ofImport(id), 'taken-back', await redisNow(redis, keys.ofImport(id)))
    await redis.hdel(keys.ofImport(id), 'version')
    return report
  }
}

/** What goes with people who are removed, for the journal. */
export function createKeptOfLeavers({ redis, directory }: Pick<TakeBackDeps, 'redis' | 'directory'>) {
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, Kept>> => {
    const [people, contacts, within] = await Promise.all([
      findInFull(redis, ids),
      createContactStore(redis).getAll(ids),
      directory.listGroups().then((groups) =>
        directory.groupsAmong(
          groups.map(({ id }) => id),
          ids,
        ),
      ),
    ])
    const kept = new Map<string, Kept>()
    for (const [index, person] of people.entries()) {
      if (!person) continue
      const [topics, wishes, stops] = await Promise.all([
        directory.topicsOf(person.id),
        directory.wishesOf(person.id),
        directory.stopsOf(person.id),
      ])
      const others = { groups: within[index] ?? [], topics, wishes, stops }
      kept.set(person.id, keptOfLeaver(person, contacts[index] ?? {}, others))
    }
    return kept
  }
}

async function putBack(deps: TakeBackDeps, steps: readonly Step[], by: Callbacks, used: ReadonlySet<string>) {
  const { redis, directory } = deps
  for (const { id, kept } of steps) for (const token of kept.owns ?? []) await disown(redis, token, id, by)
  const removed = steps.filter(({ what }) => what === 'removed')
  await inLanes(removed, ({ id }) => by.removePerson(id, { isFreed: !used.has(id) }))
  const others = steps.filter(({ what }) => what !== 'removed')
  const restored = others.filter(({ what }) => what === 'restored')
  await inLanes(restored, async ({ id, kept }) => {
    for (const group of kept.groups ?? []) {
      const found = readGroup(group, await redis.hgetall(keys.group(group)))
      if (found) await by.takeOut(id, found.owners, () => directory.removeMembers(group, [id]))
    }
  })
  await by.changeRoles(others.flatMap(roleChangeOf), () => inLanes(others, (step) => putPersonBack(deps, step)))
}

/** Order: STOPs, record, contacts, groups, topics, wishes. The journal has them until all is done. */
async function putPersonBack(
  { redis, directory, contacts, stops }: TakeBackDeps,
  { id, what, kept }: Step,
): Promise<void> {
  const before = kept.record?.[0]
  await stops.restoreStops(id, kept.stops ?? {})
  if (before) await directory.putPerson(readInFull(id, before), { isReturning: what === 'returned' })
  for (const [channel, [contact]] of Object.entries(kept.contacts ?? {})) {
    await contacts.restoreContact(channel, id, contact)
  }
  if (what !== 'returned') return
  for (const group of kept.groups ?? []) await directory.addMembers(group, [id])
  for (const topic of kept.topics ?? []) await directory.joinTopic(topic, id, { isInvited: true })
  const { wishes } = kept
  const isNone = (now: typeof wishes) => now?.off.length === 0 && now.quiet === undefined
  if (wishes) await directory.changeWishes(id, (now) => (isNone(now) ? wishes : now))
  await redis.srem(keys.removedPeople(bucketOf(id)), id)
}

async function disown(redis: Redis, token: string, person: string, { changeOwners }: Callbacks): Promise<void> {
  const [kind = '', id = ''] = token.split(':')
  const key = kind === 'group' ? keys.group(id) : keys.cohort(id)
  const before = readGroup(id, await redis.hgetall(key))
  if (!before?.owners.includes(person)) return
  const after = before.owners.filter((owner) => owner !== person)
  await changeOwners(token, { before: before.owners, after }, async () => {
    await redis.hset(key, 'owners', after.join(' '))
    await markGroup(redis, kind as 'group' | 'cohort', id)
  })
}

function roleChangeOf({ id, kept: { record } }: Step): RoleChange[] {
  if (!record?.[0]) return []
  const { role: after } = readInFull(id, record[0])
  const before = record[1] === null ? undefined : readInFull(id, record[1]).role
  const isTold = before === undefined ? after !== 'student' : before !== after
  return isTold ? [{ person: id, before, after }] : []
}

const justDo = (directory: TakeBackDeps['directory']): Callbacks => ({
  changeRoles: (_changes, write) => write(),
  removePerson: directory.deletePerson,
  takeOut: (_person, _owners, make) => make(),
  changeOwners: (_token, _owners, make) => make(),
})

/** Fails once all lanes have stopped: nothing goes on behind an answer. */
async function inLanes<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = all.values()
  const errors: unknown[] = []
  const lane = async () => {
    for (const one of left) {
      await work(one).catch((error: unknown) => errors.push(error))
      if (errors.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  if (errors.length > 0) throw errors[0]
}

function reportOf(id: string, steps: readonly Step[], groups: GroupsPlan, used: ReadonlySet<string>): TakeBackReport {
  const lines = steps
    .filter(({ isGone }) => !isGone)
    .map(({ kept: _kept, isGone: _isGone, ...line }) => (used.has(line.id) ? { ...line, isUsed: true as const } : line))
  const count = (what: Step['what']) => lines.filter((line) => line.what === what && line.why === undefined).length
  return {
    id,
    removed: count('removed'),
    restored: count('restored'),
    returned: count('returned'),
    refused: lines.filter(({ why }) => why !== undefined).length,
    people: lines,
    groups: groups.gone,
    staying: groups.stay,
  }
}

/** Stands for all that is done, and for whom nothing is done. */
const versionOf = (steps: readonly Step[], groups: GroupsPlan) =>
  createHash('sha256')
    .update(JSON.stringify([steps, groups]))
    .digest('base64url')

const unknownImport = (id: string) =>
  new Problem(404, 'unknown-resource', `there is no import "${id}" that can be taken back: they are kept for a week`)

const nobodyHasLooked = () =>
  new Problem(428, 'version-needed', 'taking back is looked at first: ask with dryRun=true, and name its version')

const stale = () =>
  new Problem(412, 'stale-roster', 'what taking back would do is not what was looked at: somebody has changed it since')
