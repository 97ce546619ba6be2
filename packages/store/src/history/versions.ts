/** The texts of a message that was corrected, and how far each correction is. */
import { type HistoryView, reasonBytes, receiptBytes, receiptStateOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { correctionLegsOf, receiptChunks } from './ledger.ts'
import type { Snapshot } from './snapshot.ts'

type Versions = NonNullable<HistoryView['versions']>
type Corrected = NonNullable<Versions[number]['corrected']>[string]

export interface Version {
  readonly text: string
  /** Unix ms */
  readonly atMs: number
  readonly by: string
}

/** As `versions:…` has it. */
export const packVersion = ({ text, atMs, by }: Version): string => JSON.stringify([text, atMs, by])

export function parseVersion(packed: string): Version {
  const [text, atMs, by] = JSON.parse(packed) as [string, number, string]
  return { text, atMs, by }
}

/** The oldest first; `undefined` of a message that was never corrected. */
export async function readVersions(redis: Redis, snapshot: Snapshot): Promise<Versions | undefined> {
  const { ref, hash } = snapshot
  if (hash.version === undefined) return undefined
  const packed = await redis.hgetall(keys.versions(ref))
  const numbers = Object.keys(packed)
    .map(Number)
    .sort((a, b) => a - b)
  return Promise.all(
    numbers.map(async (version) => {
      const { text, atMs, by } = parseVersion(packed[version] as string)
      const legs = correctionLegsOf(hash).filter((leg) => leg.endsWith(`~${version}`))
      const counted = await Promise.all(legs.map((leg) => countLeg(redis, snapshot, leg)))
      const corrected = Object.fromEntries(
        legs.map((leg, at) => [leg.slice(0, leg.indexOf('~')), counted[at] as Corrected]),
      )
      const said = { ...(text === '' ? {} : { text }), at: new Date(atMs).toISOString(), by }
      return version === 1 ? said : { ...said, corrected }
    }),
  )
}

/** From the bytes: those with an older text, each in one place. */
async function countLeg(redis: Redis, { ref, hash }: Snapshot, leg: string): Promise<Corrected> {
  const counts = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
  for await (const { states, reasons } of receiptChunks(redis, ref, leg, Number(hash.size))) {
    const whys = await reasons()
    for (const [place, byte] of states.entries()) {
      const is = placeOf(byte, whys[place] as number)
      if (is) counts[is] += 1
    }
  }
  return counts
}

const isFollowUp = (reason: number) => reason === reasonBytes['followed-up']

/** `undefined` of whoever had nothing to correct. */
function placeOf(byte: number, reason: number): keyof Corrected | undefined {
  switch (receiptStateOf(byte)) {
    case 'sent':
    case 'delivered':
    case 'read':
    case 'confirmed':
      return isFollowUp(reason) ? 'followedUp' : 'edited'
    case 'pending':
      return 'pending'
    case 'unknown':
      return 'unknown'
    default:
      return byte === receiptBytes.cancelled && reason === reasonBytes['nothing-to-correct'] ? undefined : 'uncorrected'
  }
}
