/**
 * Messages that go in steps, ask to be confirmed, are corrected, withdrawn or merged, or say another thing to each: what was asked of the API,
 * what it answered and what their people did. Written by the traffic, read by the oracle. Facts only, as in expectations.ts.
 */
import type { Message } from './expectations.ts'

export const shapedChannels = ['telegram', 'vk', 'sms', 'http'] as const
export type ShapedChannel = (typeof shapedChannels)[number]

export interface ShapedPerson {
  readonly id: string
  readonly name: string
  readonly language: 'ru' | 'en'
  /** where they are reached; absent: they have no such contact */
  readonly contacts: Readonly<Partial<Record<ShapedChannel, string>>>
  /** whose providers take nothing for them */
  readonly refusedBy: readonly ShapedChannel[]
}

export interface Answer {
  /** as it stood on their phone */
  readonly text: string
  /** Unix ms */
  readonly atMs: number
}

/** Another text that was asked for. */
export interface Correction {
  /** what somebody is to read instead */
  readonly textFor: (person: ShapedPerson) => string
  /** as it was asked for: the history shows one of them */
  readonly texts: readonly string[]
  /** whoever is edited is told by a message of its own, too */
  readonly tellsAll: boolean
  /** Unix ms */
  readonly askedMs: number
  /** that was answered */
  isAccepted: boolean
}

export interface ShapedMessage
  extends Pick<Message, 'marker' | 'standing' | 'key' | 'notBeforeMs' | 'dueMs' | 'contradictions'> {
  readonly people: readonly ShapedPerson[]
  /** with steps: that of the first, then that of the second */
  readonly channels: readonly ShapedChannel[]
  /** what somebody is to read, as it was accepted */
  readonly textFor: (person: ShapedPerson) => string
  /** whether its texts are not the same for everybody */
  readonly isPersonal: boolean
  readonly steps: { readonly afterMs: number; readonly unless: 'sent' | 'confirmed' } | undefined
  readonly asksToConfirm: boolean
  /** that of the one which is due first, of a pair that may go out as one message */
  readonly first: ShapedMessage | undefined
  correction: Correction | undefined
  /** what was answered when it was withdrawn */
  withdrawal: 'withdrawing' | 'cancelled' | 'unanswered' | undefined
  /** by id, what those have read who have pressed the button, or written back, and when that was done */
  readonly answers: Map<string, readonly Answer[]>
  /** ids of those who were told that it is noted */
  readonly notedOf: Set<string>
}

export type ShapedEntry = Pick<ShapedMessage, 'people' | 'channels' | 'notBeforeMs'> &
  Partial<Pick<ShapedMessage, 'isPersonal' | 'steps' | 'asksToConfirm' | 'first'>> & {
    /** by language, without the marker */
    readonly words: (person: ShapedPerson) => string
  }

export interface ShapedMessages {
  readonly people: readonly ShapedPerson[]
  /** by marker */
  readonly messages: readonly ShapedMessage[]
  /** Enters a message that is about to be asked for, and gives it its texts. */
  enter(entry: ShapedEntry): ShapedMessage
}

export const shapedText = (marker: number, words: string) => `[s${marker}] ${words}`

/** The markers of the messages a text holds, in their order. */
export const shapedMarkersIn = (text: string): number[] =>
  Array.from(text.matchAll(/\[s(\d+)\] /g), ([, marker]) => Number(marker))

export function createShapedMessages(people: readonly ShapedPerson[]): ShapedMessages {
  const messages: ShapedMessage[] = []
  return {
    people,
    messages,
    enter({ words, isPersonal = false, steps, asksToConfirm = false, first, ...entry }) {
      const marker = messages.length
      const message: ShapedMessage = {
        ...entry,
        marker,
        isPersonal,
        steps,
        asksToConfirm,
        first,
        textFor: (person) => shapedText(marker, words(person)),
        standing: 'asked',
        key: undefined,
        dueMs: undefined,
        contradictions: [],
        correction: undefined,
        withdrawal: undefined,
        answers: new Map(),
        notedOf: new Set(),
      }
      messages.push(message)
      return message
    },
  }
}
