/**
 * What a process that died has left reserved of a budget, of claims that are over: nobody else ends it. Asked for where it would refuse somebody,
 * as with what was counted of people. A claim whose entry is on its stream is not over: its process, or whoever takes it over, goes on with what
 * is reserved. Of one that is gone nobody is marked any more; so the receipt, read after that, says what became of it:
 *
 *   s d r c u w b f   it was taken, or may have been: it stays spent. Failed may be what the provider has taken and reports so later
 *   NUL x e n p       it came to nothing: it is given back
 *   a                 somebody else is at it: looked at again next time
 *
 * Of whoever goes to another contact since it says nothing of this claim; what is kept of the try does: refused by the provider it is given
 * back, even before the claim is over, for the next try may need it; else it stays spent. Of a message that was purged it does, too.
 */
import { type MessageClass, parseHistoryKey, type Reason } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'
import { keys, type Redis, readTries } from '@courier-fleet/store'
import { type Ending, settleBudget } from './budget-scripts.ts'

interface Left {
  readonly name: string
  readonly stands: string
  /** name of its claim */
  readonly claim: string
  readonly ordinal: number
}

/** Byte of a receipt, as text, by what it says of the reservation. */
const cameToNothing = '\0xenp'
const isOpen = 'a'
/** why a contact was certainly sent nothing */
const refusals: readonly Reason[] = ['blocked', 'deactivated', 'invalid']

/** @returns whether anything was given back */
export async function mendBudget(redis: Redis, budget: string): Promise<boolean> {
  const all = Object.entries(await redis.hgetall(budget)).flatMap(([name, stands]): Left[] => {
    const [, claim, ordinal] = /^(.+) (\d+)$/.exec(name) ?? []
    return claim === undefined ? [] : [{ name, stands, claim, ordinal: Number(ordinal) }]
  })
  const endings = await Promise.all([...grouped(all, ({ claim }) => claim)].map(([, own]) => endingsOf(redis, own)))
  const found = endings.flat()
  if (found.length > 0) await settleBudget(redis, budget, found)
  return found.some(({ isGivenBack }) => isGivenBack)
}

/** @param own of one claim */
async function endingsOf(redis: Redis, own: readonly Left[]): Promise<Ending[]> {
  const [message = '', leg = '', cls, entry = ''] = (own[0] as Left).claim.split(' ')
  const ref = parseHistoryKey(message)
  const [channel = ''] = leg.split('~')
  const entries = await redis.xrange(keys.work(ref.shard, channel, cls as MessageClass), entry, entry)
  const isOver = entries.length === 0
  const [bytes, tries, isThere] = await Promise.all([
    Promise.all(own.map(({ ordinal }) => redis.getrangeBuffer(keys.receipts(ref, leg), ordinal, ordinal))),
    readTries(
      redis,
      ref,
      leg,
      own.map(({ ordinal }) => ordinal),
    ),
    redis.exists(keys.history(ref)),
  ])
  return own.flatMap(({ name, stands }, index): Ending[] => {
    const earlier = tries[index]?.find(({ by, state }) => by === entry && state !== undefined)
    const isRefused = earlier?.reason !== undefined && refusals.includes(earlier.reason)
    if (!isOver && !isRefused) return []
    if (earlier) return [{ name, stands, isGivenBack: isRefused }]
    const byte = bytes[index]?.toString('latin1') || '\0'
    if (isThere && byte === isOpen) return []
    return [{ name, stands, isGivenBack: isThere === 1 && cameToNothing.includes(byte) }]
  })
}
