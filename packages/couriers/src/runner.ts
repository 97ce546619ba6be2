/**
 * Serves one channel with one adapter: hears that something is due, wakes it, claims what it can start at once, and keeps
 * its claims alive while they are in flight. Events are hints; a look at every shard each second finds what no event told.
 */
import { setMaxListeners } from 'node:events'
import {
  atMost,
  batchesChannel,
  type Clock,
  classes,
  expiredChannel,
  type Log,
  type MessageClass,
  seldom,
  shardName,
  sleep,
} from '@courier-fleet/core'
import type { Directory } from '@courier-fleet/directory'
import type { Redis } from 'ioredis'
import { bindClaimScripts, type Claim } from './claim-scripts.ts'
import type { Courier } from './courier.ts'
import { createHangar } from './hangar.ts'
import { createLeases } from './leases.ts'
import { createMessages } from './messages.ts'
import type { SharedPacer } from './pacer.ts'
import type { ReceiptBook } from './receipt-book.ts'
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
/** Redis does nothing else meanwhile. */
const wakeAtOnce = 100
/** Most one-person orders to claim in one look. */
const ordersAtOnce = 500
const weights: Record<MessageClass, number> = { urgent: 4, normal: 2, bulk: 1 }
/** With no room for anything else, how often to look for what is urgent. */
const crowdedMs = 20

interface Found {
  readonly claims: Claim[]
  /** there may be more of them */
  readonly more: boolean
}

