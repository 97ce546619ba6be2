/** Who of a message is tried again because somebody has decided so: those whose endpoint took it in no try. */
import { reasonBytes, receiptStateOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { channelsOf, receiptChunks } from './ledger.ts'
import type { Snapshot } from './snapshot.ts'
import { retryNotTaken } from './unknown-scripts.ts'

export interface Retry {
  readonly channel: string
  /** when they are not tried any more, Unix ms */
  readonly untilMs: number
}

/** @returns how many there were. @throws Problem 404 · 409 `was-cancelled` `in-progress` `has-expired` */
export async function retry(redis: Redis, snapshot: Snapshot, { channel, untilMs }: Retry): Promise<number> {
  if (!channelsOf(snapshot.hash).includes(channel)) return 0
  const ordinals = await notTakenOn(redis, snapshot, channel)
  return retryNotTaken(redis, { ref: snapshot.ref, leg: channel, ordinals }, untilMs)
}

async function notTakenOn(redis: Redis, { ref, hash }: Snapshot, channel: string): Promise<number[]> {
  const ordinals: number[] = []
  let from = 0
  for await (const { states, reasons } of receiptChunks(redis, ref, channel, Number(hash.size))) {
    const whys = await reasons()
    for (const [place, byte] of states.entries())
      if (receiptStateOf(byte) === 'failed' && whys[place] === reasonBytes['not-taken']) ordinals.push(from + place)
    from += states.length
  }
  return ordinals
}
