/** In which language people use Telegram, as it tells with what they write: for strangers, of whom nothing else is known. */
import { Api } from 'telegram'

export interface ClientLanguages {
  note(users: readonly Api.TypeUser[]): void
  /** A language tag. */
  of(address: string): string | undefined
}

/** The latest: each is told again with the next message. */
const maxKept = 1000

export function createClientLanguages(): ClientLanguages {
  const kept = new Map<string, string>()
  return {
    note(users) {
      for (const user of users) {
        if (!(user instanceof Api.User) || user.bot || !user.langCode) continue
        const address = String(user.id)
        kept.delete(address)
        kept.set(address, user.langCode)
      }
      for (const [address] of kept) {
        if (kept.size <= maxKept) break
        kept.delete(address)
      }
    },
    of: (address) => kept.get(address),
  }
}
