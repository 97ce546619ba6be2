/** Changes of one field of a subscription: whoever reads a field that somebody else changes meanwhile reads it again. */
import { type DisabledReason, systemSender } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { defineScript, hints, keys, numberReply, optionalReply, type Redis, writeAudit } from '@courier-fleet/store'
import type { Disabled, SealedSecret, Subscription } from './subscription.ts'

const changeScript = defineScript('change-subscription', {
  keys: ['record', 'due', 'all'],
  args: ['field', 'before', 'wanted', 'id'],
  reply: optionalReply(numberReply),
})

const rotatedForMs = 86_400_000
const maxSecrets = 3

/** The secrets that are valid now. */
export const validSecrets = ({ secrets }: Pick<Subscription, 'secrets'>, nowMs: number): readonly SealedSecret[] =>
  secrets.filter(({ untilMs }) => untilMs === undefined || untilMs > nowMs)

export interface SubscriptionChanges {
  /**
   * Adds a secret before those there are, which sign for a day more.
   * @param opens what does not open is dropped: while it is valid nothing can be signed
   * @returns the valid ones; undefined when it is gone
   */
  rotate(
    id: string,
    sealedSecret: string,
    opens: (sealed: string) => boolean,
  ): Promise<readonly SealedSecret[] | undefined>
  /** Nothing is sent any more until a replay is asked for. @returns whether that is new */
  disable(id: string, reason: DisabledReason, why: string): Promise<boolean>
  /** Its owner knows that it is disabled since then. */
  told(id: string, sinceMs: number): Promise<void>
  /** Has whatever changed since then sent again, also where it was disabled. @returns false when it is gone */
  replay(id: string, sinceMs: number): Promise<boolean>
  /** Whoever has done a replay says so; another that was asked for meanwhile stays. */
  replayed(id: string, sinceMs: number): Promise<void>
  /** That its last attempt failed, or did not. */
  setFailing(id: string, failing: Subscription['failing']): Promise<void>
}

export function createChanges({ redis, clock }: { redis: Redis; clock: Clock }): SubscriptionChanges {
  /** @returns what it is now, '' for nothing; undefined when there is no such subscription */
  async function change(id: string, field: string, make: (before: string) => string): Promise<string | undefined> {
    const record = keys.subscription(id)
    const places = { record, due: keys.subscriptionDue(id), all: keys.subscriptionsDue }
    for (;;) {
      const before = (await redis.hget(record, field)) ?? ''
      const wanted = make(before)
      const done = await changeScript(redis, places, { field, before, wanted, id })
      if (done === undefined) return undefined
      if (done === 1) return wanted
    }
  }

  return {
    async rotate(id, sealedSecret, opens) {
      const stored = await change(id, 'secrets', (before) => {
        const nowMs = clock.now()
        const valid = validSecrets({ secrets: JSON.parse(before || '[]') }, nowMs)
        const still = valid.filter(({ sealed }) => opens(sealed))
        const rotated = still.map(({ sealed, untilMs = nowMs + rotatedForMs }) => ({ sealed, untilMs }))
        return JSON.stringify([{ sealed: sealedSecret }, ...rotated].slice(0, maxSecrets))
      })
      return stored === undefined ? undefined : (JSON.parse(stored) as SealedSecret[])
    },

    async disable(id, reason, why) {
      let isNew = false
      await change(id, 'disabled', (before) => {
        isNew = before === ''
        return before || JSON.stringify({ sinceMs: clock.now(), reason, why } satisfies Disabled)
      })
      const owner = isNew ? await redis.hget(keys.subscription(id), 'owner') : undefined
      if (owner) {
        const detail = `${id}: ${why}`
        await writeAudit(redis, {
          action: 'subscription.disabled',
          by: systemSender,
          via: 'notifier',
          person: owner,
          detail,
        })
      }
      return isNew
    },

    async told(id, sinceMs) {
      await change(id, 'disabled', (before) => {
        const disabled = before === '' ? undefined : (JSON.parse(before) as Disabled)
        return disabled?.sinceMs === sinceMs ? JSON.stringify({ ...disabled, isTold: true } satisfies Disabled) : before
      })
    },

    async replay(id, sinceMs) {
      const asked = await change(id, 'replay', (before) => String(Math.min(sinceMs, Number(before || sinceMs))))
      if (asked === undefined) return false
      await change(id, 'failing', () => '')
      const isThere = (await change(id, 'disabled', () => '')) !== undefined
      await redis.spublish(hints.subscription, id)
      return isThere
    },

    async replayed(id, sinceMs) {
      await change(id, 'replay', (before) => (before === String(sinceMs) ? '' : before))
    },

    async setFailing(id, failing) {
      await change(id, 'failing', () => (failing === undefined ? '' : JSON.stringify(failing)))
    },
  }
}
