/**
 * From claims to send jobs: reads what they are about, cuts what is too large, puts small ones together, and runs no more jobs at
 * once than the courier allows. The last slot is for urgent messages only: other work must not keep them waiting. Where the courier has a
 * rate, each class has two slots of its own, if all others are taken: whoever is not there when it is their turn loses it.
 */
import { EventEmitter } from 'node:events'
import { classes, type MessageClass } from '@courier-fleet/api-types'
import { type Claim, Fenced, peopleOf } from '../claims/claim.ts'
import type { Leases } from '../claims/leases.ts'
import type { WorkStreams } from '../claims/work-streams.ts'
import { isEndless } from '../pace/pacer.ts'
import type { Messages } from '../texts/messages.ts'
import { createInFlightWindow, type InFlightWindow } from './in-flight-window.ts'
import { runSendJob, type SendJobDeps, type Work } from './send-job.ts'

export interface SchedulerDeps extends Omit<SendJobDeps, 'window' | 'handBack' | 'lendSlot'> {
  readonly streams: Pick<WorkStreams, 'drop'>
  readonly leases: Leases
  readonly messages: Messages
  /** for the jobs that begin now */
  readonly handBack: () => AbortSignal
}

export interface Scheduler {
  /** `trouble`: claims have been let go of that are still this process's own. `free`: there is a free slot again */
  readonly events: EventEmitter<{ trouble: []; free: [] }>
  /** how many more jobs there may be, with those that wait for a slot counted; below 0 when too many were claimed */
  freeSlots(): number
  /** Without a free slot: whether a job of this class may run all the same. */
  hasSlotOf(cls: MessageClass): boolean
  /** jobs that run */
  running(): number
  /** Reads the messages of new claims and starts jobs with them, or queues those for which there is no slot. */
  enqueue(claims: readonly Claim[]): Promise<void>
  /** Starts all that is queued, so that it is handed back: the process is to end, or the courier is not ready. */
  drain(): void
  /** There may be room for more since the settings have changed. */
  readonly onTuned: () => void
}

/** One that is sent, and one that is made ready to follow. */
const slotsOfClass = 2

/** Of a job it is one. */
const classOf = (work: readonly Work[]) => work[0]?.claim.class

export function createScheduler(deps: SchedulerDeps): Scheduler {
  return new JobScheduler(deps)
}

class JobScheduler implements Scheduler {
  readonly events = new EventEmitter<{ trouble: []; free: [] }>()
  readonly #deps: SchedulerDeps
  readonly #window: InFlightWindow | undefined
  readonly #jobs = new Map<Promise<void>, MessageClass | undefined>()
  /** claimed and read, waiting for a slot */
  readonly #queued: Work[][] = []
  /** 1 while one job more may run, for one of them waits until its people are counted; until any job has ended */
  #lent = 0

  constructor(deps: SchedulerDeps) {
    const { courier, settings } = deps
    this.#deps = deps
    const weights = () => (isEndless(courier.rate) ? undefined : settings.current().weights)
    this.#window = courier.window === undefined ? undefined : createInFlightWindow(() => courier.window ?? 1, weights)
  }

  /** jobs that are not urgent, at most */
  get #slots(): number {
    return Math.max(1, this.#deps.courier.concurrency - 1) + this.#lent
  }

  freeSlots(): number {
    return this.#slots - this.#jobs.size - this.#queued.length
  }

  hasSlotOf(cls: MessageClass): boolean {
    return this.#isKept(cls) && !this.#queued.some((work) => classOf(work) === cls)
  }

  running(): number {
    return this.#jobs.size
  }

