/** Quiet hours as people write them: `23-7`, `23:30-7:00`, `с 23 до 7`; `нет` for none, `обычно` for those of the fleet. */
import { type OwnQuietHours, ownQuietHours } from '@courier-fleet/api-types'
import { isSame, spellingOf } from './spelling.ts'

/** `fleet`: none of one's own. */
export type Hours = OwnQuietHours | 'fleet'

const words: readonly (readonly [Hours, readonly string[]])[] = [
  ['never', ['НЕТ', 'НИКОГДА', 'NO', 'NEVER']],
  ['fleet', ['ОБЫЧНО', 'КАК ВСЕ', 'OFF', 'USUAL']],
]
const pattern = /^(?:с|from)?\s*(\d{1,2})(?:[:.](\d\d))?\s*(?:[-–—]|до|to)\s*(\d{1,2})(?:[:.](\d\d))?$/i

/** @returns undefined for what is no hours, or would be quiet nearly all day */
export function readHours(text: string): Hours | undefined {
  const spelling = spellingOf(text)
  const found = words.find(([, list]) => list.some((word) => isSame(spelling, spellingOf(word))))
  if (found) return found[0]
  const [, fromHour, fromMinute = '00', toHour, toMinute = '00'] = pattern.exec(text.trim()) ?? []
  if (fromHour === undefined || toHour === undefined) return undefined
  const [from, to] = [`${fromHour.padStart(2, '0')}:${fromMinute}`, `${toHour.padStart(2, '0')}:${toMinute}`]
  const hours = ownQuietHours.safeParse({ from, to })
  return hours.success && from !== to ? hours.data : undefined
}
