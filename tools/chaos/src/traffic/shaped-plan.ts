/** What a round asks for of messages in steps, corrected, withdrawn, merged and personal ones: drawn before anything is sent. */
import type { Random } from '../random.ts'
import type { ShapedChannel, ShapedPerson } from '../shaped-messages.ts'

/** Somebody presses the button, or writes back by SMS, so long after it was sent, and again until they are told that it is noted. */
export interface PlannedAnswer {
  readonly person: ShapedPerson
  readonly by: 'telegram' | 'sms'
  readonly inMs: number
}

/** One thing senders and their people do; `afterMs` into the round. */
export type ShapedAction = { readonly afterMs: number } & (
  | {
      readonly kind: 'steps'
      readonly people: readonly ShapedPerson[]
      readonly channels: readonly [ShapedChannel, ShapedChannel]
      readonly unless: 'sent' | 'confirmed'
      readonly answers: readonly PlannedAnswer[]
    }
  | {
      readonly kind: 'changed'
      readonly channels: readonly ShapedChannel[]
      readonly people: readonly ShapedPerson[]
      /** told by Telegram to wait before it is changed, so that they are given back and marked anew */
      readonly throttled: readonly ShapedPerson[]
      readonly correctInMs: number | undefined
      /** its correction tells also whoever is edited */
      readonly tellsAll: boolean
      readonly withdrawInMs: number | undefined
      /** it asks to be confirmed, where anybody answers */
      readonly answers: readonly PlannedAnswer[]
    }
  /** corrected while a courier stands still that has read its text, and has marked nobody yet */
  | { readonly kind: 'read-before'; readonly people: readonly ShapedPerson[] }
  | {
      readonly kind: 'pair'
      readonly person: ShapedPerson
      readonly dueInMs: number
      /** the second is due so long after the first */
      readonly laterMs: number
    }
  | {
      readonly kind: 'personal'
      readonly people: readonly ShapedPerson[]
      readonly correctInMs: number | undefined
      readonly tellsAll: boolean
    }
  | { readonly kind: 'kill'; readonly inbound: 'bot' | 'sms-inbound' }
)

const spreadMs = 1_500
/** as short as the API allows */
export const stepMs = 30_000
const pairs = 3

/** where a message goes that names no others */
export const everywhere = ['telegram', 'vk', 'sms'] as const

/** @param isLast nothing waits for a step in the last round, and nobody for it */
export function planShapedRound(
  people: readonly ShapedPerson[],
  random: Random,
  isLast: boolean,
): readonly ShapedAction[] {
  const afterMs = () => random.between(0, spreadMs)

  /** whoever Telegram does not reach writes back by SMS */
  function answerIn(person: ShapedPerson, inMs: number): PlannedAnswer {
    const hasTelegram = person.contacts.telegram !== undefined && !person.refusedBy.includes('telegram')
    return { person, by: hasTelegram ? 'telegram' : 'sms', inMs }
  }

  /** long before the step, about its time, or never */
  function answer(person: ShapedPerson): PlannedAnswer[] {
    const share = random.next()
    const inMs = share < 0.4 ? random.between(500, 20_000) : random.between(stepMs - 1_500, stepMs + 2_000)
    return share > 0.8 ? [] : [answerIn(person, inMs)]
  }

  /** about the time of the correction, once more after it, or both */
  const answerChanged = (person: ShapedPerson): PlannedAnswer[] => [
    ...(random.chance(0.6) ? [answerIn(person, random.between(100, 2_000))] : []),
    ...(random.chance(0.6) ? [answerIn(person, random.between(4_000, 8_000))] : []),
  ]

  function changed(
    what: 'corrected' | 'withdrawn' | 'both',
    channels: readonly ShapedChannel[] = everywhere,
  ): ShapedAction {
    const asks = what === 'corrected' && channels === everywhere && random.chance(0.5)
    const correctInMs = random.between(50, 1_200)
    const withdrawInMs = random.between(50, 1_500)
    return {
      kind: 'changed',
      channels,
      afterMs: afterMs(),
      people,
      throttled: (channels === everywhere ? people : []).filter(
        ({ refusedBy }) => refusedBy.length === 0 && random.chance(0.5),
      ),
      correctInMs: what === 'withdrawn' ? undefined : correctInMs,
      tellsAll: random.chance(0.5),
      withdrawInMs: what === 'corrected' ? undefined : withdrawInMs,
      answers: asks ? people.flatMap(answerChanged) : [],
    }
  }

  const inSteps: readonly ShapedAction[] = [
    {
      kind: 'steps',
      afterMs: 0,
      people,
      channels: ['telegram', 'sms'],
      unless: 'confirmed',
      answers: people.flatMap(answer),
    },
    { kind: 'steps', afterMs: 0, people, channels: ['sms', 'telegram'], unless: 'sent', answers: [] },
  ]
  return [
    ...(isLast ? [] : inSteps),
    changed('corrected'),
    changed(random.chance(0.3) ? 'both' : 'withdrawn'),
    changed(random.pick(['corrected', 'corrected', 'withdrawn', 'both'] as const), ['http']),
    { kind: 'read-before', afterMs: afterMs(), people },
    ...people.slice(0, pairs).map((person): ShapedAction => {
      const laterMs = random.between(1_000, 20_000)
      return { kind: 'pair', afterMs: 0, person, dueInMs: random.between(1_500, 3_000), laterMs }
    }),
    {
      kind: 'personal',
      afterMs: afterMs(),
      people,
      correctInMs: random.chance(0.6) ? random.between(50, 1_200) : undefined,
      tellsAll: random.chance(0.5),
    },
    ...(random.chance(0.3)
      ? [{ kind: 'kill', afterMs: afterMs(), inbound: random.pick(['bot', 'sms-inbound'] as const) } as const]
      : []),
  ]
}
