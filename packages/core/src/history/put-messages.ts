import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import { hashOfAudience, headBytes, packAudience } from './audience.ts'
import type { PutInput } from './histories.ts'
import { inRecord, type ScheduleInput, staged } from './history-scripts.ts'
import { packRecord } from './message-record.ts'
import { createScheduling, type Scheduled } from './scheduling.ts'

/** Larger audiences are staged under a key of their own, so that no script carries megabytes; one that is not taken lapses. */
const inlineBytes = 16_384
const stagedMs = 600_000

interface Packed {
  readonly message: ScheduleInput
  /** the audience, when it has to be staged first */
  readonly large?: string
}

/** @returns accepts messages; of each, in order, what became of it */
export function createPutMessages(redis: Redis): (inputs: readonly PutInput[]) => Promise<Scheduled[]> {
  const schedule = createScheduling(redis)

  return async (inputs) => {
    const packed = inputs.map(pack)
    const staging = packed.flatMap(({ message: { ref, digest }, large }) =>
      large === undefined ? [] : [redis.set(keys.staged(ref, digest), large, 'PX', stagedMs)],
    )
    await Promise.all(staging)
    return schedule(packed.map(({ message }) => message))
  }
}

function pack(input: PutInput): Packed {
  const { ref, issued, digest, source, text, to, dueMs, expiresMs, channels = [] } = input
  const { ids, width, size } = packAudience(input.audience)
  const isLarge = ids.length > inlineBytes
  const sha256 = isLarge ? hashOfAudience(input.audience) : undefined
  const record = packRecord({ source, text, to, width, sha256 }, ids)
  const audience = isLarge ? staged : ids.length < headBytes ? inRecord : ids
  const message = { ref, issued, digest, record, audience, size, dueMs, expiresMs, class: input.class, channels }
  return isLarge ? { message, large: ids } : { message }
}
