/**
 * Erasing a person: a job in Redis, which any process of the queue goes on with until nothing of them is left but counts.
 *
 *   asked     the job names the person, what they are called and their addresses: what is looked for; those they have linked since are added
 *   removed   from the directory, with sessions, API keys and subscriptions: nobody finds them from now on
 *   again     out of the directory once more before each walk: a list or a call that had looked before the removal may have put them back, or made them a key
 *   walked    all keys are looked through, again and again, until a walk finds nothing. What was under way at the removal is over
 *             by then: a call that was let in, a batch a courier has decided on; and systems that follow them have been told that they are
 *             gone, if they take it: until then what notifiers tell it by is left alone
 *   over      their id may be given again, the audit says that somebody was erased, and the job is gone
 *
 * Each step may be repeated from its beginning; so a process that dies leaves the job to the next, and nothing half done.
 */
import { randomUUID } from 'node:crypto'
import type { ErasureInput, ErasureView } from '@courier-fleet/api-types'
import { type ApiKeys, addressesOf, type Directory, type Person } from '@courier-fleet/directory'
import { atMost, type Clock, type Log, sleep } from '@courier-fleet/process'
import { eraseEverywhere, freeId, keys, type Redis } from '@courier-fleet/store'
import type { Subscription, Subscriptions } from '@courier-fleet/subscriptions'
import { endpointOf, forgetBreaker, ofPerson } from '@courier-fleet/webhooks'
import type { Audit } from '../access/audit.ts'
import type { Files } from '../files/files.ts'
import type { RemovePerson } from './remove-person.ts'

/** who else may be at work on one looks so often */
const lookMs = 5_000
const leaseMs = 15_000
/** a courier decides so long ahead of sending at most, and a call is let in so long before it is accepted; and a little more */
const underWayMs = 15_000
/** between two walks */
const pauseMs = 2_000
const goodbyeMs = 5_000

interface Job {
  readonly person: string
  readonly name: string
  readonly addresses: readonly string[]
  readonly reason: ErasureInput['reason']
  readonly by: string
  readonly via: string
  readonly sinceMs: number
  /** since when nobody finds them */
  readonly removedMs?: number
}

export interface Erasures {
  /** Has somebody erased; the same again while that is under way. */
  begin(person: Pick<Person, 'id' | 'name'>, asked: Pick<Job, 'reason' | 'by' | 'via'>): Promise<ErasureView>
  /** Those under way, the oldest first. */
  list(): Promise<ErasureView[]>
  start(): void
  stop(): Promise<void>
}

interface ErasuresDeps {
  readonly redis: Redis
  readonly directory: Directory
  readonly apiKeys: Pick<ApiKeys, 'revokeOf'>
  readonly subscriptions: Subscriptions
  readonly removePerson: RemovePerson
  readonly files: Pick<Files, 'eraseOf'>
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
}

class LeaseLost extends Error {}

export function createErasures(deps: ErasuresDeps): Erasures {
  const { redis, log } = deps
  const stopping = new AbortController()
  let pause = new AbortController()
  let running: Promise<void> | undefined

  async function look(): Promise<void> {
    for (const [id, job] of await readJobs(redis)) {
      if (stopping.signal.aborted) return
      const lease = await takeLease(redis, id)
      if (!lease) continue
      try {
        await carryOut(deps, id, job, { lease, stopping: stopping.signal })
      } finally {
        await lease.giveBack().catch(() => {})
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      pause = new AbortController()
      await look().catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) log.error({ err: error }, 'cannot erase somebody; trying again')
      })
      await sleep(lookMs, stopping.signal, pause.signal)
    }
  }

  return {
    async begin(person, asked) {
      const known = (await readJobs(redis)).find(([, job]) => job.person === person.id)?.[1]
      const job = known ?? (await write(deps, person, asked))
      pause.abort()
      return viewOf(job)
    },
    list: async () => (await readJobs(redis)).map(([, job]) => viewOf(job)),
    start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      if (running) await atMost(goodbyeMs, running)
    },
  }
}

async function readJobs(redis: Redis): Promise<[id: string, job: Job][]> {
  const found = Object.entries(await redis.hgetall(keys.erasures)).map(([id, text]): [string, Job] => [
    id,
    JSON.parse(text) as Job,
  ])
  return found.sort(([, one], [, other]) => one.sinceMs - other.sinceMs)
}

const keep = (redis: Redis, id: string, job: Job) => redis.hset(keys.erasures, id, JSON.stringify(job))

