/** Why somebody was not reached, in the words of the page where a provider's own word is known. */
import type { Words } from './texts/en.ts'

/** the provider's code, as it stands between the colons of a receipt's reason → what it says of the contact */
const meanings: Readonly<Record<string, string>> = {
  'opted out': 'opted-out',
  USER_IS_BLOCKED: 'blocked',
  INPUT_USER_DEACTIVATED: 'deactivated',
  PEER_ID_INVALID: 'invalid',
  18: 'deactivated',
  900: 'blocked',
  901: 'blocked',
  902: 'blocked',
  936: 'invalid',
}

export function reasonWords(words: Words, reason: string): string {
  const [meaning] = reason.split(': ').flatMap((part) => meanings[part] ?? [])
  return (meaning && words.rehearsal.reasons[meaning]) ?? reason
}
