import { steadyClock } from './clock.ts'

/**
 * Says the same thing once in a while, however often it happens, and then how often it was left unsaid: what is tried four
 * times a second for an hour fills no disk.
 */
export function seldom(
  say: (fields: object, text: string) => void,
  everyMs = 10_000,
): (fields: object, text: string) => void {
  const lately = new Map<string, { saidAt: number; unsaid: number }>()
  return (fields, text) => {
    const last = lately.get(text)
    const now = steadyClock.now()
    if (last && now - last.saidAt < everyMs) {
      last.unsaid += 1
      return
    }
    lately.set(text, { saidAt: now, unsaid: 0 })
    say(last && last.unsaid > 0 ? { ...fields, unsaid: last.unsaid } : fields, text)
  }
}
