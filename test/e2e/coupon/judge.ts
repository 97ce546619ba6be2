/** What the stand-ins took, held against what was to go out. */
import type { Reminder } from './plan.ts'

export interface Taken {
  readonly address: string
  readonly text: string
  /** Unix ms */
  readonly at: number
}

export interface Verdict {
  /** how many texts stood in each message */
  readonly textsIn: readonly number[]
  /** of each reminder that came, ms after it was due; below 0 where it went with one that was due before */
  readonly lateMs: readonly number[]
  /** the numbers of what went out as one, the first first */
  readonly joined: readonly (readonly number[])[]
  /** what does not hold, in words; nothing where all does */
  readonly troubles: readonly string[]
}

export interface Expected {
  readonly remaining: readonly Reminder[]
  readonly windowMs: number
  readonly messages: number
  /** when the burst begins, Unix ms */
  readonly beginsAt: number
  addressOf(person: number): string
}

const mark = '№'
export const textOf = ({ coupon, number }: Reminder) => `Купон ${coupon} можно забрать через минуту. ${mark}${number}`
const numbersIn = (text: string) => [...text.matchAll(/№(\d+)/g)].map(([, number]) => Number(number))

export function judge(taken: Iterable<Taken>, expected: Expected): Verdict {
  const { remaining, windowMs, messages, beginsAt, addressOf } = expected
  const wanted = new Map(remaining.map((each) => [each.number, each]))
  const seen = new Map<number, number>()
  const [textsIn, lateMs, joined]: [number[], number[], number[][]] = [[], [], []]
  const wrong = { twice: 0, unasked: 0, misled: 0, early: 0 }
  for (const { address, text, at } of taken) {
    const numbers = numbersIn(text)
    textsIn.push(numbers.length)
    if (numbers.length > 1) joined.push(numbers)
    for (const [place, number] of numbers.entries()) {
      const reminder = wanted.get(number)
      const times = (seen.get(number) ?? 0) + 1
      seen.set(number, times)
      if (times > 1) wrong.twice += 1
      if (!reminder) {
        wrong.unasked += 1
        continue
      }
      const late = at - beginsAt - reminder.afterMs
      lateMs.push(late)
      if (address !== addressOf(reminder.person)) wrong.misled += 1
      if (late < (place === 0 ? 0 : -windowMs)) wrong.early += 1
    }
  }
  const missing = remaining.filter(({ number }) => !seen.has(number)).length
  const apart = textsIn.length - messages
  const troubles = [
    missing && `${missing} did not come`,
    wrong.twice && `${wrong.twice} came twice`,
    wrong.unasked && `${wrong.unasked} came though they were cancelled, or nobody had asked for them`,
    wrong.misled && `${wrong.misled} came to somebody else`,
    wrong.early && `${wrong.early} came before their time`,
    apart > 0 && `${apart} messages too many: what is near is to go out as one`,
    apart < 0 && missing === 0 && `${-apart} messages too few: what is far apart is to go by itself`,
  ]
  return { textsIn, lateMs, joined, troubles: troubles.filter((each) => typeof each === 'string') }
}
