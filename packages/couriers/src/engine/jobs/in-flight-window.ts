/**
 * The window of one process: how many recipients may be in doubt at once, marked and not yet written as answered. All its
 * send jobs share it, in the order they ask; nobody overtakes, for who wants many would wait for ever among those who want few.
 * Where there is a rate, the classes share it as they share that: see turns.ts. Of one class it is the same order.
 *
 *   asks ─► marked, in doubt ─► handed to the provider ─► answered ─► its answer written: the slot is free
 *
 * A slot passes from one recipient to the next: one write takes the answers of some and the marks of as many others, so that the
 * doubt of the ones leaves exactly as that of the others enters, and the way from an answer to the next send is one round trip.
 * The write is one step only within a stream; who comes next in another waits until the answers are written.
 *
 * A crash, or a lost reply, leaves
 *
 *   before the write is done    the answered in doubt, those to come untouched
 *   after it                    the answered as they are, those to come in doubt, though not sent to yet
 *   once they are handed over   the same
 *
 * and a write that fails is tried again as it was, neither half without the other: at no moment more than the window.
 * Who is marked and not granted (the message was cancelled, has expired, the claim is lost, no replica has the mark) frees the slot at once.
 */
import { receiptBytes } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'
import type { Facts } from '@courier-fleet/rules'
import { writtenBy } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import { createTurns, type Weights } from '../pace/turns.ts'
import { openReceipt } from './open-receipt.ts'
import type { Note } from './receipt-writer.ts'

export interface Candidate {
  readonly buffer: ClaimBuffer
  readonly ordinal: number
  /** where it costs something: what the attempt does */
  readonly cost?: number | undefined
  /** of whoever has several contacts: which this is, as record.lua notes it with the mark */
  readonly tried?: string | undefined
  /** of whoever is attempting already the mark stays, whoever has it: they may have been sent to */
  readonly receipt?: Facts['receipt']
}

/** What a send job lends to the window. */
export interface Holder<C extends Candidate> {
  /** In one step, however long it takes; see ReceiptWriter. */
  write(notes: readonly Note[]): Promise<readonly (number | undefined)[]>
  /** These are marked and may be sent to. Each gives its slot back by release(). */
  send(granted: readonly C[]): void
  /** whether nobody is to be sent to now */
  isHeldUp(): boolean
  /** Asked of whoever is next, until it says no: whether this one is not to be sent to now. The holder knows then what becomes of them. */
  passesOver(candidate: C): boolean
  /** These were marked, and had their marks taken back: they may ask again. */
  putBack(candidates: readonly C[]): void
}

export interface InFlightWindow {
  /**
   * Marks these in order, each as soon as there is a slot, and has them sent. Rejects as write() does.
   * @returns those who got none, for sending was held up or `signal` was aborted; all others have had theirs by then
   */
  acquire<C extends Candidate>(candidates: readonly C[], holder: Holder<C>, signal: AbortSignal): Promise<readonly C[]>
  /** Writes the answers, then gives back so many slots. Rejects as write() does. */
  release(answers: readonly Note[], count: number, holder: Pick<Holder<Candidate>, 'write'>): Promise<void>
  /** It may have become larger. */
  look(): void
}

interface Request {
  readonly holder: Holder<Candidate>
  readonly candidates: readonly Candidate[]
  /** how many of them have been marked, or passed over */
  at: number
  /** writes under way that mark some of them */
  writing: number
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

interface Release {
  readonly answers: readonly Note[]
  readonly count: number
  readonly holder: Pick<Holder<Candidate>, 'write'>
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/**
 * The window is exchanged in so many pieces at least. What is written together is sent together and answered together: in one
 * piece all would wait for the work on all, each time anew. Piece by piece they draw apart, until there is work on few at a time.
 */
const piecesAWindow = 10

/**
 * @param size asked at each write: where it has become smaller, slots that are given back stay empty until it fits
 * @param weights of the classes, where they share it by these
 */
export function createInFlightWindow(
  size: () => number,
  weights: () => Weights | undefined = () => undefined,
): InFlightWindow {
  return new Window(size, weights)
}

class Window implements InFlightWindow {
  readonly #size: () => number
  readonly #weights: () => Weights | undefined
  readonly #turns = createTurns()
  #used = 0
  readonly #requests: Request[] = []
  readonly #releases: Release[] = []
  #isScheduled = false

  constructor(size: () => number, weights: () => Weights | undefined) {
    this.#size = size
    this.#weights = weights
  }

  get #piece(): number {
    return Math.max(1, Math.floor(this.#size() / piecesAWindow))
  }

  /** below 0 where the window has become smaller than what is in it */
  get #free(): number {
    return this.#size() - this.#used
  }

