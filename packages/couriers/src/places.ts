/**
 * The window of one process: how many recipients may be in doubt at once, marked and not yet written as answered. All its
 * flights share it, in the order they ask; nobody overtakes, for who wants many would wait for ever among those who want few.
 *
 *   asks ─► marked, in doubt ─► handed to the provider ─► answered ─► its answer written: the place is free
 *
 * A place passes from hand to hand: one write takes the answers of some and the marks of as many others, so that the doubt of
 * the ones leaves exactly as that of the others enters, and the way from an answer to the next send is one round trip. The
 * write is one step only within a stream; who comes next in another waits until the answers are written.
 *
 * A crash, or a lost reply, leaves
 *
 *   before the write is done    the answered in doubt, those to come untouched
 *   after it                    the answered as they are, those to come in doubt, though not sent to yet
 *   once they are handed over   the same
 *
 * and a write that fails is tried again as it was, neither half without the other: at no moment more than the window.
 * Who is marked and not granted (the message was cancelled, has expired, the claim is lost) frees the place at once.
 */
import { receiptBytes } from '@courier-fleet/api-types'
import { grouped } from './grouped.ts'
import type { Part } from './part.ts'
import type { Note } from './recorder.ts'

export interface Seeker {
  readonly part: Part
  readonly ordinal: number
}

/** What a flight lends to the window. */
export interface Guest<S extends Seeker> {
  /** In one step, however long it takes; see Recorder. */
  write(notes: readonly Note[]): Promise<readonly (number | undefined)[]>
  /** These are marked and may be sent to. Each gives its place back by leave(). */
  enter(granted: readonly S[]): void
  /** whether nobody is to be let in now */
  isHeldUp(): boolean
}

export interface Places {
  /**
   * Marks these in order, each as soon as there is a place, and lets them in. Rejects as write() does.
   * @returns those whose turn did not come, for it was held up or `signal` was aborted; all others have had it by then
   */
  letIn<S extends Seeker>(seekers: readonly S[], guest: Guest<S>, signal: AbortSignal): Promise<readonly S[]>
  /** Writes the answers, then gives back so many places. Rejects as write() does. */
  leave(answers: readonly Note[], count: number, guest: Pick<Guest<Seeker>, 'write'>): Promise<void>
}

interface Arrival {
  readonly guest: Guest<Seeker>
  readonly seekers: readonly Seeker[]
  /** how many of them have had their turn */
  at: number
  /** writes under way that mark some of them */
  crossing: number
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

interface Departure {
  readonly answers: readonly Note[]
  readonly count: number
  readonly guest: Pick<Guest<Seeker>, 'write'>
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/**
 * The window crosses in so many pieces at least. What crosses together is sent together and answered together: in one piece all
 * would wait for the work on all, at each crossing anew. Piece by piece they draw apart, until there is work on few at a time.
 */
const piecesAWindow = 10

export function createPlaces(size: number): Places {
  const piece = Math.max(1, Math.floor(size / piecesAWindow))
  let free = size
  const queue: Arrival[] = []
  const departures: Departure[] = []
  let isAboutToCross = false

  /** After all that the last event brought, so that those answered together cross together. */
  function crossSoon(): void {
    if (isAboutToCross) return
    isAboutToCross = true
    process.nextTick(crossNow)
  }

  function crossNow(): void {
    const leaving = departures.splice(0, piece)
    for (const own of grouped(leaving, streamOf).values()) void cross(own)
    if (free > 0 && first()) void cross([])
    isAboutToCross = departures.length > 0 || (free > 0 && first() !== undefined)
    if (isAboutToCross) setImmediate(crossNow)
  }

  /** Who is next, once those are out of the way whose turn has passed or cannot be. */
  function first(): Arrival | undefined {
    for (let arrival = queue[0]; arrival; arrival = queue[0]) {
      while (arrival.seekers[arrival.at]?.part.lost) arrival.at += 1
      if (arrival.at < arrival.seekers.length && !arrival.guest.isHeldUp()) return arrival
      queue.shift()
      settle(arrival)
    }
    return undefined
  }

  function settle(arrival: Arrival): void {
    if (arrival.crossing === 0 && !queue.includes(arrival)) arrival.settle()
  }

  /** At most `room` of those who are next, as far as they are of one stream. */
  function takeNext(room: number, stream: string | undefined): Map<Arrival, Seeker[]> {
    const taken = new Map<Arrival, Seeker[]>()
    let wanted = stream
    for (let left = room; left > 0; left -= 1) {
      const arrival = first()
      const seeker = arrival?.seekers[arrival.at]
      if (!arrival || !seeker) break
      wanted ??= seeker.part.claim.stream
      if (seeker.part.claim.stream !== wanted) break
      arrival.at += 1
      if (arrival.at === arrival.seekers.length) queue.shift()
      const own = taken.get(arrival) ?? []
      if (own.length === 0) {
        taken.set(arrival, own)
        arrival.crossing += 1
      }
      own.push(seeker)
    }
    return taken
  }

  /** One write: the answers of those who leave, and the marks of those who take their places, or free ones. */
  async function cross(leaving: readonly Departure[]): Promise<void> {
    const answers = leaving.flatMap((each) => each.answers)
    const given = leaving.reduce((sum, { count }) => sum + count, 0)
    const entering = takeNext(Math.min(free + answers.length, piece), leaving[0] && streamOf(leaving[0]))
    const marks = [...entering.values()].flat().map(markOf)
    const taken = Math.max(0, marks.length - answers.length)
    free -= taken
    let granted = 0
    try {
      const [{ guest } = {}] = [...leaving, ...entering.keys()]
      const standing = answers.length + marks.length > 0 ? await guest?.write([...answers, ...marks]) : []
      let at = answers.length
      for (const [arrival, seekers] of entering) {
        const own = seekers.filter((_seeker, index) => standing?.[at + index] === receiptBytes.attempting)
        at += seekers.length
        granted += own.length
        arrival.crossing -= 1
        if (own.length > 0) arrival.guest.enter(own)
        settle(arrival)
      }
      for (const departure of leaving) departure.settle()
    } catch (error) {
      for (const { fail } of [...leaving, ...entering.keys()]) fail(error)
    }
    free += given + taken - granted
    if (free > 0) crossSoon()
  }

  return {
    letIn(seekers, guest, signal) {
      return new Promise((resolve, reject) => {
        const withdraw = () => {
          signal.removeEventListener('abort', giveUp)
          const at = queue.indexOf(arrival)
          if (at >= 0) queue.splice(at, 1)
        }
        const giveUp = () => {
          withdraw()
          settle(arrival)
        }
        const arrival: Arrival = {
          guest: guest as Guest<Seeker>,
          seekers,
          at: 0,
          crossing: 0,
          settle() {
            withdraw()
            resolve(seekers.slice(arrival.at))
          },
          fail(error) {
            withdraw()
            reject(error)
          },
        }
        if (signal.aborted) return arrival.settle()
        signal.addEventListener('abort', giveUp)
        queue.push(arrival)
        crossSoon()
      })
    },
    leave: (answers, count, guest) =>
      new Promise((settle, fail) => {
        departures.push({ answers, count, guest, settle, fail })
        crossSoon()
      }),
  }
}

const streamOf = ({ answers }: Departure) => answers[0]?.part.claim.stream
const markOf = ({ part, ordinal }: Seeker): Note => ({ part, ordinal, byte: receiptBytes.attempting })
