/** Slots of a cluster, as an operator sees them: which a master has, which of them have keys, and all of them moved at once. */
import type { OwnMember } from '@courier-fleet/testkit'
import { moveSlotsWhole, describe as nodesSeenBy } from '../../scripts/redis-cluster.mjs'

export type Range = readonly [first: number, last: number]

export async function ownSlots(master: OwnMember): Promise<{ id: string; ranges: readonly Range[] }> {
  const own = (await nodesSeenBy(master.redis())).find(({ flags }) => flags.includes('myself'))
  if (!own) throw new Error('a node does not know itself')
  return { id: own.id, ranges: own.slots }
}

/** A key of each of its slots that have any. */
export async function keysOfSlots(master: OwnMember): Promise<string[]> {
  const redis = master.redis()
  const found: string[] = []
  for (const [first, last] of (await ownSlots(master)).ranges) {
    const slots = Array.from({ length: last - first + 1 }, (_unused, index) => first + index)
    for (const keys of await Promise.all(slots.map((slot) => redis.cluster('GETKEYSINSLOT', slot, 1))))
      found.push(...keys)
  }
  return found
}

/** All that one master has goes to another, whole. @returns whether the engine can */
export async function moveWhole(from: OwnMember, to: OwnMember): Promise<boolean> {
  const { ranges } = await ownSlots(from)
  return moveSlotsWhole({ ranges, from: portOf(from), to: portOf(to) })
}

const portOf = ({ url }: OwnMember) => Number(new URL(url).port)
