/**
 * Has the sender sent this very text to these very people a short while ago? Asked only of types that want no duplicates. `same:…` names
 * the latest message of a sender with this text and audience, for the window of its type. It is claimed before the message is
 * scheduled, in another slot: a crash in between, or a refusal, leaves the name of a message that nobody accepted. Whoever finds
 * such a name takes the claim over once the call that made it has surely ended, and until then is told to ask again.
 */
import { createHash } from 'node:crypto'
import {
  durationMs,
  type HistoryRef,
  historyKeyOf,
  type Personal,
  Problem,
  parseHistoryKey,
} from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { textHashOf } from '@courier-fleet/rules'
import {
  type Histories,
  hashOfAudience,
  keys,
  type PackedAudience,
  type Redis,
  replaceValue,
} from '@courier-fleet/store'
import { canonicalJson } from '../http/canonical-json.ts'
import { ProblemWithFacts } from '../http/problem-with-facts.ts'

/** a call that claimed and has not scheduled by now never will */
const abandonedMs = 5_000

export interface OfferedAgain {
  readonly ref: HistoryRef
  readonly text: string
  readonly personal?: Personal | undefined
  readonly subject?: string | undefined
  readonly files?: readonly { readonly id: string }[] | undefined
  readonly audience: PackedAudience
  /** ISO 8601, of its type */
  readonly window: string
  /** the sender knows, and means it */
  readonly isMeant: boolean
}

export interface SameAgain {
  /** Notes the message as the latest of its kind. Safe to repeat. @throws Problem 409 `same-again` · `in-progress` */
  claim(message: OfferedAgain): Promise<void>
}

interface Claimed {
  readonly atMs: number
  readonly people: number
  readonly key: string
}

const write = ({ atMs, people, key }: Claimed) => `${atMs} ${people} ${key}`
function read(text: string): Claimed {
  const [atMs = '', people = '', key = ''] = text.split(' ')
  return { atMs: Number(atMs), people: Number(people), key }
}

export function createSameAgain(deps: { redis: Redis; histories: Histories; clock: Clock }): SameAgain {
  const { redis, histories, clock } = deps

  /** @returns whether the claim it was found in counts for nothing */
  async function isOver({ key, atMs }: Claimed): Promise<boolean> {
    const { digest, cancelledMs } = await histories.accepted(parseHistoryKey(key))
    if (digest !== undefined) return cancelledMs !== undefined
    if (clock.now() - atMs > abandonedMs) return true
    throw inProgress()
  }

  return {
    async claim({ ref, audience, window, isMeant, ...said }) {
      const name = keys.same(ref.sender, await digestOf(said, audience))
      const own: Claimed = { atMs: clock.now(), people: audience.size, key: historyKeyOf(ref) }
      const ms = durationMs(window)
      if (isMeant) return void (await redis.set(name, write(own), 'PX', ms))
      const found = await redis.set(name, write(own), 'PX', ms, 'NX', 'GET')
      if (found === null) return
      const before = read(found)
      if (before.key === own.key) return
      if (!(await isOver(before))) throw sameAgain(before)
      // of several that find it over, one has it
      if (!(await replaceValue(redis, name, found, { wanted: write(own), keptMs: ms }))) throw inProgress()
    },
  }
}

async function digestOf(
  { text, personal, subject, files }: Pick<OfferedAgain, 'text' | 'personal' | 'subject' | 'files'>,
  audience: PackedAudience,
): Promise<string> {
  const said = { text: personal ? canonicalJson({ text, personal }) : text, subject, files }
  const sha256 = await hashOfAudience(audience)
  return createHash('sha256').update(sha256).update(textHashOf(said)).digest('base64url').slice(0, 22)
}

const inProgress = () =>
  new Problem(409, 'in-progress', 'the same is being sent by another call; ask again', undefined, 1)

function sameAgain({ atMs, people, key }: Claimed): Problem {
  const sentAt = new Date(atMs).toISOString()
  const whom = people === 1 ? 'the same person' : `the same ${people} people`
  const detail = `you sent this to ${whom} at ${sentAt}, ${key}: say "duplicates": "allow" to send it once more`
  return new ProblemWithFacts(409, 'same-again', detail, { sentAt, people }, 'duplicates')
}