async function write(
  { redis, directory, clock }: ErasuresDeps,
  { id: person, name }: Pick<Person, 'id' | 'name'>,
  asked: Pick<Job, 'reason' | 'by' | 'via'>,
): Promise<Job> {
  const job = { person, name, addresses: await addressesFor(directory, person), ...asked, sinceMs: clock.now() }
  await keep(redis, randomUUID(), job)
  return job
}

async function addressesFor(directory: Directory, person: string, known: readonly string[] = []): Promise<string[]> {
  const contacts = Object.values((await directory.getPerson(person))?.contacts ?? {})
  const { addresses = [] } = (await directory.knownOfImports(person)) ?? {}
  return [...new Set([...known, ...contacts.flatMap(addressesOf), ...addresses])]
}

const viewOf = ({ person, reason, by, sinceMs }: Job): ErasureView => ({
  person,
  reason,
  by,
  since: new Date(sinceMs).toISOString(),
})

interface Lease {
  /** @throws LeaseLost */
  renew(): Promise<void>
  giveBack(): Promise<unknown>
}

async function takeLease(redis: Redis, id: string): Promise<Lease | undefined> {
  const key = keys.erasureLease(id)
  const token = randomUUID()
  if ((await redis.set(key, token, 'PX', leaseMs, 'NX')) === null) return undefined
  const isOwn = async () => (await redis.get(key)) === token
  return {
    async renew() {
      if (!(await isOwn())) throw new LeaseLost()
      await redis.pexpire(key, leaseMs)
    },
    giveBack: async () => (await isOwn()) && redis.del(key),
  }
}

async function carryOut(
  deps: ErasuresDeps,
  id: string,
  before: Job,
  { lease, stopping }: { readonly lease: Lease; readonly stopping: AbortSignal },
): Promise<void> {
  const { redis, files, audit, clock, log } = deps
  const goOn = async () => {
    if (stopping.aborted) throw new LeaseLost()
    await lease.renew()
  }
  let job = before.removedMs === undefined ? await remove(deps, id, before) : before
  const overMs = (job.removedMs ?? 0) + underWayMs
  for (;;) {
    // as it was when the walk began: what ends later is found by another
    const isLast = clock.now() >= overMs
    if (isLast) await endSubscriptions(deps, ({ resource, resourceId }) => isAbout(job.person, resource, resourceId))
    const again = await removeAgain(deps, id, job)
    job = again ?? job
    const found = (await eraseEverywhere(redis, job, goOn, isLast)) + (await files.eraseOf(job.person))
    if (isLast && found === 0 && !again) break
    await sleep(pauseMs, stopping)
  }
  await freeId(redis, job.person)
  await audit.write({ action: 'person.erased', by: job.by, via: job.via, detail: job.reason })
  await redis.hdel(keys.erasures, id)
  log.info({ reason: job.reason }, 'somebody was erased')
}

/** Whether it is followed for them alone: they themselves, or a message of theirs. */
const isAbout = (person: string, resource: string, id = '') =>
  (resource === 'person' && id === person) || id.includes(`.${person}.`)

async function endSubscriptions(
  { subscriptions }: Pick<ErasuresDeps, 'subscriptions'>,
  isOver: (subscription: Subscription) => boolean,
): Promise<void> {
  for (const each of await subscriptions.list()) if (isOver(each)) await subscriptions.remove(each)
}

/** Out of the directory, with what they follow. */
async function remove(deps: ErasuresDeps, id: string, asked: Job): Promise<Job> {
  const { redis, directory, removePerson, clock } = deps
  const { person, by, via } = asked
  // they may have linked another since it was asked, for jobs wait for each other; written before the directory forgets them
  const addresses = await addressesFor(directory, person, asked.addresses)
  const job = { ...asked, addresses }
  await keep(redis, id, job)
  for (const url of addresses.filter((address) => /^https?:/.test(address)))
    await forgetBreaker(redis, endpointOf(ofPerson(person), url))
  await removePerson(person, { by, via })
  await endSubscriptions(deps, ({ owner }) => owner === person)
  const removed = { ...job, removedMs: clock.now() }
  await keep(redis, id, removed)
  return removed
}

/** @returns the job, with the addresses that came along; undefined where nothing had come back */
async function removeAgain(deps: ErasuresDeps, id: string, job: Job): Promise<Job | undefined> {
  const { redis, directory, apiKeys } = deps
  const { person } = job
  const [found] = await directory.findPeople([person])
  const again = { ...job, addresses: await addressesFor(directory, person, job.addresses) }
  if (found) await keep(redis, id, again)
  const revoked = await apiKeys.revokeOf(person)
  const existed = await directory.deletePerson(person)
  return existed || revoked.length > 0 ? again : undefined
}
