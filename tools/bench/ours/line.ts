/** A line between couriers and their provider: makes its answers take their time, and counts what is said on it. */
import { openLink, type Witness } from '@courier-fleet/testkit/link'
import { median } from '../statistics.ts'

export interface LineOptions {
  readonly host: string
  readonly port: number
  /** a provider that answers so long after the call has reached it: what the stand-in itself takes is part of it */
  readonly answerMs?: number
  /** what is a call, an answer to it, and a "slow down" */
  readonly protocol?: Protocol
}

/** What a piece of the conversation holds. Made anew for each connection, for it may keep what is incomplete. */
export interface Protocol {
  calls(): (chunk: Buffer) => readonly Call[]
  answers(): (chunk: Buffer) => readonly Answer[]
}

/** `id`: the same in a call and its answer, where the protocol tells */
export interface Call {
  readonly id?: number
}
export interface Answer extends Call {
  readonly throttles: boolean
}

export interface LineCount {
  readonly calls: number
  readonly throttles: number
  /** from the arrival of a call until its answer goes on to the courier, p50; NaN where the protocol tells of none */
  readonly answeredMs: number
}

export interface Line {
  readonly port: number
  count(): LineCount
  close(): Promise<void>
}

/** By so much a timer is late on the average: it is set as much sooner, and what came of it is counted. */
const timerLateMs = 0.5

export async function openLine({ host, port, answerMs = 0, protocol }: LineOptions): Promise<Line> {
  let calls = 0
  let throttles = 0
  const took: number[] = []

  function witness(): Witness {
    if (!protocol) return {}
    const [callsIn, answersIn, toldIn] = [protocol.calls(), protocol.answers(), protocol.answers()]
    const arrived = new Map<number | undefined, number>()
    return {
      asked(chunk) {
        const found = callsIn(chunk)
        calls += found.length
        for (const { id } of found) if (id !== undefined) arrived.set(id, performance.now())
      },
      answered(chunk) {
        const found = answersIn(chunk)
        throttles += found.filter((answer) => answer.throttles).length
        // those of one piece go on together, with the one that came last
        const last = Math.max(...found.map(({ id }) => arrived.get(id) ?? Number.NEGATIVE_INFINITY))
        if (last > 0) link.delay(Math.max(0, last + answerMs - timerLateMs - performance.now()))
      },
      told(chunk) {
        for (const { id } of toldIn(chunk)) {
          const at = arrived.get(id)
          if (at !== undefined) took.push(performance.now() - at)
          arrived.delete(id)
        }
      },
    }
  }

  const link = await openLink({ host, port }, witness)
  link.delay(answerMs)
  return { port: link.port, count: () => ({ calls, throttles, answeredMs: median(took) }), close: link.close }
}

const matches =
  <T>(pattern: RegExp, found: T) =>
  (chunk: Buffer) =>
    Array.from(chunk.toString('latin1').match(pattern) ?? [], () => found)

/** execute answered as a whole with 6 (too many requests a second) or 9 (flood control) */
export const vkProtocol: Protocol = {
  calls: () => matches(/^POST \S+\/execute/gm, {}),
  answers: () => matches(/^\{"error":\{"error_code":(?:6|9),/gm, { throttles: true }),
}

const submit = 0x0000_0004
const submitAnswer = 0x8000_0004
const throttledStatuses = new Set([0x58, 0x14]) // ESME_RTHROTTLED, ESME_RMSGQFUL

export const smppProtocol: Protocol = {
  calls: () => pdus(submit, (_status, id) => ({ id })),
  answers: () => pdus(submitAnswer, (status, id) => ({ id, throttles: throttledStatuses.has(status) })),
}

/** Reads protocol data units: length, command, status and sequence number are the first sixteen bytes of each. */
function pdus<T>(wanted: number, read: (status: number, id: number) => T): (chunk: Buffer) => T[] {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    const found: T[] = []
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 16 && rest.length >= rest.readUInt32BE(0)) {
      if (rest.readUInt32BE(4) === wanted) found.push(read(rest.readUInt32BE(8), rest.readUInt32BE(12)))
      rest = rest.subarray(rest.readUInt32BE(0))
    }
    return found
  }
}
