/** The texts of a message that was corrected, and how far each correction is; and a recall, which is a correction without a text. */
import {
  type HistoryRef,
  type HistoryView,
  type Personal,
  type PersonalText,
  reasonBytes,
  receiptBytes,
  receiptStateOf,
} from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { correctionLegsOf, receiptChunks } from './ledger.ts'
import type { UsedTemplate } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'
import { hasIt, toldLegOf } from './whom-to-correct.ts'

type Versions = NonNullable<HistoryView['versions']>
type Corrected = NonNullable<Versions[number]['corrected']>[string]
/** Each in one; of the edited may be counted besides who was told. */
type CorrectedPlaces = Omit<Corrected, 'alsoTold' | 'toBeTold'>
type Recall = NonNullable<HistoryView['recalled']>
type Recalled = Recall['channels'][string]

export interface Version extends PersonalText {
  /** whose text it is, where that is a stored one */
  readonly template?: UsedTemplate | undefined
  /** Unix ms */
  readonly atMs: number
  readonly by: string
}

/** of one message, with the first */
export const maxVersions = 9

type Packed = [
  text: string,
  atMs: number,
  by: string,
  personal?: Personal | null,
  template?: [id: string, version: number],
]

/** As `versions:…` has it; what is absent at the end is left out. */
export function packVersion({ text, atMs, by, personal, template }: Version): string {
  const packed: Packed = [text, atMs, by]
  if (template) packed.push(personal ?? null, [template.id, template.version])
  else if (personal) packed.push(personal)
  return JSON.stringify(packed)
}

export function parseVersion(packed: string): Version {
  const [text, atMs, by, personal, template] = JSON.parse(packed) as Packed
  return {
    text,
    atMs,
    by,
    ...(personal ? { personal } : {}),
    ...(template ? { template: { id: template[0], version: template[1] } } : {}),
  }
}

/** What people were to read before a correction. @returns undefined where it is not kept any more */
export async function readEarlierText(
  redis: Redis,
  ref: HistoryRef,
  version: number,
): Promise<PersonalText | undefined> {
  const packed = await redis.hget(keys.versions(ref), String(version))
  return packed === null ? undefined : parseVersion(packed)
}

/** The oldest first; `undefined` of a message that was never corrected. */
export async function readVersions(redis: Redis, snapshot: Snapshot): Promise<Versions | undefined> {
  const { ref, hash } = snapshot
  if (hash.version === undefined) return undefined
  const packed = await redis.hgetall(keys.versions(ref))
  if (Object.keys(packed).length === 0) return undefined
  const numbers = Object.keys(packed)
    .map(Number)
    .sort((a, b) => a - b)
  return Promise.all(
    numbers.map(async (version) => {
      const { atMs, by, ...written } = parseVersion(packed[version] as string)
      const how = { places: noneCorrected, placeOf }
      const corrected: Record<string, Corrected> = await countLegs<CorrectedPlaces>(redis, snapshot, version, how)
      for (const [channel, counts] of Object.entries(corrected))
        Object.assign(counts, await countTold(redis, snapshot, `${channel}~${version}`))
      const confirmed = hash.confirm ? { confirmed: confirmedText(hash, version) } : {}
      const said = { ...textView(written), at: new Date(atMs).toISOString(), by, ...confirmed }
      return version === 1 ? said : { ...said, corrected }
    }),
  )
}

/** A text as the API shows it: of what one person has for themselves no more than that there is something. */
export function textView({ text, personal = {}, template }: Pick<Version, 'text' | 'personal' | 'template'>) {
  const { each, ...forAll } = personal
  return {
    ...(text === '' ? {} : { text }),
    ...forAll,
    ...(each ? { ownValues: Object.keys(each).length } : {}),
    ...(template ? { template } : {}),
  }
}

/** Of how many people it is known that they have confirmed this text of it; what they have confirmed of an older one, correct.lua has counted. */
const confirmedText = (hash: Snapshot['hash'], version: number): number =>
  Number(hash[`confirmed~${version}`] ?? hash.confirmed ?? 0)

