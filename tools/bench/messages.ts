/** The messages of a bench: 105 bytes of Cyrillic text, each with its own number, for one person each. */
import type { MessageInput } from '@courier-fleet/api-types'
import { userToken } from './ours/people.ts'

const words = 'Занятие перенесено в аудиторию 305, начало в 10:15. №'
const digits = 16

/** exactly 105 bytes in UTF-8 */
export const textOf = (number: number) => words + String(number).padStart(digits, '0')
export const numberIn = (text: string) => Number(text.slice(words.length))

/** BullMQ's data: the same two things */
export const jobData = { to: [userToken(0)], text: textOf(0) }

export interface MessageOptions {
  readonly count: number
  /** number of the first */
  readonly first?: number
  /** messages go round these many people */
  readonly people: number
  /** Unix ms, of the message with this index; now when absent */
  readonly dueAt?: (index: number) => number
  readonly channels?: string[]
}

export function* messagesFor({ count, first = 0, people, dueAt, channels }: MessageOptions): Generator<MessageInput> {
  for (let index = 0; index < count; index++) {
    yield {
      to: [userToken(index % people)],
      text: textOf(first + index),
      ...(dueAt ? { at: new Date(dueAt(index)).toISOString() } : {}),
      ...(channels ? { channels } : {}),
    }
  }
}
