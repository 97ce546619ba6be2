/**
 * A text that a centre may deliver again is sent once. The memory is the API's: an Idempotency-Key made of the text gives the
 * same history key for a day, and what was put under that is never sent twice. The same text again, after a while and after
 * the centre was told that it was taken, is a new message: its Idempotency-Key is made of the text and the one before.
 */
import type { Acceptance, MessageInput } from '@courier-fleet/api-types'
import { type Client, isRefusal } from '@courier-fleet/client'
import type { Clock } from '@courier-fleet/process'
import { isProblem, retryWhileInProgress } from '../api-problems.ts'
import { digest } from '../digest.ts'
import type { Notes } from '../notes.ts'

/** a text that came, and of which the centre has not been told yet that it was taken */
export interface Unfinished {
  readonly key: string
  /** when it was to be sent, as it was understood then: `завтра` is another day after midnight */
  readonly at?: MessageInput['at']
}

export interface SendOnce {
  /** @param text names the text, its sender and whatever else tells it from others. @throws ApiError · UnreachableError */
  send(
    text: string,
    client: Client,
    message: MessageInput,
  ): Promise<Pick<Acceptance, 'key' | 'audience' | 'plan' | 'at'>>
  /** The centre has been told: it will not bring this one again, or soon if at all. */
  finish(text: string): Promise<void>
}

export interface SendOnceDeps {
  readonly unfinished: Notes<Unfinished>
  readonly clock: Clock
  /** within this the same text is the same message */
  readonly repeatMs: number
}

/** the same text so often a day is no longer counted */
const maxRepeats = 50

export function createSendOnce({ unfinished, clock, repeatMs }: SendOnceDeps): SendOnce {
  async function keyFor(text: string, client: Client): Promise<string> {
    let idempotencyKey = text
    for (let repeats = 1; ; repeats++) {
      const { key } = await retryWhileInProgress(() => client.issueKey({ idempotencyKey }))
      const { acceptedAt, cancelledAt } = await client.history(key)
      // what was cancelled since is over: the same text again is meant anew
      const isOpen = acceptedAt === undefined || (!cancelledAt && clock.now() - Date.parse(acceptedAt) < repeatMs)
      if (isOpen || repeats === maxRepeats) return key
      idempotencyKey = digest(text, acceptedAt)
    }
  }

  async function put(client: Client, key: string, message: MessageInput) {
    try {
      return await client.put(key, message)
    } catch (error) {
      // accepted before, when a name meant another group: what was accepted stands
      if (!isProblem(error, 'another-body')) throw error
      const { audience, plan, at } = await client.history(key)
      if (audience === undefined || at === undefined) throw error
      return { key, audience, at, ...(plan ? { plan } : {}) }
    }
  }

  return {
    async send(text, client, message) {
      const begun = await unfinished.get(text)
      const key = begun?.key ?? (await keyFor(text, client))
      const at = begun ? begun.at : message.at
      if (!begun) await unfinished.put(text, { key, ...(at === undefined ? {} : { at }) })
      try {
        return await put(client, key, at === undefined ? message : { ...message, at })
      } catch (error) {
        if (isRefusal(error)) await unfinished.remove(text)
        throw error
      }
    },
    finish: (text) => unfinished.remove(text),
  }
}