/** `undefined` of a message that was not withdrawn. */
export async function readRecall(redis: Redis, snapshot: Snapshot): Promise<Recall | undefined> {
  const { recalled, 'recalled-at': atMs } = snapshot.hash
  if (recalled === undefined) return undefined
  const how = { places: noneRecalled, placeOf: placeOfRecalled }
  const channels = await countLegs<Recalled>(redis, snapshot, Number(recalled), how)
  return { at: new Date(Number(atMs)).toISOString(), channels }
}

const noneCorrected: CorrectedPlaces = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
const noneRecalled: Recalled = { deleted: 0, replaced: 0, pending: 0, remaining: 0 }

interface HowCounted<Counts> {
  readonly places: Counts
  /** `undefined` of whoever had nothing to correct */
  readonly placeOf: (byte: number, reason: number) => keyof Counts | undefined
}

/** Of a version by channel, from the bytes: those with an older text, each in one place. */
async function countLegs<Counts extends Record<string, number>>(
  redis: Redis,
  { ref, hash }: Snapshot,
  version: number,
  { places, placeOf }: HowCounted<Counts>,
): Promise<Record<string, Counts>> {
  const legs = correctionLegsOf(hash).filter((leg) => leg.endsWith(`~${version}`))
  const counted = await Promise.all(
    legs.map(async (leg): Promise<[string, Counts]> => {
      const counts: Record<string, number> = { ...places }
      for await (const { states, reasons } of receiptChunks(redis, ref, leg, Number(hash.size))) {
        const whys = await reasons()
        for (const [at, byte] of states.entries()) {
          const is = placeOf(byte, whys[at] as number) as string | undefined
          if (is !== undefined) counts[is] = (counts[is] ?? 0) + 1
        }
      }
      return [leg.slice(0, leg.indexOf('~')), counts as Counts]
    }),
  )
  return Object.fromEntries(counted)
}

/** `undefined` of whoever had nothing to correct. */
function placeOf(byte: number, reason: number): keyof CorrectedPlaces | undefined {
  switch (receiptStateOf(byte)) {
    case 'sent':
    case 'delivered':
    case 'read':
    case 'confirmed':
      // of an edit nothing is reported; a report of a message of its own may come before its answer, and says not how it went
      return reason === reasonBytes.edited ? 'edited' : 'followedUp'
    case 'pending':
      return 'pending'
    case 'unknown':
      return 'unknown'
    default:
      return hadNothing(byte, reason) ? undefined : 'uncorrected'
  }
}

/** Of whoever was edited, where a message of its own was to tell them besides. */
async function countTold(
  redis: Redis,
  { ref, hash }: Snapshot,
  leg: string,
): Promise<Pick<Corrected, 'alsoTold' | 'toBeTold'> | undefined> {
  const told = toldLegOf(leg)
  if (!correctionLegsOf(hash).includes(told)) return undefined
  const size = Number(hash.size)
  const edits = receiptChunks(redis, ref, leg, size)
  const counts = { alsoTold: 0, toBeTold: 0 }
  for await (const { states, reasons } of receiptChunks(redis, ref, told, size)) {
    const { value: edited } = await edits.next()
    const [whys, whysOfEdits] = await Promise.all([reasons(), edited?.reasons()])
    for (const [at, byte] of states.entries()) {
      if (hasIt.has(byte) && whys[at] === reasonBytes['followed-up']) counts.alsoTold += 1
      else if (receiptStateOf(byte) === 'pending' && whysOfEdits?.[at] === reasonBytes.edited) counts.toBeTold += 1
    }
  }
  return counts
}

const hadNothing = (byte: number, reason: number) =>
  byte === receiptBytes.cancelled && reason === reasonBytes['nothing-to-correct']

function placeOfRecalled(byte: number, reason: number): keyof Recalled | undefined {
  if (receiptStateOf(byte) === 'pending') return 'pending'
  if (reason === reasonBytes.deleted) return 'deleted'
  if (reason === reasonBytes.replaced) return 'replaced'
  return hadNothing(byte, reason) ? undefined : 'remaining'
}
