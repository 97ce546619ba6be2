/** Settles who is left of a message that was cancelled or has expired, where no courier comes to do it. */
import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { flagReply } from '../replies.ts'
import { defineScript } from '../script.ts'

const expireScript = defineScript('expire', {
  keys: ['history', 'due'],
  args: ['message', 'tag', 'leg', 'from', 'to'],
  reply: flagReply,
})

/** people of one step: others are served in between */
const stepPeople = 16_384

/** Leaves whoever a courier has marked, and a message that still goes out, as they are. Safe to repeat. */
export async function expire(redis: Redis, ref: HistoryRef): Promise<void> {
  const [expected, corrections, size] = await redis.hmget(keys.history(ref), 'expected', 'corrections', 'size')
  const people = Number(size ?? 0)
  for (const leg of `${expected ?? ''},${corrections ?? ''}`.split(',').filter(Boolean)) {
    for (let from = 0; from < people; from += stepPeople) {
      const to = Math.min(people, from + stepPeople)
      const isDone = await expireScript(
        redis,
        { history: keys.history(ref), due: keys.due(ref.shard) },
        { message: memberOf(ref), tag: tagOf(ref.shard), leg, from, to },
      )
      if (isDone) break
    }
  }
}
