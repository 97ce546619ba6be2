/**
 * `Idempotency-Key`: the first answer to a call is kept for a day, and the same call again gets that answer.
 *
 * `idempotency:<owner>:<hash of key and route>` holds a lease of the call that runs, so that a crash frees it, and then the
 * answer. An answer that asks to try again (5xx, 429) is not kept.
 */
import { createHash, randomUUID } from 'node:crypto'
import { Problem } from '@courier-fleet/api-types'
import { atMost, type Log, sleep } from '@courier-fleet/process'
import { keys, type Redis } from '@courier-fleet/store'

const leaseMs = 30_000
const retentionMs = 86_400_000
/** how long an answer waits for the release of its key; while Redis is away the release is retried in the background */
const releaseMs = 200
const releaseRetryMs = 500
/** a longer answer (an import's report) is not kept: what gives such answers may be repeated anyway */
const maxAnswerBytes = 1_048_576

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

export interface Call {
  readonly owner: string
  readonly idempotencyKey: string
  /** method and pattern of the route: the same key on another route is another call */
  readonly route: string
}

interface Running {
  readonly running: string
}
interface Kept {
  readonly digest: string
  readonly answer: Answer
}

export type Begun =
  | {
      readonly kind: 'first'
      /** Keeps the answer. Redis being away by now is logged, not thrown: the call itself has been carried out. */
      finish(digest: string, answer: Answer): Promise<void>
      /** Nothing is kept; the next call is the first again, as soon as Redis has been told. */
      release(): Promise<void>
    }
  | {
      readonly kind: 'repeat'
      /** @throws Problem 422 when this call is not the one that was answered */
      answerTo(digest: string): Answer
    }

export interface Idempotency {
  /** @throws Problem 409 `in-progress` while the first call is still at it */
  begin(call: Call): Promise<Begun>
}

export function createIdempotency({ redis, log }: { redis: Redis; log: Log }): Idempotency {
  return {
    async begin({ owner, idempotencyKey, route }) {
      const hash = createHash('sha256').update(`${route}\n${idempotencyKey}`).digest('base64url')
      const key = keys.idempotency(owner, hash)
      const running: Running = { running: randomUUID() }
      const found = await redis.set(key, JSON.stringify(running), 'PX', leaseMs, 'NX', 'GET')
      const before = found === null ? undefined : (JSON.parse(found) as Running | Kept)

      if (before && 'answer' in before) {
        return {
          kind: 'repeat',
          answerTo(digest) {
            if (before.digest === digest) return before.answer
            throw anotherCall()
          },
        }
      }
      // our own mark: ioredis sent the command again because the reply was lost
      if (before && before.running !== running.running) {
        throw new Problem(409, 'in-progress', 'the first call with this Idempotency-Key is still running', undefined, 1)
      }

      const renewal = setInterval(() => redis.pexpire(key, leaseMs).catch(() => {}), leaseMs / 3)
      renewal.unref()
      const end = async (write: () => Promise<unknown>) => {
        clearInterval(renewal)
        await write().catch((error: unknown) => log.warn({ err: error }, 'idempotency: could not keep the answer'))
      }
      // the mark lapses by itself, after a lease: until then it is certainly our own
      const release = async () => {
        for (const giveUpAt = performance.now() + leaseMs / 2; ; await sleep(releaseRetryMs)) {
          try {
            return await redis.del(key)
          } catch (error) {
            if (performance.now() > giveUpAt) throw error
          }
        }
      }
      return {
        kind: 'first',
        finish: (digest, answer) =>
          end(() =>
            answer.body.length > maxAnswerBytes
              ? redis.del(key)
              : redis.set(key, JSON.stringify({ digest, answer } satisfies Kept), 'PX', retentionMs),
          ),
        release: () => atMost(releaseMs, end(release)),
      }
    },
  }
}

export function anotherCall(): Problem {
  const detail = 'this Idempotency-Key was used for a call with another body or query'
  return new Problem(422, 'idempotency-key-reused', detail, 'Idempotency-Key')
}

/** What was refused of a key that was derived from the Idempotency-Key: of the key itself the caller knows nothing. */
export function ofIdempotencyKey(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  if (error.code === 'another-body') return anotherCall()
  if (error.code !== 'cancelled') return error
  const detail = error.message.replace('put it under a new key', 'use another Idempotency-Key')
  return new Problem(error.status, error.code, detail, 'Idempotency-Key')
}

/** The same of a line of a bulk call: its Idempotency-Key is that of all lines, of which others may be as before. */
export function ofIdempotencyKeyOfLines(error: unknown): unknown {
  if (!(error instanceof Problem && error.code === 'another-body')) return ofIdempotencyKey(error)
  const detail = 'under this Idempotency-Key another message was accepted by this line'
  return new Problem(error.status, error.code, detail, 'Idempotency-Key')
}

/** The id of the history that a call makes, so that its repetition finds the same one even when no answer was kept. */
export function derivedHistoryId(owner: string, idempotencyKey: string, line = 0): string {
  return createHash('sha256').update(`${owner}\n${line}\n${idempotencyKey}`).digest('base64url').slice(0, 32)
}