export function createRunner(deps: RunnerDeps): Runner {
  const { redis, subscriber, shards, consumer, courier, clock, log, leaseMs } = deps
  const { channel, batchSize } = courier
  const scripts = bindClaimScripts(redis, channel, consumer)
  const streams = createStreams({ redis, channel, consumer, shards })
  const leases = createLeases({ scripts, log })
  const stopping = new AbortController()
  const killed = new AbortController()
  const gone = new AbortController()
  setMaxListeners(0, stopping.signal, killed.signal, gone.signal) // every send in flight listens
  const complain = seldom((fields, text) => log.error(fields, text))

  const allShards = Array.from({ length: shards }, (_unused, index) => shardName(index))
  /** shards where something may have become due */
  const dirty = new Set<string>()
  /** shards that may hold what there was no room for */
  const stocked = new Set<string>()
  let landed = () => {}
  const timers: NodeJS.Timeout[] = []
  /** since when Redis has been reachable: leases that ran out before that are nobody's fault */
  let reachableSince = 0
  let pumping = false
  let lookForExpired = false
  /** then it is time to look for claims that are this process's own and that it knows nothing of */
  let lookBackAt = Number.POSITIVE_INFINITY
  const lookBackSoon = () => {
    lookBackAt = Math.min(lookBackAt, clock.now() + sweepMs)
  }
  const { room, launch, ...hangar } = createHangar({
    ...deps,
    scripts,
    streams,
    leases,
    messages: createMessages(redis),
    stopping: stopping.signal,
    killed: killed.signal,
    gone: gone.signal,
    complain,
    onTrouble: lookBackSoon,
    onLanded() {
      landed()
      void pump()
    },
  })

  const roomOr = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      landed = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const hint = (shard: string) => {
    dirty.add(shard)
    void pump()
  }
  const sweep = () => {
    for (const shard of allShards) dirty.add(shard)
    void pump()
  }

  function onEvent(event: string, payload: string): void {
    if (event === batchesChannel(channel)) hint(payload)
    else if (payload.startsWith('delivery:{')) hint(payload.slice(10, payload.indexOf('}')))
  }

  /** Looks at the shards in question until nothing is left that there is room for. One at a time. */
  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    try {
      if (clock.now() >= lookBackAt) await takeBack()
      if (lookForExpired) await takeOver()
      for (;;) {
        const shards = new Set(room() > 0 ? [...dirty, ...stocked] : dirty)
        if (shards.size === 0) break
        for (const shard of shards) {
          if (stopping.signal.aborted) return
          await look(shard)
        }
        if (room() <= 0) await roomOr(crowdedMs)
      }
    } catch (error) {
      await onTrouble(error)
    } finally {
      pumping = false
    }
  }

  /** Wakes what is due, and claims what there is room for: without any, only what is urgent. */
  async function look(shard: string): Promise<void> {
    dirty.delete(shard)
    stocked.delete(shard)
    const free = room()
    const waking = scripts.wake(shard, wakeAtOnce)
    const reading = free > 0 ? readShares(shard, free) : readUrgent(shard)
    const [woken, { claims, more }] = await Promise.all([waking, reading])
    await launch(claims)
    if (woken >= wakeAtOnce) dirty.add(shard)
    if (more) stocked.add(shard)
  }

  async function readUrgent(shard: string): Promise<Found> {
    const claims = hangar.roomForUrgent()
      ? await streams.read(shard, 'urgent', 1, Math.min(ordersAtOnce, batchSize))
      : []
    return { claims, more: true }
  }

  /** Claims for some flights, the classes sharing them 4 : 2 : 1; what one leaves the others take. */
  async function readShares(shard: string, flights: number): Promise<Found> {
    const claims: Claim[] = []
    let batches = flights
    let orders = Math.min(ordersAtOnce, flights * batchSize)
    let hungry: readonly MessageClass[] = classes
    while (hungry.length > 0 && batches > 0 && orders > 0) {
      const weightSum = hungry.reduce((sum, cls) => sum + weights[cls], 0)
      const found = await Promise.all(
        hungry.map(async (cls) => {
          const share = weights[cls] / weightSum
          const quota = { batches: Math.ceil(batches * share), orders: Math.ceil(orders * share) }
          const own = await streams.read(shard, cls, quota.batches, quota.orders)
          const pieces = own.filter(({ kind }) => kind === 'batch').length
          return { cls, own, pieces, more: pieces === quota.batches || own.length - pieces === quota.orders }
        }),
      )
      for (const { own, pieces } of found) {
        claims.push(...own)
        batches -= pieces
        orders -= own.length - pieces
      }
      hungry = found.filter(({ more }) => more).map(({ cls }) => cls)
    }
    return { claims, more: hungry.length > 0 }
  }

  /**
   * Waits for every flight, and for the read under way, whose claims are to be handed back too. A Redis that is away may
   * keep that one waiting for ever: then what it claims is taken over, untouched.
   */
  async function land(): Promise<void> {
    const isReading = () => pumping && redis.status === 'ready'
    while (!gone.signal.aborted && (hangar.flights() > 0 || isReading())) await sleep(landingCheckMs, gone.signal)
  }

  async function onTrouble(error: unknown): Promise<void> {
    if (error instanceof Error && /NOGROUP|no such key/.test(error.message)) {
      await streams.ensureGroups().catch(() => {})
    } else {
      complain({ err: error }, 'cannot read from Redis')
    }
    lookBackSoon()
    await sleep(sweepMs, stopping.signal)
    sweep()
  }

  /** Claims of processes that have not renewed them for a whole lease. Not right after Redis was away: give them a lease. */
  async function takeOver(): Promise<void> {
    lookForExpired = false
    if (clock.now() - reachableSince < leaseMs) return
    for (const shard of allShards) {
      if (room() <= 0 || stopping.signal.aborted) return
      const claims = await streams.takeOver(shard, leaseMs, room())
      if (claims.length > 0) log.warn({ shard, claims: claims.length }, 'took over what another process left')
      await launch(claims)
    }
  }

  /** Claims that nobody works on although they are this process's own: it need not wait for its own lease to run out. */
  async function takeBack(): Promise<void> {
    lookBackAt = Number.POSITIVE_INFINITY
    for (const shard of allShards) {
      if (stopping.signal.aborted) return
      if (room() <= 0) return lookBackSoon()
      const claims = await streams.takeBack(shard, leases.holds, leases.size() + ordersAtOnce)
      if (claims.length > 0) log.warn({ shard, claims: claims.length }, 'took up again what trouble had interrupted')
      await launch(claims)
    }
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
      redis.on('ready', () => {
        reachableSince = clock.now()
        lookBackSoon()
        leases.renew().catch(() => {})
      })
      reachableSince = clock.now()
      await streams.ensureGroups()
      await courier.start(stopping.signal)
      subscriber.on('message', onEvent)
      subscriber.on('ready', sweep)
      await subscriber.subscribe(expiredChannel(redis), batchesChannel(channel))
      every(sweepMs, async () => sweep())
      every(leaseMs / 3, () => leases.renew())
      every(leaseMs / 3, async () => {
        lookForExpired = true
        void pump()
      })
      every(leaseMs, () => streams.prune(idleLeases * leaseMs))
      sweep()
    },
    inFlight: () => leases.size(),
    async stop(graceMs) {
      stopping.abort()
      hangar.depart()
      const landing = land()
      await atMost(graceMs, landing)
      killed.abort()
      await atMost(killedMs, landing)
      gone.abort()
      for (const interval of timers) clearInterval(interval)
      await atMost(goodbyeMs, streams.leave())
      await atMost(goodbyeMs, courier.stop())
    },
  }
}
