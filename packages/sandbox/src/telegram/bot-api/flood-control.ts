/** How fast a bot may send: in all, and into one chat. */
import type { Limits } from '../../limits.ts'

/** A second's worth may go at once, and one message in any case; after that the pace is even. */
const burstMs = 1000

/** Unix ms at which a chat or an account that had sent without a break would be due again */
type DueTimes = Map<string, number>

export class FloodControl {
  readonly #accounts: DueTimes = new Map()
  readonly #chats: DueTimes = new Map()

  /** Takes one message into account, or says in how many whole seconds it may come again (nothing is counted then). */
  take(botId: bigint, address: string, limits: Limits['telegram'], nowMs: number): number {
    const chat = `${botId}:${address}`
    const waitMs = Math.max(
      waitOf(this.#accounts.get(String(botId)), limits.perSecond, nowMs),
      waitOf(this.#chats.get(chat), limits.perChatPerSecond, nowMs),
    )
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    charge(this.#accounts, String(botId), limits.perSecond, nowMs)
    charge(this.#chats, chat, limits.perChatPerSecond, nowMs)
    return 0
  }
}

function waitOf(dueMs: number | undefined, perSecond: number | null, nowMs: number): number {
  if (perSecond === null || dueMs === undefined) return 0
  return dueMs - nowMs - Math.max(0, burstMs - 1000 / perSecond)
}

const prunedAbove = 10_000

function charge(dueTimes: DueTimes, key: string, perSecond: number | null, nowMs: number): void {
  if (perSecond === null) return
  dueTimes.set(key, Math.max(dueTimes.get(key) ?? 0, nowMs) + 1000 / perSecond)
  if (dueTimes.size <= prunedAbove) return
  for (const [other, dueMs] of dueTimes) if (dueMs <= nowMs) dueTimes.delete(other)
}
