/**
 * Serves one channel with one adapter, from its start to its end: bells and batches are told to the intake, claims are kept
 * alive while they are in flight. Events are hints; a look at every shard each second finds what no event told.
 */
import { setMaxListeners } from 'node:events'
import type { Directory } from '@courier-fleet/directory'
import { atMost, type Clock, type Log, seldom, sleep } from '@courier-fleet/process'
import { batchesChannel, expiredChannel, shardOfTag } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { bindClaimScripts } from './claim-scripts.ts'
import type { Courier } from './courier.ts'
import { createHangar } from './hangar.ts'
import { createIntake } from './intake.ts'
import { createLeases } from './leases.ts'
import { createMessages } from './messages.ts'
import type { SharedPacer } from './pacer.ts'
import type { ReceiptBook } from './receipt-book.ts'
import { createRecovery } from './recovery.ts'
import { createStreams } from './streams.ts'

export interface RunnerDeps {
  readonly redis: Redis
  /** a connection of its own, for pub/sub */
  readonly subscriber: Redis
  readonly shards: number
  readonly consumer: string
  readonly courier: Courier
  readonly directory: Pick<Directory, 'contactsOf' | 'markContact'>
  readonly pacer: SharedPacer
  readonly receiptBook: ReceiptBook
  /** measures durations: one that nobody sets */
  readonly clock: Clock
  readonly log: Log
  readonly leaseMs: number
}

export interface Runner {
  start(): Promise<void>
  /** claims being worked on */
  inFlight(): number
  /**
   * Stops claiming, finishes the batches in flight, hands back the rest. After `graceMs` adapters are told to give up and
   * what they know is written; two and a half seconds later at the latest it is over, whatever Redis or the provider do.
   */
  stop(graceMs: number): Promise<void>
}

const sweepMs = 1_000
/** An adapter that was told to give up has this long to say what it knows, and its flight to write it. */
const killedMs = 1_000
/** to tell Redis of the end, and again to say goodbye to the provider */
const goodbyeMs = 700
const landingCheckMs = 10
/** A consumer this many leases idle, and without a claim, belongs to a process that has ended. */
const idleLeases = 10

export function createRunner(deps: RunnerDeps): Runner {
  const { redis, subscriber, shards, consumer, courier, log, leaseMs } = deps
  const { channel, batchSize } = courier
  const scripts = bindClaimScripts(redis, channel, consumer)
  const streams = createStreams({ redis, channel, consumer, shards })
  const leases = createLeases({ scripts, log })
  const stopping = new AbortController()
  const killed = new AbortController()
  const gone = new AbortController()
  setMaxListeners(0, stopping.signal, killed.signal, gone.signal) // every send in flight listens
  const complain = seldom((fields, text) => log.error(fields, text))
  const bells = expiredChannel(redis)
  const timers: NodeJS.Timeout[] = []
  const hangar = createHangar({
    ...deps,
    scripts,
    streams,
    leases,
    messages: createMessages(redis),
    stopping: stopping.signal,
    killed: killed.signal,
    gone: gone.signal,
    complain,
    onTrouble: () => recovery.lookBackSoon(),
    onLanded: () => intake.resume(),
  })
  const recovery = createRecovery({ ...deps, streams, leases, hangar, stopping: stopping.signal })
  const intake = createIntake({
    scripts,
    streams,
    hangar,
    shards,
    batchSize,
    stopping: stopping.signal,
    mute: async () => void (await subscriber.unsubscribe(bells)),
    unmute: async () => void (await subscriber.subscribe(bells)),
    recover: recovery.run,
    onTrouble: recovery.lookBackSoon,
    complain,
  })

  function onReachable(): void {
    recovery.onReachable()
    leases.renew().catch(() => {})
  }

  function onEvent(event: string, payload: string): void {
    const isBatches = event === batchesChannel(channel)
    const shard = shardOfTag(isBatches ? payload : (/^delivery:\{(\w+)\}/.exec(payload)?.[1] ?? ''))
    if (shard === undefined) return
    if (isBatches) intake.restock(shard)
    else intake.ring(shard)
  }

  /**
   * Waits for every flight, and for the read under way, whose claims are to be handed back too. A Redis that is away may
   * keep that one waiting for ever: then what it claims is taken over, untouched.
   */
  async function land(): Promise<void> {
    const isReading = () => intake.isReading() && redis.status === 'ready'
    while (!gone.signal.aborted && (hangar.flights() > 0 || isReading())) await sleep(landingCheckMs, gone.signal)
  }

  /** Repeats `action` until stopped, never two at once, whatever it throws. */
  function every(ms: number, action: () => Promise<void>): void {
    let running = false
    timers.push(
      setInterval(() => {
        if (running) return
        running = true
        action()
          .catch((error) => complain({ err: error }, 'periodic work failed'))
          .finally(() => {
            running = false
          })
      }, ms),
    )
  }

  return {
    async start() {
      redis.on('ready', onReachable)
      recovery.onReachable()
      await streams.ensureGroups()
      await courier.start(stopping.signal)
      subscriber.on('message', onEvent)
      subscriber.on('ready', intake.sweep)
      await subscriber.subscribe(bells, batchesChannel(channel))
      every(sweepMs, async () => intake.sweep())
      every(leaseMs / 3, () => leases.renew())
      every(leaseMs / 3, async () => {
        recovery.lookForExpired()
        intake.resume()
      })
      every(leaseMs, () => streams.prune(idleLeases * leaseMs))
      intake.sweep()
    },
    inFlight: () => leases.size(),
    async stop(graceMs) {
      stopping.abort()
      subscriber.off('message', onEvent)
      subscriber.off('ready', intake.sweep)
      hangar.depart()
      const landing = land()
      await atMost(graceMs, landing)
      killed.abort()
      await atMost(killedMs, landing)
      gone.abort()
      for (const interval of timers) clearInterval(interval)
      redis.off('ready', onReachable)
      await atMost(goodbyeMs, streams.leave())
      await atMost(goodbyeMs, courier.stop())
    },
  }
}
