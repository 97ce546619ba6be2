/**
 * From bells to claims: wakes what is due, reads what has started, and hands the hangar as much as it has room for.
 *
 *   a bell        its shard is woken at once, whatever else is going on; whoever is first does it for every channel
 *   a crowd       where more is due than one call wakes, all shards are woken in turn, a few between two reads; bells would
 *                 only say what is known, so they are not heard until it is over
 *   orders        read from all shards in question together, for many small ones make one flight
 *   batches       shard by shard: each is work for a whole flight, and other processes of the channel want some, too
 */
import { classes, type MessageClass, shardName } from '@courier-fleet/api-types'
import { sleep } from '@courier-fleet/process'
import type { Claim, ClaimScripts } from './claim-scripts.ts'
import type { Hangar } from './hangar.ts'
import type { Streams } from './streams.ts'

export interface IntakeDeps {
  readonly scripts: Pick<ClaimScripts, 'wake'>
  readonly streams: Pick<Streams, 'readOrders' | 'readBatches' | 'ensureGroups'>
  readonly hangar: Pick<Hangar, 'room' | 'roomForUrgent' | 'launch'>
  readonly shards: number
  /** most recipients of one flight */
  readonly batchSize: number
  readonly stopping: AbortSignal
  /** Hears no bells from now on. */
  readonly mute: () => Promise<void>
  /** Hears bells; resolves when that is so. */
  readonly unmute: () => Promise<void>
  /** claims what trouble has left behind, where it is time to; never while a read is under way */
  readonly recover: () => Promise<void>
  readonly onTrouble: () => void
  readonly complain: (fields: object, text: string) => void
}

export interface Intake {
  /** A delivery of this shard has fallen due. */
  ring(shard: string): void
  /** This shard has new batches. */
  restock(shard: string): void
  /** Looks at every shard for everything. */
  sweep(): void
  /** Looks where there may be something that there was no room for. */
  resume(): void
  isReading(): boolean
}

/** Redis does nothing else meanwhile. */
const wakeAtOnce = 50
/** Shards woken between two reads of a crowd. */
const shardsATurn = 4
/** Most one-person orders to claim in one look. */
const ordersAtOnce = 500
const weights: Record<MessageClass, number> = { urgent: 4, normal: 2, bulk: 1 }
/** With no room for anything else, how often to look for what is urgent. */
const fullMs = 10
const troubleMs = 1_000

interface Source {
  readonly shard: string
  readonly cls: MessageClass
}

const sourcesOf = (shards: Iterable<string>, classes: readonly MessageClass[]): Source[] =>
  [...shards].flatMap((shard) => classes.map((cls) => ({ shard, cls })))

