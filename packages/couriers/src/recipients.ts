/** Who the parts of a flight are for, and how their receipts stand. */
import { readAudience, readWholeAudiences } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { grouped } from './grouped.ts'
import { type Part, readReceiptBytes } from './part.ts'

export interface Recipients {
  /** in the order of their ordinals */
  readonly people: readonly string[]
  /** what was never written is missing at the end; absent when nobody has touched the range before */
  readonly before?: Buffer
}

/** In the order of the parts. Orders are whole messages: many small ones are read with one command. */
export async function readRecipients(
  redis: Redis,
  channel: string,
  parts: readonly Part[],
): Promise<ReadonlyMap<Part, Recipients>> {
  const people = new Map<Part, readonly string[]>()
  const orders = parts.filter(({ claim }) => claim.kind === 'order')
  const batches = parts.filter(({ claim }) => claim.kind === 'batch')
  await Promise.all([
    ...[...grouped(orders, ({ claim }) => claim.ref.shard).values()].map(async (own) => {
      const found = await readWholeAudiences(
        redis,
        own.map(({ claim, message }) => ({ ref: claim.ref, width: message.width })),
      )
      for (const [index, part] of own.entries()) people.set(part, found[index] as string[])
    }),
    ...batches.map(async (part) => {
      const { ref, from, to } = part.claim
      people.set(part, await readAudience(redis, ref, part.message.width, from, to))
    }),
  ])
  const before = new Map<Part, Buffer>()
  await Promise.all(
    parts
      .filter(({ isFresh }) => !isFresh)
      .map(async (part) => before.set(part, await readReceiptBytes(redis, part, channel))),
  )
  return new Map(
    parts.map((part) => {
      const bytes = before.get(part)
      return [part, { people: people.get(part) ?? [], ...(bytes ? { before: bytes } : {}) }]
    }),
  )
}
