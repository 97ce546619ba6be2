/**
 * FLOOD_WAIT does not say whether it is the bot or the chat that has had too much, and a pause of the bot holds up everyone. It is
 *
 *   the chat's     when this process has just served it: its own limit (about one message a second) is reached by nothing else
 *   the chat's     when no other chat has been told to wait: one alone says nothing of the others
 *   the account's  when two chats have, and nothing was accepted between that was asked for after the first of them
 *
 * One more call than needed is made of an account that is to wait, and nobody else waits for one chat.
 */
export interface Floods {
  /** A message into this chat was accepted that was handed over at this time. */
  served(address: string, askedAt: number): void
  /** Whose it is when this chat is told to wait. */
  scopeOf(address: string, seconds: number): 'account' | 'recipient'
}

/** how long a served chat is remembered: at least this, at most twice as long */
const rememberedMs = 3000

/** The first chat that was told to wait, while that may be the account's. */
interface Suspicion {
  readonly address: string
  readonly since: number
  readonly until: number
}

export function createFloods(now: () => number): Floods {
  let older = new Set<string>()
  let newer = new Set<string>()
  let renewAt = now() + rememberedMs
  let suspicion: Suspicion | undefined

  const renew = () => {
    if (now() < renewAt) return
    older = now() < renewAt + rememberedMs ? newer : new Set()
    newer = new Set()
    renewAt = now() + rememberedMs
  }
  return {
    served(address, askedAt) {
      renew()
      newer.add(address)
      if (suspicion && askedAt >= suspicion.since) suspicion = undefined
    },
    scopeOf(address, seconds) {
      renew()
      if (newer.has(address) || older.has(address)) return 'recipient'
      if (suspicion && now() < suspicion.until && suspicion.address !== address) return 'account'
      suspicion = { address, since: now(), until: now() + seconds * 1000 }
      return 'recipient'
    },
  }
}
