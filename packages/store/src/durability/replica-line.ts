/**
 * Asks the replicas of one master whether they have what was written, on a connection of its own: WAIT holds up what comes behind it.
 * Whoever asks while an answer is awaited shares the next question.
 *
 *   written on the fleet's connection ─► asked here: a write of its own, and WAIT ─► the replicas have both
 *
 * The write of its own comes after the other in the one stream of this master, if it is the same master: which one answers, it says itself.
 */
import type { Redis, RedisNode } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { generationScript, type Master, masterOf } from './generations.ts'

export const otherMaster = 'another Redis has taken the place of the master'

/** What was written may be lost with its master. */
export class NotDurable extends Error {}

/** In words of ours, or of Redis's: those of a connection that is not there are of no use to whoever reads them. */
const reasonOf = (error: Error) =>
  error instanceof NotDurable || error.name === 'ReplyError' ? error.message : 'a master of Redis does not answer'

export interface ReplicaLineDeps {
  /** used by nobody else; it gives up soon, and sends nothing again by itself */
  readonly line: RedisNode
  /** on which others write */
  readonly redis: Redis
  /** how many of its replicas must have it. @throws NotDurable where the master may be one no more */
  readonly wanted: (master: Master) => number
}

interface Question {
  readonly generation: string
  /** whether what was written has not told by itself who took it: then the fleet's connection is asked who its master is */
  readonly isUnproved: boolean
  readonly settle: () => void
  readonly fail: (error: Error) => void
}

/** A healthy replica answers within a millisecond; a client of the API is answered within two seconds. */
export const waitMs = 1_000
const keptMs = 60_000
/** Sentinels have a master's other replica leave it a second or two after the one that is to take its place, and each process looks each second. */
const missedMs = 10_000

export class ReplicaLine {
  readonly #deps: ReplicaLineDeps
  readonly #open: Question[] = []
  #isAsking = false
  /** in a slot of this master */
  #place = 0
  #generation = ''
  #theirs = ''
  #trouble: string | undefined
  #session = 0

  constructor(deps: ReplicaLineDeps) {
    this.#deps = deps
    deps.line.on('close', () => {
      this.#session += 1
    })
  }

  /** as it was when it was last asked; empty before that */
  get generation(): string {
    return this.#generation
  }

  /** of the master on which others write, as it was when it was last asked */
  get theirs(): string {
    return this.#theirs
  }

  /** Why the last question was not answered; undefined while all is well. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** @throws NotDurable */
  confirm(generation: string, isUnproved: boolean): Promise<void> {
    return new Promise((settle, fail) => {
      this.#open.push({ generation, isUnproved, settle, fail })
      void this.#askAll()
    })
  }

  /** @throws Error of Redis */
  async look(): Promise<void> {
    this.#generation = (await this.#own()).generation
    await this.#lookAtTheirs()
  }

  close(): void {
    this.#deps.line.disconnect()
  }

  async #askAll(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    while (this.#open.length > 0) await this.#ask(this.#open.splice(0))
    this.#isAsking = false
  }

  async #ask(questions: readonly Question[]): Promise<void> {
    const asksTheirs = questions.some(({ isUnproved }) => isUnproved)
    const place = this.#place
    const asked = await Promise.all([this.#wait(), asksTheirs && this.#lookAtTheirs()])
      // where the slot had moved that was asked, its master is another
      .then(() => (asksTheirs && place !== this.#place ? this.#lookAtTheirs() : undefined))
      .catch((error: Error) => error)
    this.#trouble = asked instanceof Error ? reasonOf(asked) : undefined
    for (const { generation, isUnproved, settle, fail } of questions) {
      const isSame = generation === this.#generation && (!isUnproved || generation === this.#theirs)
      if (this.#trouble === undefined && isSame) settle()
      else fail(new NotDurable(this.#trouble ?? otherMaster))
    }
  }

  /** On one connection: on another WAIT would have nothing to wait for. @throws Error where the replicas do not have it in time */
  async #wait(): Promise<void> {
    const { line, wanted } = this.#deps
    const session = this.#session
    const master = await this.#own()
    const count = wanted(master)
    const found = await line.wait(count, waitMs)
    if (session !== this.#session) throw new NotDurable('the connection was lost')
    if (found < count) throw new NotDurable(`${found} of ${count} replicas have answered within ${waitMs} ms`)
    this.#generation = master.generation
  }

  /** of the line; the slots of a cluster may have moved, or be under way */
  async #own(): Promise<Master> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await generationScript(this.#deps.line, { key: this.#key }, { keptMs, missedMs })
      } catch (error) {
        if (tries === maxPlaces || !/^(MOVED|ASK) /.test((error as Error).message)) throw error
        this.#place = (this.#place + 1) % maxPlaces
      }
    }
  }

  async #lookAtTheirs(): Promise<void> {
    this.#theirs = (await masterOf(this.#deps.redis, this.#key)).generation
  }

  get #key(): string {
    return keys.durable(String(this.#place))
  }
}

/** tried until one lies on this master: with a hundredth of the slots it is found among the first hundreds */
const maxPlaces = 4_096
