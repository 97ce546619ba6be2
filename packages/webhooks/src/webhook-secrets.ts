/**
 * The secrets by which receivers know that the fleet has called them, in Redis, sealed: a list, the newest first. Rotated, the one before
 * signs for a day more, so that a receiver may be given the new one meanwhile.
 *
 * Each step is one command or one transaction. Two who make the first at the same moment make two, and both sign for a day.
 */
import type { Clock } from '@courier-fleet/process'
import { keys, type Redis } from '@courier-fleet/store'
import { openSecret, type SealingKey, sealSecret } from './sealed-secrets.ts'
import { newSecret } from './signatures.ts'

/** Whose the secret of a person's own URL is; a sender's, by which the URLs they name are called, is by their id alone. */
export const ofPerson = (person: string): string => `person:${person}`

const validAfterMs = 86_400_000
/** at a time, the newest included */
const maxSecrets = 3

/** There is no FLEET_SECRET, or it is another than the one a secret was sealed under. */
export class NoSecret extends Error {}

export interface SecretState {
  /** Unix ms; absent before the first use */
  readonly madeMs?: number
  /** how many sign now */
  readonly valid: number
}

export interface WebhookSecrets {
  /** Makes the first, where there is none. @throws NoSecret */
  ensure(owner: string): Promise<void>
  /** All that sign, the newest first. @throws NoSecret */
  valid(owner: string): Promise<string[]>
  /** @returns the new one, which is told nowhere else. @throws NoSecret */
  rotate(owner: string): Promise<string>
  describe(owner: string): Promise<SecretState>
  /** None of them signs any more: whose they were is called no more, or somewhere else. */
  forget(owner: string): Promise<void>
}

interface WebhookSecretsDeps {
  readonly redis: Redis
  /** undefined: none can be made, or read */
  readonly sealingKey: SealingKey | undefined
  /** Unix ms */
  readonly clock: Clock
}

interface Sealed {
  readonly madeMs: number
  readonly text: string
}

export function createWebhookSecrets({ redis, sealingKey, clock }: WebhookSecretsDeps): WebhookSecrets {
  const required = (): SealingKey => {
    if (!sealingKey) throw new NoSecret('FLEET_SECRET is not set: without it nothing can be signed')
    return sealingKey
  }

  async function validNow(owner: string): Promise<Sealed[]> {
    const entries = await redis.lrange(keys.webhookSecrets(owner), 0, maxSecrets - 1)
    const sealed = entries.map((entry): Sealed => {
      const [madeMs, text = ''] = entry.split(' ')
      return { madeMs: Number(madeMs), text }
    })
    return sealed.filter((_each, index) => {
      const newer = sealed[index - 1]
      return !newer || newer.madeMs + validAfterMs > clock.now()
    })
  }

  async function add(owner: string): Promise<string> {
    const secret = newSecret()
    const key = keys.webhookSecrets(owner)
    const entry = `${clock.now()} ${sealSecret(required(), secret, owner)}`
    const replies = await redis
      .multi()
      .lpush(key, entry)
      .ltrim(key, 0, maxSecrets - 1)
      .exec()
    for (const [error] of replies ?? []) if (error) throw error
    return secret
  }

  return {
    async ensure(owner) {
      required()
      if ((await redis.exists(keys.webhookSecrets(owner))) === 0) await add(owner)
    },
    async valid(owner) {
      const key = required()
      const opened = (await validNow(owner)).flatMap(({ text }) => openSecret(key, text, owner) ?? [])
      if (opened.length === 0)
        throw new NoSecret('there is no webhook secret, or it was sealed under another FLEET_SECRET')
      return opened
    },
    rotate: add,
    async forget(owner) {
      await redis.del(keys.webhookSecrets(owner))
    },
    async describe(owner) {
      const valid = await validNow(owner)
      return { ...(valid[0] ? { madeMs: valid[0].madeMs } : {}), valid: valid.length }
    },
  }
}
