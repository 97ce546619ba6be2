/**
 * What was asked of the API, and what it answered: written by the traffic, read by the oracle. Facts only; the oracle judges.
 * Hundreds of rounds are kept, so people are numbers and audiences are shared.
 */
export const channels = ['telegram', 'vk', 'sms', 'http'] as const
export type Channel = (typeof channels)[number]

/** To which a message goes where the first phone of somebody certainly takes nothing. */
export interface NextPhone {
  readonly address: string
  /** whether the provider takes messages for it */
  readonly isReachable: boolean
}

/** The people the traffic writes to. A person is a number from 0; ids sort like their numbers. */
export interface Population {
  readonly size: number
  idOf(person: number): string
  /** where the person is reached, as the provider names it; undefined when there is no such contact */
  contactOf(channel: Channel, person: number): string | undefined
  /** undefined when they have one phone, or none */
  nextPhoneOf(person: number): NextPhone | undefined
  /** whose address this is, of whichever phone; undefined when it is nobody's */
  personAt(channel: Channel, address: string): number | undefined
  /** whether the provider takes messages for this contact; of two phones for the first */
  isReachable(channel: Channel, person: number): boolean
}

/** Whom a message is for, each once, in the order of their ids. */
export type Audience = Uint32Array

/** What is known of a cancellation: the last thing answered, or that nothing was. */
export type Cancellation = 'cancelled' | 'stopping' | 'too-late' | 'unanswered'

export interface Message {
  /** its index in the expectations; stands at the start of its text */
  readonly marker: number
  readonly text: string
  readonly audience: Audience
  /** those asked for; all when the sender named none */
  readonly channels: readonly Channel[]
  /** whether it was given a time after which it is not sent */
  readonly mayExpire: boolean
  /** so many SMS of one part it may come to; undefined: as many as it takes */
  readonly ceiling?: number | undefined
  /** Unix ms of the first request */
  readonly askedMs: number
  /** accepted: answered 2xx, or found later; unanswered: it may exist or not; asked: the request is under way */
  standing: 'asked' | 'accepted' | 'refused' | 'unanswered'
  /** of its history, as far as it was told */
  key: string | undefined
  /** Unix ms: nobody may have it before */
  notBeforeMs: number
  /** Unix ms: the due time answered last; undefined when a lost answer leaves it open */
  dueMs: number | undefined
  cancellation: Cancellation | undefined
  /** answers that contradict each other or what was asked, in words */
  readonly contradictions: string[]
}

export type Entry = Pick<Message, 'audience' | 'channels' | 'mayExpire' | 'ceiling' | 'notBeforeMs'> & {
  readonly words: string
}

export interface Expectations {
  readonly population: Population
  /** how far Redis's clocks may be from each other, and from ours */
  readonly clocksApartMs: number
  /** by marker */
  readonly messages: readonly Message[]
  /** Enters a message that is about to be asked for, and gives it its text. */
  enter(entry: Entry): Message
}

export function createExpectations(population: Population, clocksApartMs = 0): Expectations {
  const messages: Message[] = []
  return {
    population,
    clocksApartMs,
    messages,
    enter({ words, ...entry }) {
      const marker = messages.length
      const message: Message = {
        ...entry,
        marker,
        text: `[m${marker}] ${words}`,
        askedMs: Date.now(),
        standing: 'asked',
        key: undefined,
        dueMs: undefined,
        cancellation: undefined,
        contradictions: [],
      }
      messages.push(message)
      return message
    },
  }
}

/** The marker a text bears; undefined when it bears none. */
export function markerIn(text: string): number | undefined {
  const found = /^\[m(\d+)\] /.exec(text)
  return found ? Number(found[1]) : undefined
}
