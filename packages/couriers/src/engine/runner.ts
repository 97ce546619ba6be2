/**
 * Serves one channel with one courier, from its start to its end: due triggers are told to the waker, hints of new work to the claim
 * reader, claims are kept alive while they are worked on. Events are hints: what is overdue without one is woken half a second later, and a look
 * into every shard finds what no hint has told of.
 */
import { setMaxListeners } from 'node:events'
import { type MessageClass, shardNames } from '@courier-fleet/api-types'
import { atMost, type Clock, createThrottledLog, type Log, sleep } from '@courier-fleet/process'
import {
  type Durability,
  expiredChannel,
  type Figures,
  type Generations,
  hints,
  type LiveSettings,
  noteTakeOvers,
  type Redis,
  type Subscriber,
  shardOfTag,
  whenServed,
} from '@courier-fleet/store'
import type { Courier } from '../courier.ts'
import { handBackSignal, type Readiness } from '../readiness.ts'
import { type Claim, peopleOf } from './claims/claim.ts'
import { createClaimReader } from './claims/claim-reader.ts'
import { bindClaimScripts } from './claims/claim-scripts.ts'
import { createDueTimes } from './claims/due-times.ts'
import { createLeases } from './claims/leases.ts'
import { createLooks } from './claims/look.ts'
import { createRecovery } from './claims/recovery.ts'
import { createWaker, wakeDue } from './claims/waker.ts'
import { createWorkStreams } from './claims/work-streams.ts'
import type { DeliveryReports } from './delivery-reports.ts'
import { every } from './every.ts'
import { createScheduler } from './jobs/scheduler.ts'
import type { SendJobDeps } from './jobs/send-job.ts'
import { createPausable } from './pace/channel-pause.ts'
import type { SharedPacer } from './pace/pacer.ts'
import type { Rechecks } from './rules/rechecks.ts'
import { createMessages } from './texts/messages.ts'

export interface RunnerDeps {
  readonly redis: Redis
  readonly subscriber: Subscriber
  readonly shards: number
  readonly consumer: string
  readonly generations: Generations
  readonly durability: Durability
  readonly courier: Courier
  readonly directory: SendJobDeps['directory']
  readonly pacer: SharedPacer
  readonly reports: DeliveryReports
  readonly figures: Figures
  readonly rechecks: Rechecks
  readonly settings: SendJobDeps['settings'] & Pick<LiveSettings, 'changed'>
  readonly oneClick?: SendJobDeps['oneClick']
  readonly putAsksInto?: SendJobDeps['putAsksInto']
  readonly envelopes?: SendJobDeps['envelopes']
  /** where somebody is counted to be whose own zone is not known */
  readonly fleetZone: string
  /** measures durations: one that nobody sets */
  readonly clock: Clock
  readonly log: Log
  readonly leaseMs: number
}

export interface Runner {
  start(): Promise<void>
  /** claims being worked on */
  inFlight(): number
  /** the courier's, and not ready while its channel is paused */
  readonly readiness: Readiness
  /**
   * Stops claiming, finishes the batches in flight, hands back the rest. After `graceMs` couriers are told to give up and
   * what they know is written; two and a half seconds later at the latest it is over, whatever Redis or the provider do.
   */
  stop(graceMs: number): Promise<void>
}

const pollMs = 1_000
/** a hint tells sooner that the channel is paused, or resumed */
const pauseMs = 5_000
/** however long a lease is */
const longestLookMs = 5_000
/** A master that is another is also noticed by what it refuses. */
const masterMs = 5_000
/** A courier that was told to give up has this long to say what it knows, and its job to write it. */
const killedMs = 1_000
/** to tell Redis of the end, and again to say goodbye to the provider */
const goodbyeMs = 700
const drainCheckMs = 10
/** A consumer this many leases idle, and without a claim, belongs to a process that has ended. */
const idleLeases = 10

export function createRunner(deps: RunnerDeps): Runner {
  return new ChannelRunner(deps)
}

/** Each knows those made before it; of those made after it, it only says what has happened. */
function assemble(deps: RunnerDeps, signals: { stopping: AbortSignal; killed: AbortSignal; gone: AbortSignal }) {
  const { redis, subscriber, shards, consumer, generations, courier, clock, leaseMs, log } = deps
  const { channel } = courier
  const readiness = createPausable(courier.readiness, redis, channel)
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  const scripts = bindClaimScripts(redis, channel)
  const streams = createWorkStreams({ redis, channel, consumer, generations, shards })
  const leases = createLeases({ scripts, log })
  const handBack = handBackSignal(readiness, signals.stopping)
  const lookAtMasters = async () => {
    if (await generations.look()) recovery.lookBackSoon()
  }
  const onLost = () => void lookAtMasters().catch(() => {}) // looked at again by itself
  const common = { ...deps, ...signals, readiness, handBack, logThrottled, scripts, streams, leases, onLost }
  const triggers = expiredChannel(redis)
  const newWork = new Map(shardNames(shards).map((shard) => [hints.workOf(shard, channel), shard]))
  const dueHeads = new Map(shardNames(shards).map((shard) => [hints.dueHead(shard), shard]))
  const dueTimes = createDueTimes({ clock, onOverdue: (shard) => waker.wakeOverdue(shard) })
  const scheduler = createScheduler({
    ...common,
    messages: createMessages(redis, courier.channel),
  })
  const note = (claims: readonly Claim[]) =>
    noteTakeOvers(
      redis,
      claims.map((claim) => ({ message: claim.ref, channel, people: peopleOf(claim) })),
    )
  const recovery = createRecovery({ ...common, scheduler, note })
  scheduler.events.on('trouble', recovery.lookBackSoon)
  readiness.events.on('change', () => scheduler.drain())
  const waker = createWaker({
    ...common,
    async wake(shard, limit) {
      dueTimes.asking(shard)
      const found = await wakeDue(redis, shard, limit)
      dueTimes.note(shard, found)
      return found.woken
    },
    unsubscribe: () => subscriber.unsubscribe(triggers),
    subscribe: () => subscriber.subscribe(triggers),
  })
  const reader = createClaimReader({
    ...common,
    scheduler,
    waker,
    recover: recovery.run,
    onTrouble: recovery.lookBackSoon,
  })
  const look = createLooks({
    redis,
    channel,
    shards,
    leaseMs,
    clock,
    dueTimes,
    onUnread: reader.expectUnread.bind(reader),
    onLapsed: recovery.lapsed,
  })
  return {
    readiness,
    streams,
    leases,
    scheduler,
    recovery,
    waker,
    reader,
    look,
    lookAtMasters,
    triggers,
    newWork,
    dueHeads,
    dueTimes,
    logThrottled,
  }
}