  async enqueue(claims: readonly Claim[]): Promise<void> {
    const { courier, leases } = this.#deps
    const isWide = (claim: Claim) => peopleOf(claim) > courier.batchSize
    leases.hold(claims)
    const [work] = await Promise.all([
      this.#open(claims.filter((claim) => !isWide(claim))),
      ...claims.filter(isWide).map((claim) => this.#split(claim)),
    ])
    this.#queued.push(...groupWork(work, courier.batchSize))
    this.#startNext()
  }

  drain(): void {
    this.#startNext()
  }

  readonly onTuned = (): void => {
    this.#window?.look()
    this.#startNext()
    this.events.emit('free')
  }

  #startNext(): void {
    const { handBack } = this.#deps
    while (this.#queued.length > 0 && (this.#jobs.size < this.#slots || handBack().aborted))
      this.#start(this.#queued.shift() as Work[])
    for (const cls of classes) {
      const next = this.#queued.findIndex((work) => classOf(work) === cls)
      if (next >= 0 && this.#isKept(cls)) this.#start(this.#queued.splice(next, 1)[0] as Work[])
    }
  }

  /** Whether there is a slot that is kept for this class. */
  #isKept(cls: MessageClass): boolean {
    const { courier } = this.#deps
    if (cls === 'urgent' && this.#jobs.size < courier.concurrency + this.#lent) return true
    return !isEndless(courier.rate) && [...this.#jobs.values()].filter((each) => each === cls).length < slotsOfClass
  }

  #start(work: Work[]): void {
    const { leases, logThrottled, handBack } = this.#deps
    const lendSlot = () => this.#lend()
    const job = runSendJob(work, { ...this.#deps, handBack: handBack(), window: this.#window, lendSlot })
      .catch((error) => {
        logThrottled({ err: error }, 'a send job has failed; its claims are tried again')
        this.events.emit('trouble')
      })
      .finally(() => {
        leases.drop(work.map(({ claim }) => claim))
        this.#jobs.delete(job)
        this.#lent = 0
        this.#startNext()
        this.events.emit('free')
      })
    this.#jobs.set(job, classOf(work))
  }

  /** Not at a rate, which is what everyone waits for there, and which classes share. */
  #lend(): void {
    if (this.#lent > 0 || !isEndless(this.#deps.courier.rate)) return
    this.#lent = 1
    this.#startNext()
    this.events.emit('free')
  }

  /** Does something with claims; when it fails they are let go of and found again later. */
  async #attempt<T>(claims: readonly Claim[], action: () => Promise<T>): Promise<T | undefined> {
    const { leases, logThrottled } = this.#deps
    try {
      return await action()
    } catch (error) {
      logThrottled({ err: error }, 'cannot open a claim; trying again')
      leases.drop(claims)
      this.events.emit('trouble')
      return undefined
    }
  }

  /** Its pieces are announced to all processes of the channel, this one too. */
  async #split(claim: Claim): Promise<void> {
    const { leases, scripts, courier } = this.#deps
    leases.drop([claim])
    // fenced: another process has split it, or its message is gone
    await this.#attempt([claim], () => scripts.split(claim, courier.batchSize).catch(unlessFenced))
  }

  /** @returns those whose messages are there; the others are let go of */
  async #open(claims: readonly Claim[]): Promise<Work[]> {
    if (claims.length === 0) return []
    const { leases, messages, streams } = this.#deps
    const found = await this.#attempt(claims, () => messages.load(claims))
    if (!found) return []
    const work: Work[] = []
    const gone: Claim[] = []
    for (const [index, claim] of claims.entries()) {
      const message = found[index]
      if (message) work.push({ claim, message })
      else gone.push(claim)
    }
    if (gone.length > 0) {
      leases.drop(gone)
      await this.#attempt(gone, () => streams.drop(gone))
    }
    return work
  }
}

const unlessFenced = (error: unknown) => {
  if (!(error instanceof Fenced)) throw error
}

/** Those that fit into one job, as few jobs as will do; each class by itself, the more urgent ahead of others. */
export function groupWork(work: readonly Work[], batchSize: number): Work[][] {
  const groups: Work[][] = []
  let people = 0
  let before: Work | undefined
  for (const each of classes.flatMap((cls) => work.filter(({ claim }) => claim.class === cls))) {
    const size = peopleOf(each.claim)
    const last = groups.at(-1)
    const isAlike = before?.claim.class === each.claim.class
    if (last && isAlike && people + size <= batchSize) {
      last.push(each)
      people += size
    } else {
      groups.push([each])
      people = size
    }
    before = each
  }
  return groups
}
