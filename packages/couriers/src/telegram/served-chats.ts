/**
 * FLOOD_WAIT does not say whether it is the bot or the chat that has had too much. The chat's own limit (about one message
 * a second) can only be reached by a chat that has just had a message; so a flood is the chat's when this process has just
 * served it, and the account's otherwise. When another process has served it, the whole account pauses for a moment: too
 * careful, never too bold.
 */
export interface ServedChats {
  served(address: string): void
  servedLately(address: string): boolean
}

/** how long a chat is remembered: at least this, at most twice as long */
const rememberedMs = 3000

export function createServedChats(now: () => number): ServedChats {
  let older = new Set<string>()
  let newer = new Set<string>()
  let renewAt = now() + rememberedMs

  const renew = () => {
    if (now() < renewAt) return
    older = now() < renewAt + rememberedMs ? newer : new Set()
    newer = new Set()
    renewAt = now() + rememberedMs
  }
  return {
    served(address) {
      renew()
      newer.add(address)
    },
    servedLately(address) {
      renew()
      return newer.has(address) || older.has(address)
    },
  }
}
