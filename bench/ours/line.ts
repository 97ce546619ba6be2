/** A line between couriers and their provider: makes every answer later, and counts what is said on it. */
import { openLink } from '@courier-fleet/testkit/link'

export interface LineOptions {
  readonly host: string
  readonly port: number
  /** every answer arrives so much later */
  readonly delayMs?: number
  /** how many calls, and how many answers that say "slow down", a piece of the conversation holds */
  readonly listener?: Listener
}

/** Made anew for each connection and direction, for it may keep what is incomplete. */
export interface Listener {
  calls(): (chunk: Buffer) => number
  throttles(): (chunk: Buffer) => number
}

export interface Line {
  readonly port: number
  count(): { calls: number; throttles: number }
  close(): Promise<void>
}

export async function openLine({ host, port, delayMs = 0, listener }: LineOptions): Promise<Line> {
  let calls = 0
  let throttles = 0
  const link = await openLink({ host, port }, () => {
    const callsIn = listener?.calls()
    const throttlesIn = listener?.throttles()
    return {
      asked(chunk) {
        calls += callsIn?.(chunk) ?? 0
      },
      answered(chunk) {
        throttles += throttlesIn?.(chunk) ?? 0
      },
    }
  })
  link.delay(delayMs)
  return { port: link.port, count: () => ({ calls, throttles }), close: link.close }
}

const matches = (pattern: RegExp) => () => (chunk: Buffer) => chunk.toString('latin1').match(pattern)?.length ?? 0

/** execute answered as a whole with 6 (too many requests a second) or 9 (flood control) */
export const vkListener: Listener = {
  calls: matches(/^POST \S+\/execute/gm),
  throttles: matches(/^\{"error":\{"error_code":(?:6|9),/gm),
}

const submit = 0x0000_0004
const submitAnswer = 0x8000_0004
const throttledStatuses = new Set([0x58, 0x14]) // ESME_RTHROTTLED, ESME_RMSGQFUL

export const smppListener: Listener = {
  calls: () => pdus((command) => command === submit),
  throttles: () => pdus((command, status) => command === submitAnswer && throttledStatuses.has(status)),
}

/** Counts protocol data units: length, command and status are the first twelve bytes of each. */
function pdus(counts: (command: number, status: number) => boolean): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    let found = 0
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 16 && rest.length >= rest.readUInt32BE(0)) {
      if (counts(rest.readUInt32BE(4), rest.readUInt32BE(8))) found++
      rest = rest.subarray(rest.readUInt32BE(0))
    }
    return found
  }
}
