/** Entries of work streams: what wake, split and defer write, and a claim is made of. Fields that say the usual are left out. */
import { type MessageClass, refOfMember, type WaveCause } from '@courier-fleet/api-types'
import type { Argument } from '@courier-fleet/store'
import type { Claim } from './claim.ts'

/** as Redis gives it; the fields are null when the entry was taken off its stream meanwhile */
export type StreamEntry = readonly [id: string, fields: readonly string[] | null]

export interface Source {
  readonly stream: string
  readonly shard: string
  readonly channel: string
  readonly class: MessageClass
  /** under which this process reads it now */
  readonly consumer: string
}

/** @returns undefined when the entry is gone */
export function claimOf(source: Source, [entry, flat]: StreamEntry, deliveries: number): Claim | undefined {
  if (!flat) return undefined
  const fields: Record<string, string | undefined> = {}
  for (let i = 0; i < flat.length; i += 2) fields[flat[i] as string] = flat[i + 1]
  const { message = '', from, to, tries = 0, cause, leg = source.channel, unless = '', carries } = fields
  return {
    stream: source.stream,
    entry,
    consumer: source.consumer,
    deliveries,
    ref: refOfMember(source.shard, message),
    class: source.class,
    leg,
    from: Number(from),
    to: Number(to),
    tries: Number(tries),
    unless,
    ...(cause ? { cause: cause as WaveCause } : {}),
    ...(carries ? { carries: carries.split(' ') } : {}),
  }
}

/**
 * What a piece of this claim must say beside its message and its range. Of one that was taken over some may have been sent to: an entry without a cause is
 * taken for one that nobody has touched, and the receipts of its people are not read.
 */
export function fieldsOf({
  tries,
  deliveries,
  cause = deliveries > 1 ? 'handed-back' : undefined,
  leg,
  unless,
}: Claim): Argument[] {
  return [
    ...(tries > 0 ? ['tries', tries] : []),
    ...(cause ? ['cause', cause] : []),
    ...(leg.includes('~') ? ['leg', leg] : []),
    ...(unless ? ['unless', unless] : []),
  ]
}
