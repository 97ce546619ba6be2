import { smsPartsOf } from '@courier-fleet/api-types'

const isOnePart = (text: string) => smsPartsOf(text).parts.length <= 1

/** The first of these that one SMS holds (70 characters of Cyrillic, 160 of GSM 03.38); the last is cut where none does. */
export function onePart(...candidates: readonly [string, ...string[]]): string {
  const fitting = candidates.find(isOnePart)
  if (fitting !== undefined) return fitting
  const letters = [...(candidates.at(-1) as string)]
  while (letters.length > 0 && !isOnePart(letters.join(''))) letters.pop()
  return letters.join('')
}