export function createIntake(deps: IntakeDeps): Intake {
  const { scripts, streams, hangar, shards, batchSize, stopping, mute, unmute, recover, onTrouble, complain } = deps
  const allShards = Array.from({ length: shards }, (_unused, index) => shardName(index))
  /** shards being woken; true when it rang again meanwhile */
  const waking = new Map<string, boolean>()
  /** in a crowd: how many shards in a row had no more than one call wakes */
  let calm: number | undefined
  /** in a crowd: whose turn it is */
  let next = 0
  /** shards that may hold orders, or batches, not yet read */
  const withOrders = new Set<string>()
  const withBatches = new Set<string>()
  /** those of them where something may have come since the last look */
  const news = new Set<string>()
  let pumping = false
  let landed = () => {}

  const roomOr = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      landed = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** A hint like the bell itself: what it fails to wake, the next sweep finds. A read sent after it finds what it woke. */
  async function wake(shard: string): Promise<void> {
    if (stopping.aborted) return
    news.add(shard)
    withOrders.add(shard)
    if (waking.has(shard)) {
      waking.set(shard, true)
      return
    }
    waking.set(shard, false)
    const woken = await scripts.wake(shard, wakeAtOnce).catch((error) => {
      complain({ err: error }, 'cannot wake what is due')
      return 0
    })
    const rangAgain = waking.get(shard)
    waking.delete(shard)
    if (woken >= wakeAtOnce) beginCrowd()
    else if (rangAgain && calm === undefined) await wake(shard)
  }

  function beginCrowd(): void {
    if (calm === undefined) mute().catch((error) => complain({ err: error }, 'cannot unsubscribe'))
    calm = 0
    void pump()
  }

  async function wakeInTurn(): Promise<void> {
    if (calm === undefined) return
    const some = Array.from(
      { length: Math.min(shardsATurn, shards) },
      (_unused, i) => allShards[(next + i) % shards] as string,
    )
    next = (next + shardsATurn) % shards
    calm += shardsATurn
    await Promise.all(some.map(wake))
    if (calm < shards) return
    await unmute()
    calm = undefined
    sweep()
  }

  /** Claims from these, the classes sharing them 4 : 2 : 1; what one leaves the others take. @returns also who may have more */
  async function share(
    sources: readonly Source[],
    most: number,
    read: (shard: string, cls: MessageClass, count: number) => Promise<Claim[]>,
  ): Promise<{ claims: Claim[]; more: readonly Source[] }> {
    const claims: Claim[] = []
    let hungry = sources
    while (hungry.length > 0 && claims.length < most) {
      const left = most - claims.length
      const weightSum = hungry.reduce((sum, { cls }) => sum + weights[cls], 0)
      const found = await Promise.all(
        hungry.map(async (source) => {
          const count = Math.ceil((left * weights[source.cls]) / weightSum)
          const own = await read(source.shard, source.cls, count)
          return { source, own, isFull: own.length === count }
        }),
      )
      for (const { own } of found) claims.push(...own)
      hungry = found.filter(({ isFull }) => isFull).map(({ source }) => source)
    }
    return { claims, more: hungry }
  }

  async function takeWhatThereIsRoomFor(): Promise<void> {
    news.clear()
    const orders = sourcesOf(withOrders, classes)
    withOrders.clear()
    const most = Math.min(ordersAtOnce, hangar.room() * batchSize)
    const found = await share(orders, most, streams.readOrders)
    for (const { shard } of found.more) withOrders.add(shard)
    await hangar.launch(found.claims)

    for (const shard of withBatches) {
      if (hangar.room() <= 0 || stopping.aborted) return
      withBatches.delete(shard)
      const { claims, more } = await share(sourcesOf([shard], classes), hangar.room(), streams.readBatches)
      if (more.length > 0) withBatches.add(shard)
      await hangar.launch(claims)
    }
  }

  async function takeWhatIsUrgent(): Promise<void> {
    const sources = sourcesOf(news, ['urgent'])
    news.clear()
    if (!hangar.roomForUrgent()) return
    const { claims } = await share(sources, Math.min(ordersAtOnce, batchSize), streams.readOrders)
    await hangar.launch(claims)
    for (const { shard, cls } of sources) {
      if (!hangar.roomForUrgent() || stopping.aborted) return
      await hangar.launch(await streams.readBatches(shard, cls, 1))
    }
  }

  /** Works until nothing is left that there is room for. One at a time. */
  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    let inTrouble = false
    try {
      for (;;) {
        await recover()
        if (stopping.aborted) return
        const hasRoom = hangar.room() > 0
        const mayHold = hasRoom ? withOrders.size + withBatches.size : news.size
        if (mayHold === 0 && calm === undefined) return
        // both to their ends, whatever becomes of one: no read may go on when this is over
        const ends = await Promise.allSettled([wakeInTurn(), hasRoom ? takeWhatThereIsRoomFor() : takeWhatIsUrgent()])
        for (const end of ends) if (end.status === 'rejected') throw end.reason
        if (hangar.room() <= 0) await roomOr(fullMs)
      }
    } catch (error) {
      await getOver(error)
      inTrouble = true
    } finally {
      pumping = false
    }
    if (inTrouble) sweep()
  }

  async function getOver(error: unknown): Promise<void> {
    if (error instanceof Error && /NOGROUP|no such key/.test(error.message)) {
      await streams.ensureGroups().catch(() => {})
    } else {
      complain({ err: error }, 'cannot read from Redis')
    }
    onTrouble()
    await sleep(troubleMs, stopping)
  }

  function sweep(): void {
    for (const shard of allShards) {
      withBatches.add(shard)
      withOrders.add(shard)
      if (calm === undefined) void wake(shard)
    }
    void pump()
  }

  return {
    ring(shard) {
      void wake(shard)
      void pump()
    },
    restock(shard) {
      news.add(shard)
      withBatches.add(shard)
      void pump()
    },
    sweep,
    resume() {
      landed()
      void pump()
    },
    isReading: () => pumping,
  }
}
