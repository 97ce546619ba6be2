/**
 * Claims work as long as there are slots for it. One loop, in one of these modes:
 *
 *   WAITING       nothing is known to be there; a hint or a look begins READING
 *   READING       claims from all streams that may hold something: narrow ones together, for many small entries make one job;
 *                 wide ones, whose entries are work for a whole job each, one at a time, for other processes want some, too.
 *                 Which it is shows the last entry read; before the first one after WAITING, one is read of each stream
 *   KEPT_SLOTS    every slot for all is taken: only streams of classes are read for which one is kept, until another is free
 *   NOT_READY     the courier cannot send: nothing is claimed until it can
 *   WAKING        the same in a burst: what is due is woken for other channels and processes
 *   BACKING_OFF   Redis has failed; read again in a second
 *   STOPPED       nothing is claimed any more
 */
import { classes, type MessageClass, shardNames } from '@courier-fleet/api-types'
import { sleep } from '@courier-fleet/process'
import type { LiveSettings } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import type { Readiness } from '../../readiness.ts'
import type { Scheduler } from '../jobs/scheduler.ts'
import { type Claim, peopleOf } from './claim.ts'
import { shareOut } from './share-out.ts'
import type { Waker } from './waker.ts'
import type { WorkStreams } from './work-streams.ts'

export interface ClaimReaderDeps {
  readonly streams: Pick<WorkStreams, 'read' | 'ensureGroups'>
  readonly scheduler: Pick<Scheduler, 'events' | 'freeSlots' | 'hasSlotOf' | 'enqueue'>
  readonly waker: Pick<Waker, 'events' | 'isInBurst' | 'burst'>
  readonly readiness: Readiness
  readonly shards: number
  readonly courier: Pick<Courier, 'batchSize'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly stopping: AbortSignal
  /** claims what trouble has left behind, where it is time to; never while a read is under way */
  readonly recover: () => Promise<void>
  readonly onTrouble: () => void
  readonly logThrottled: (fields: object, text: string) => void
}

/** Reads by itself what the waker wakes, and when the scheduler has a free slot. */
export interface ClaimReader {
  /** This stream has pieces of an entry that was cut, or of a wave: it is read. */
  expectPieces(shard: string, cls: MessageClass): void
  /** These streams have what nobody has read. */
  expectUnread(shard: string, classes: readonly MessageClass[]): void
  /** Reads what may be there. */
  read(): void
  /** Looks at every stream. */
  readAll(): void
  mode(): Mode
}

export type Mode = 'WAITING' | 'READING' | 'KEPT_SLOTS' | 'NOT_READY' | 'WAKING' | 'BACKING_OFF' | 'STOPPED'

/** small entries to claim in one read, at most */
const maxEntries = 500
/** with no free slot, how often to look for those that one is kept for */
const fullMs = 10
const backOffMs = 1_000
/** An entry of at least this share of a batch is work for a whole job. */
const wideShare = 0.5

interface Source {
  readonly shard: string
  readonly cls: MessageClass
  /** it may hold something that was not read yet */
  mayHold: boolean
  /** whether its entries are work for a whole job each; undefined: none was read since WAITING */
  isWide: boolean | undefined
}

export function createClaimReader(deps: ClaimReaderDeps): ClaimReader {
  return new Reader(deps)
}

class Reader implements ClaimReader {
  readonly #deps: ClaimReaderDeps
  readonly #sources: readonly Source[]
  #mode: Mode = 'WAITING'
  #wakeUp = () => {}