  acquire<C extends Candidate>(
    candidates: readonly C[],
    holder: Holder<C>,
    signal: AbortSignal,
  ): Promise<readonly C[]> {
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', giveUp)
        this.#withdraw(request)
      }
      const giveUp = () => {
        end()
        this.#settle(request)
      }
      const request: Request = {
        holder: holder as Holder<Candidate>,
        candidates,
        at: 0,
        writing: 0,
        settle() {
          end()
          resolve(candidates.slice(request.at))
        },
        fail(error) {
          end()
          reject(error)
        },
      }
      if (signal.aborted) return request.settle()
      signal.addEventListener('abort', giveUp)
      this.#requests.push(request)
      this.#exchangeSoon()
    })
  }

  release(answers: readonly Note[], count: number, holder: Pick<Holder<Candidate>, 'write'>): Promise<void> {
    return new Promise((settle, fail) => {
      this.#releases.push({ answers, count, holder, settle, fail })
      this.#exchangeSoon()
    })
  }

  look(): void {
    this.#exchangeSoon()
  }

  /** After all that the last event brought, so that those answered together are written together. */
  #exchangeSoon(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    process.nextTick(() => this.#exchangeNow())
  }

  #exchangeNow(): void {
    const leaving = this.#releases.splice(0, this.#piece)
    for (const own of grouped(leaving, writerOf).values()) void this.#exchange(own)
    if (this.#free > 0 && this.#first()) void this.#exchange([])
    this.#isScheduled = this.#releases.length > 0 || (this.#free > 0 && this.#first() !== undefined)
    if (this.#isScheduled) setImmediate(() => this.#exchangeNow())
  }

  /** Who is next, once those are out of the way whose time has passed or cannot come. */
  #first(): Request | undefined {
    for (let request = this.#next(); request; request = this.#next()) {
      while (isPassedOver(request)) request.at += 1
      if (request.at < request.candidates.length && !request.holder.isHeldUp()) return request
      this.#withdraw(request)
      this.#settle(request)
    }
    return undefined
  }

  #next(): Request | undefined {
    if (!this.#weights()) return this.#requests[0]
    const cls = this.#turns.next((each) => this.#requests.some((request) => classOf(request) === each))
    return this.#requests.find((request) => classOf(request) === cls)
  }

  #settle(request: Request): void {
    if (request.writing === 0 && !this.#requests.includes(request)) request.settle()
  }

  #withdraw(request: Request): void {
    const at = this.#requests.indexOf(request)
    if (at >= 0) this.#requests.splice(at, 1)
  }

  /** At most `room` of those who are next, as far as one call can write them. */
  #takeNext(room: number, writer: string | undefined): Map<Request, Candidate[]> {
    const taken = new Map<Request, Candidate[]>()
    let wanted = writer
    for (let left = room; left > 0; left -= 1) {
      const request = this.#first()
      const candidate = request?.candidates[request.at]
      if (!request || !candidate) break
      wanted ??= writtenBy(candidate.buffer.claim)
      if (writtenBy(candidate.buffer.claim) !== wanted) break
      request.at += 1
      const weights = this.#weights()
      if (weights) this.#turns.take(candidate.buffer.claim.class, 1, weights)
      if (request.at === request.candidates.length) this.#withdraw(request)
      const own = taken.get(request) ?? []
      if (own.length === 0) {
        taken.set(request, own)
        request.writing += 1
      }
      own.push(candidate)
    }
    return taken
  }

  /** One write: the answers of those who leave, and the marks of those who take their slots, or free ones. */
  async #exchange(leaving: readonly Release[]): Promise<void> {
    const answers = leaving.flatMap((each) => each.answers)
    const given = leaving.reduce((sum, { count }) => sum + count, 0)
    const room = Math.min(this.#free + answers.length, this.#piece)
    const entering = this.#takeNext(room, leaving[0] && writerOf(leaving[0]))
    const marks = [...entering.values()].flat().map(markOf)
    const taken = Math.max(0, marks.length - answers.length)
    this.#used += taken
    let granted = 0
    try {
      const [{ holder } = {}] = [...leaving, ...entering.keys()]
      const standing = answers.length + marks.length > 0 ? await holder?.write([...answers, ...marks]) : []
      granted = this.#grant(entering, (index) => openReceipt(standing?.[answers.length + index]))
      for (const release of leaving) release.settle()
    } catch (error) {
      for (const { fail } of [...leaving, ...entering.keys()]) fail(error)
    }
    this.#used -= given + taken - granted
    if (this.#free > 0) this.#exchangeSoon()
  }

  /** @returns how many may be sent to; they are, by now */
  #grant(
    entering: ReadonlyMap<Request, readonly Candidate[]>,
    receiptAt: (index: number) => ReturnType<typeof openReceipt>,
  ): number {
    let granted = 0
    let at = 0
    for (const [request, candidates] of entering) {
      const from = at
      const own = candidates.filter((_candidate, index) => receiptAt(from + index) === 'attempting')
      const back = candidates.filter((_candidate, index) => receiptAt(from + index) === 'pending')
      at += candidates.length
      if (back.length > 0) request.holder.putBack(back)
      granted += own.length
      request.writing -= 1
      if (own.length > 0) request.holder.send(own)
      this.#settle(request)
    }
    return granted
  }
}

function isPassedOver({ candidates, at, holder }: Request): boolean {
  const candidate = candidates[at]
  return candidate !== undefined && (candidate.buffer.lost || holder.passesOver(candidate))
}

/** Of a job it is one. */
const classOf = ({ candidates }: Request) => candidates[0]?.buffer.claim.class
const writerOf = ({ answers }: Release) => answers[0] && writtenBy(answers[0].buffer.claim)
const markOf = ({ buffer, ordinal, cost, tried, receipt }: Candidate): Note => ({
  buffer,
  ordinal,
  cost,
  evidence: tried,
  byte: receiptBytes.attempting,
  isAgain: receipt === 'attempting',
})
