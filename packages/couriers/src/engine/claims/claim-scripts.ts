/** The scripts that act on a claim: whoever no longer owns it gets `Fenced`. */
import { memberOf, reasonAtExpiry, reasonBytes, type WaveCause } from '@courier-fleet/api-types'
import {
  type Argument,
  bytesReply,
  defineScript,
  flagReply,
  keys,
  listReply,
  numberReply,
  optionalReply,
  packEvidence,
  type Redis,
  ScriptError,
  tagOf,
} from '@courier-fleet/store'
import type { ReceiptUpdate } from '../jobs/receipt-update.ts'
import { type Claim, Fenced } from './claim.ts'
import { fieldsOf } from './work-entry.ts'

/** What to write of a claim; `done` when that is all. */
export interface Entry extends ReceiptUpdate {
  readonly claim: Claim
  /** of the text that is sent to whoever is marked */
  readonly version: number
  /** of the others that go with it, as lua/record.lua has them; absent for none */
  readonly texts?: string | undefined
  readonly done: boolean
}

/** A range of a claim whose recipients wait. */
export interface Piece {
  readonly cause: WaveCause
  /** from now on; absent where `dueMs` says when, by Redis's clock */
  readonly delayMs?: number
  readonly dueMs?: number
  /** ordinals from … to-1 */
  readonly from: number
  readonly to: number
  readonly tries: number
  /** who of them waits, at most */
  readonly people: number
  /** of the settings by which they are held; absent where none of their rules holds them */
  readonly version?: number
}

/** Due times of waves are rounded up to a multiple of this, so that many pieces share a wave. */
const bucketMs: Readonly<Record<WaveCause, number>> = {
  throttled: 1_000,
  'handed-back': 1,
  'sent-again': 1,
  quiet: 60_000,
  exam: 60_000,
  // rounded by whoever holds them, those who wait for longer to a minute
  capped: 1_000,
  'too-soon': 1_000,
  'same-on-its-way': 1_000,
  online: 1_000,
  recheck: 1_000,
  'not-taken': 1_000,
  // given by lua/lib/begin-steps.lua; no courier holds anybody for it
  step: 1_000,
  // given by lua/lib/next-contact.lua
  'next-contact': 1,
  corrected: 1_000,
  withdrawn: 1_000,
}

async function fencing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ScriptError && error.code === 'FENCED') throw new Fenced(error.message)
    throw error
  }
}

const renewScript = defineScript('renew', {
  keys: ['stream'],
  args: ['channel', 'consumer'],
  reply: listReply(flagReply),
})
const splitScript = defineScript('split', {
  keys: ['stream', 'history'],
  args: ['channel', 'consumer', 'entry', 'deliveries', 'message', 'leg', 'from', 'to', 'people', 'tag', 'class'],
  reply: numberReply,
})
const recordScript = defineScript('record', {
  keys: ['stream'],
  args: ['channel', 'consumer', 'tag'],
  reply: listReply(optionalReply(bytesReply)),
})
const deferScript = defineScript('defer', {
  keys: ['stream', 'history', 'due'],
  args: ['channel', 'consumer', 'entry', 'deliveries', 'message', 'tag', 'leg', 'unless', 'from', 'to'],
  reply: listReply(numberReply),
})

export type ClaimScripts = ReturnType<typeof bindClaimScripts>

export function bindClaimScripts(redis: Redis, channel: string) {
  const owner = ({ consumer, entry, deliveries }: Claim) => ({ channel, consumer, entry, deliveries })

  return {
    /** @returns for each claim of this one stream and consumer, whether its lease was renewed */
    async renew(claims: readonly Claim[]): Promise<boolean[]> {
      const [first] = claims
      if (!first) return []
      const { stream, consumer } = first
      const pairs = claims.flatMap((claim): Argument[] => [claim.entry, claim.deliveries])
      return renewScript(redis, { stream }, { channel, consumer }, pairs)
    },

    /** Cuts a claim into pieces of at least `people`. @returns how many there are. @throws Fenced */
    split(claim: Claim, people: number): Promise<number> {
      const { ref, stream, leg, from, to } = claim
      const source = { tag: tagOf(ref.shard), class: claim.class }
      const args = { ...owner(claim), message: memberOf(ref), leg, from, to, people, ...source }
      return fencing(splitScript(redis, { stream, history: keys.history(ref) }, args, fieldsOf(claim)))
    },

    /**
     * Writes what is known of claims of one stream and consumer, and finishes those that are `done`.
     * @returns for each the bytes as they stand; undefined where the claim is no longer its own, and nothing was written
     */
    async record(entries: readonly Entry[]): Promise<(Buffer | undefined)[]> {
      const [first] = entries
      if (!first) return []
      const { stream, consumer, ref } = first.claim
      const args = { channel, consumer, tag: tagOf(ref.shard) }
      return recordScript(redis, { stream }, args, entries.map(recordArgument))
    },

    /** Hands the claim back as pieces of later waves. @throws Fenced */
    async defer(claim: Claim, pieces: readonly Piece[]): Promise<void> {
      const { ref, stream, leg, unless, from: first, to: after } = claim
      const more = pieces.flatMap(({ cause, delayMs = 0, dueMs, from, to, tries, people, version }): Argument[] => [
        cause,
        dueMs ?? `+${Math.max(1, Math.ceil(delayMs))}`,
        bucketMs[cause],
        from,
        to,
        tries,
        people,
        version ?? '',
      ])
      const about = { message: memberOf(ref), tag: tagOf(ref.shard) }
      const args = { ...owner(claim), ...about, leg, unless, from: first, to: after }
      await fencing(deferScript(redis, { stream, history: keys.history(ref), due: keys.due(ref.shard) }, args, more))
    },
  }
}

/** As read_claim() of lua/record.lua has it. Bytes below 0x80 go as a text, which takes the cheaper way to Redis. */
export function recordArgument(of: Entry): string {
  const { claim, from, bytes, reasons, evidence, costs, done, version, texts = '' } = of
  const { entry, deliveries, ref, leg, unless, cause } = claim
  const expired = cause && reasonAtExpiry(cause)
  const why = expired === undefined ? '-' : String.fromCharCode(reasonBytes[expired])
  const { ids, lines } = packEvidence(evidence)
  const said = `${version} ${done ? 1 : 0} ${unless || '-'} ${why} ${costs?.join(',') || '-'}`
  const lengths = `${bytes.length} ${reasons?.length ?? 0} ${ids.length}`
  const head = `${entry} ${deliveries} ${memberOf(ref)} ${leg} ${from} ${said} ${lengths} ${texts}\n`
  return `${head}${bytes.toString('latin1')}${reasons?.toString('latin1') ?? ''}${ids}${lines.join('\n')}`
}