  constructor(deps: ClaimReaderDeps) {
    this.#deps = deps
    this.#sources = shardNames(deps.shards).flatMap((shard) =>
      classes.map((cls) => ({ shard, cls, mayHold: false, isWide: undefined })),
    )
    deps.waker.events.on('waking', (shard) => this.#expect(shard))
    deps.waker.events.on('burst', () => this.read())
    deps.scheduler.events.on('free', () => this.#onFree())
    deps.readiness.events.on('change', () => this.readAll())
  }

  mode(): Mode {
    return this.#mode
  }

  expectPieces(shard: string, cls: MessageClass): void {
    for (const source of this.#sources)
      if (source.shard === shard && source.cls === cls) source.mayHold = source.isWide = true
    void this.#run()
  }

  expectUnread(shard: string, unread: readonly MessageClass[]): void {
    for (const source of this.#sources) if (source.shard === shard && unread.includes(source.cls)) source.mayHold = true
    void this.#run()
  }

  read(): void {
    void this.#run()
  }

  readAll(): void {
    for (const source of this.#sources) source.mayHold = true
    void this.#run()
  }

  #expect(shard: string): void {
    for (const source of this.#sources) if (source.shard === shard) source.mayHold = true
    void this.#run()
  }

  /** Whoever wakes an urgent message in a burst may be another process, and nobody says so. */
  #expectUrgent(): void {
    for (const source of this.#sources) if (source.cls === 'urgent') source.mayHold = true
  }

  #onFree(): void {
    this.#wakeUp()
    void this.#run()
  }

  /** Works until nothing is left that there is a slot for. One at a time. */
  async #run(): Promise<void> {
    if (!['WAITING', 'NOT_READY'].includes(this.#mode)) return
    this.#mode = 'READING'
    try {
      while (await this.#step()); // bounded: by what there is to do
    } catch (error) {
      this.#mode = 'BACKING_OFF'
      await this.#getOver(error)
      this.#mode = 'WAITING'
      this.readAll()
    }
  }

  /** @returns whether there may be more to do */
  async #step(): Promise<boolean> {
    const { recover, stopping, readiness, scheduler, waker } = this.#deps
    if (!readiness.notReady()) await recover()
    if (stopping.aborted) return this.#rest('STOPPED')
    if (readiness.notReady()) return this.#wakeForOthers()
    this.#mode = scheduler.freeSlots() > 0 ? 'READING' : 'KEPT_SLOTS'
    const isInBurst = waker.isInBurst()
    if (isInBurst) this.#expectUrgent()
    const mayHold = this.#sources.some(
      (source) => source.mayHold && (this.#mode === 'READING' || scheduler.hasSlotOf(source.cls)),
    )
    if (!mayHold && !isInBurst) return this.#rest('WAITING')
    // both to their ends, whatever becomes of one: no read may go on when this is over
    const waking = waker.burst() // sent first: what it wakes is read below
    const reading = this.#mode === 'READING' ? this.#readWork() : this.#readKept()
    const [burst, read] = await Promise.allSettled([waking, reading])
    if (burst.status === 'rejected') throw burst.reason
    if (read.status === 'rejected') throw read.reason
    if (burst.value) for (const source of this.#sources) source.mayHold = true
    if (scheduler.freeSlots() <= 0) await this.#freeSlotOr(fullMs)
    return true
  }

  /** @returns whether there may be more to wake */
  async #wakeForOthers(): Promise<boolean> {
    const { waker } = this.#deps
    if (!waker.isInBurst()) return this.#rest('NOT_READY')
    this.#mode = 'WAKING'
    await waker.burst()
    return true
  }

  /** At once, so that no hint comes between the last look and the rest. */
  #rest(mode: 'WAITING' | 'NOT_READY' | 'STOPPED'): false {
    this.#mode = mode
    for (const source of this.#sources) source.isWide = undefined
    return false
  }

  async #readWork(): Promise<void> {
    const { scheduler, courier, stopping } = this.#deps
    const unknown = this.#sources.filter(({ mayHold, isWide }) => mayHold && isWide === undefined)
    await scheduler.enqueue(await this.#claim(unknown, 1))
    const narrow = this.#sources.filter(({ mayHold, isWide }) => mayHold && isWide === false)
    const max = Math.min(maxEntries, scheduler.freeSlots() * courier.batchSize)
    await scheduler.enqueue(await this.#claim(narrow, max))
    for (const shard of new Set(
      this.#sources.filter(({ mayHold, isWide }) => mayHold && isWide).map((each) => each.shard),
    )) {
      if (scheduler.freeSlots() <= 0 || stopping.aborted) return
      const wide = this.#sources.filter((source) => source.shard === shard && source.mayHold && source.isWide)
      await scheduler.enqueue(await this.#claim(wide, scheduler.freeSlots()))
    }
  }

  async #readKept(): Promise<void> {
    const { scheduler, courier, stopping } = this.#deps
    for (const cls of classes) {
      const mayRead = () => scheduler.hasSlotOf(cls) && !stopping.aborted
      const own = this.#sources.filter((source) => source.cls === cls && source.mayHold)
      const unknown = own.filter(({ isWide }) => isWide === undefined)
      if (mayRead()) await scheduler.enqueue(await this.#claim(unknown, 1))
      const narrow = own.filter(({ mayHold, isWide }) => mayHold && isWide === false)
      if (mayRead()) await scheduler.enqueue(await this.#claim(narrow, Math.min(maxEntries, courier.batchSize)))
      for (const source of own)
        if (source.mayHold && source.isWide && mayRead()) await scheduler.enqueue(await this.#claim([source], 1))
    }
  }

  /** Claims at most `max` entries, the classes sharing them; notes which streams may have more, and which are wide. */
  async #claim(sources: readonly Source[], max: number): Promise<Claim[]> {
    for (const source of sources) source.mayHold = false
    const { streams, courier, settings } = this.#deps
    const { claims, more } = await shareOut(sources, max, settings.current().weights, async (source, count) => {
      const own = await streams.read(source.shard, source.cls, count)
      if (own.length > 0) source.isWide = own.some((claim) => peopleOf(claim) >= courier.batchSize * wideShare)
      return own
    })
    for (const source of more) source.mayHold = true
    return claims
  }

  #freeSlotOr(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #getOver(error: unknown): Promise<void> {
    const { streams, onTrouble, logThrottled, stopping } = this.#deps
    if (error instanceof Error && /NOGROUP|no such key/.test(error.message)) {
      await streams.ensureGroups().catch(() => {})
    } else {
      logThrottled({ err: error }, 'cannot read from Redis')
    }
    onTrouble()
    await sleep(backOffMs, stopping)
  }
}
