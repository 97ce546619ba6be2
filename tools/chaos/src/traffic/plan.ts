/** What a round asks for, drawn before anything is sent: how long answers take must not shift the numbers drawn. */
import { type Audience, type Channel, channels } from '../expectations.ts'
import type { Random } from '../random.ts'
import type { AudienceRange, People } from './population.ts'

export interface Draft {
  readonly to: readonly string[]
  readonly audience: Audience
  /** undefined: all */
  readonly channels: readonly Channel[] | undefined
  readonly class: 'urgent' | 'normal' | 'bulk'
  readonly words: string
  /** undefined: now */
  readonly dueInMs: number | undefined
  /** after it is due */
  readonly expiresInMs: number | undefined
  /** of a message of one part by SMS alone: so many of them at most; undefined: as many as it takes */
  readonly ceiling?: number
}

/** One thing a client does; `afterMs` into the round. */
export type Action = { readonly afterMs: number } & (
  | { readonly kind: 'post'; readonly draft: Draft; readonly again: 'no' | 'same' | 'another-body' }
  | { readonly kind: 'put'; readonly draft: Draft; readonly cancelInMs?: number; readonly reschedule?: Reschedule }
  | { readonly kind: 'put-repeatedly'; readonly draft: Draft; readonly copies: number; readonly laterMs: number }
  | { readonly kind: 'bulk'; readonly drafts: readonly Draft[] }
)

export interface Reschedule {
  readonly inMs: number
  /** from then on */
  readonly dueInMs: number
}

const spreadMs = 1_500
const bulkLines = 20
const firstEvery = 6
const everyoneEvery = 8

const words = [
  'Практика переносится на пятницу, аудитория 305.',
  'The rehearsal starts an hour later; bring your notes.',
  'Завтра занятий нет.',
  'Fire drill at noon',
]
/** several SMS parts, one message of every other channel */
const manyWords = [
  'Уважаемые студенты! Расписание второй недели изменено: лекции читаются в главном корпусе. '.repeat(6).trim(),
  'Dear students, the timetable of the second week has changed: see the board in the main hall. '.repeat(5).trim(),
]

export function planRound(index: number, random: Random, people: People): readonly Action[] {
  const afterMs = () => random.between(0, spreadMs)
  const someone = () => random.between(0, Math.min(people.size, people.first.until + 50) - 1)

  function draft(ranges: readonly AudienceRange[], more: Partial<Draft> = {}): Draft {
    return {
      to: ranges.map(({ to }) => to),
      audience: union(ranges),
      channels: undefined,
      class: random.pick(['urgent', 'normal', 'normal', 'bulk']),
      words: random.pick(random.chance(0.1) ? manyWords : words),
      dueInMs: undefined,
      expiresInMs: undefined,
      ...more,
    }
  }

  function personal(more: Partial<Draft> = {}): Draft {
    const person = someone()
    const range = { to: `user:${people.idOf(person)}`, from: person, until: person + 1 }
    return draft([range], random.chance(0.2) ? { channels: [random.pick(channels)], ...more } : more)
  }

  const groups = (count: number) => Array.from({ length: count }, () => random.pick(people.groups))

  /** of which some are in both */
  function neighbours(): AudienceRange[] {
    const at = random.between(0, people.groups.length - 2)
    return people.groups.slice(at, at + 2)
  }

  function ordinary(): Action {
    const expires = random.chance(0.05) ? { expiresInMs: random.between(300, 2_500) } : {}
    const message = personal(expires)
    if (random.chance(0.5)) return { kind: 'put', afterMs: afterMs(), draft: message }
    const again = random.chance(0.15) ? 'same' : random.chance(0.1) ? 'another-body' : 'no'
    return { kind: 'post', afterMs: afterMs(), draft: message, again }
  }

  const post = (message: Draft): Action => ({ kind: 'post', afterMs: afterMs(), draft: message, again: 'no' })
  const repeat = <T>(times: number, make: () => T): T[] => Array.from({ length: times }, make)
  const deferred = () => ({ dueInMs: random.between(1_000, 3_000) })

  return [
    ...repeat(random.between(15, 30), ordinary),
    ...repeat(random.between(2, 4), () => post(draft(groups(1)))),
    post(draft(neighbours())),
    post(draft(groups(1), { channels: ['sms'], words: random.pick(words), ceiling: random.between(2, 12) })),
    ...repeat(random.between(1, 2), () => post(draft(groups(1), deferred()))),
    { kind: 'put', afterMs: afterMs(), draft: draft(groups(1), deferred()), cancelInMs: random.between(0, 900) },
    { kind: 'put', afterMs: afterMs(), draft: draft(groups(3)), cancelInMs: random.between(5, 300) },
    {
      kind: 'put',
      afterMs: afterMs(),
      draft: draft(groups(1), deferred()),
      reschedule: { inMs: random.between(0, 600), dueInMs: random.between(100, 3_000) },
    },
    {
      kind: 'put-repeatedly',
      afterMs: afterMs(),
      draft: random.chance(0.5) ? personal() : draft(groups(1), random.chance(0.5) ? deferred() : {}),
      copies: random.between(2, 3),
      laterMs: random.between(200, 1_500),
    },
    {
      kind: 'bulk',
      afterMs: afterMs(),
      drafts: repeat(bulkLines, () => personal(random.chance(0.2) ? deferred() : {})),
    },
    ...(index % firstEvery === 2 ? [theFirst()] : []),
    ...(index % everyoneEvery === 4 ? [post(draft([people.everyone], { channels: ['vk'] }))] : []),
  ]

  function theFirst(): Action {
    const message = draft([people.first])
    const stopped = random.chance(0.3) ? { cancelInMs: random.between(50, 1_000) } : {}
    return { kind: 'put', afterMs: afterMs(), draft: message, ...stopped }
  }
}

function union(ranges: readonly AudienceRange[]): Audience {
  const people = new Set<number>()
  for (const { from, until } of ranges) for (let person = from; person < until; person += 1) people.add(person)
  return Uint32Array.from(people).sort()
}