class ChannelRunner implements Runner {
  readonly #deps: RunnerDeps
  readonly #stopping = new AbortController()
  readonly #killed = new AbortController()
  readonly #gone = new AbortController()
  readonly #parts: ReturnType<typeof assemble>
  readonly #stopTimers: (() => void)[] = []

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    const signals = { stopping: this.#stopping.signal, killed: this.#killed.signal, gone: this.#gone.signal }
    setMaxListeners(0, ...Object.values(signals)) // every send in flight listens
    this.#parts = assemble(deps, signals)
  }

  async start(): Promise<void> {
    const { redis, subscriber, courier, settings, leaseMs, log } = this.#deps
    const { streams, leases, recovery, reader, scheduler, look, lookAtMasters } = this.#parts
    const served = (step: () => Promise<void>) => whenServed(redis, log, step)
    redis.on('ready', this.#onReachable)
    recovery.onReachable()
    await served(lookAtMasters)
    await served(streams.ensureGroups)
    await courier.start(this.#stopping.signal)
    subscriber.on('message', this.#onEvent)
    subscriber.on('ready', this.#lookEverywhere)
    const { triggers, newWork, dueHeads } = this.#parts
    await subscriber.subscribe(triggers, ...newWork.keys(), ...dueHeads.keys())
    await served(() => this.#parts.readiness.look())
    this.#stopTimers.push(settings.changed(scheduler.onTuned))
    this.#repeat(pauseMs, () => this.#parts.readiness.look())
    // it may have been asked to look back
    this.#repeat(pollMs, async () => reader.read())
    this.#repeat(leaseMs / 3, () => leases.renew())
    this.#repeat(Math.min(leaseMs / 3, longestLookMs), async () => {
      await look()
      reader.read()
    })
    this.#repeat(leaseMs, () => streams.prune(idleLeases * leaseMs))
    this.#repeat(masterMs, lookAtMasters)
    await served(look)
    this.#lookEverywhere()
  }

  get readiness(): Readiness {
    return this.#parts.readiness
  }

  inFlight(): number {
    return this.#parts.leases.size()
  }

  async stop(graceMs: number): Promise<void> {
    const { redis, subscriber, courier } = this.#deps
    const { streams, scheduler } = this.#parts
    this.#stopping.abort()
    subscriber.off('message', this.#onEvent)
    subscriber.off('ready', this.#lookEverywhere)
    scheduler.drain()
    const drained = this.#drained()
    await atMost(graceMs, drained)
    this.#killed.abort()
    await atMost(killedMs, drained)
    this.#gone.abort()
    for (const stop of this.#stopTimers) stop()
    this.#parts.dueTimes.stop()
    redis.off('ready', this.#onReachable)
    await atMost(goodbyeMs, Promise.all([streams.leave(), this.#deps.rechecks.stop()]))
    await atMost(goodbyeMs, courier.stop())
  }

  #repeat(ms: number, action: () => Promise<void>): void {
    const { logThrottled } = this.#parts
    this.#stopTimers.push(every(ms, action, (error) => logThrottled({ err: error }, 'periodic work failed')))
  }

  readonly #lookEverywhere = (): void => {
    this.#parts.waker.wakeAll()
    this.#parts.reader.readAll()
  }

  readonly #onReachable = (): void => {
    this.#parts.recovery.onReachable()
    this.#lookEverywhere()
    this.#parts.leases.renew().catch(() => {})
    this.#parts.lookAtMasters().catch(() => {})
  }

  readonly #onEvent = (event: string, payload: string): void => {
    const { waker, reader, readiness, triggers, newWork, dueHeads, dueTimes } = this.#parts
    const withPieces = newWork.get(event)
    if (withPieces) reader.expectPieces(withPieces, payload as MessageClass)
    const withHead = dueHeads.get(event)
    if (withHead) dueTimes.announce(withHead, Number(payload))
    if (event === hints.settings) readiness.look().catch(() => {}) // looked at again by itself
    if (event !== triggers) return
    const shard = shardOfTag(/^delivery:\{(\w+)\}/.exec(payload)?.[1] ?? '')
    if (shard) waker.wake(shard)
  }

  /**
   * Waits for every job, and for the read under way, whose claims are to be handed back too. A Redis that is away may keep that
   * one waiting for ever: then what it claims is taken over, untouched.
   */
  async #drained(): Promise<void> {
    const { scheduler, reader } = this.#parts
    const isIdle = () =>
      ['WAITING', 'NOT_READY', 'STOPPED'].includes(reader.mode()) || this.#deps.redis.status !== 'ready'
    while (!this.#gone.signal.aborted && (scheduler.running() > 0 || !isIdle()))
      await sleep(drainCheckMs, this.#gone.signal)
  }
}
