/** What an answer, or none, says of a message: entered with it, contradictions included. */
import type { Message } from '../expectations.ts'
import type { Answer, Reply } from './client.ts'

/** Refusals that a late repetition, a clock that was set, or quiet hours bring about; any other of these messages is a contradiction. */
const understandable = new Set(['past-at', 'expires-before-at', 'nobody-in-time'])

/** what answers say of it */
type Answered = Pick<Message, 'standing' | 'key' | 'notBeforeMs' | 'dueMs' | 'contradictions'>

/** Takes the answer to the message itself; the first that accepts it counts. */
export function settle(message: Answered, { answer, doubtful }: Reply): void {
  if (message.standing === 'accepted') {
    if (answer && answer.status < 300 && answer.body.key === message.key) return
    if (answer) message.contradictions.push(`exists as ${message.key}, and was answered ${told(answer)}`)
    return
  }
  if (answer && answer.status < 300) {
    message.standing = 'accepted'
    message.key = String(answer.body.key)
    const { notBeforeMs } = message
    if (typeof answer.body.at === 'string') setDue(message, answer.body.at)
    // what an earlier request wrote may have gone out when it was asked for, and been lost with its master: the one that was answered has
    // accepted it anew, and where that time has passed says its own
    if (doubtful) message.notBeforeMs = Math.min(notBeforeMs, message.notBeforeMs)
    return
  }
  message.standing = !answer || doubtful ? 'unanswered' : 'refused'
  if (answer && !understandable.has(String(answer.body.code))) {
    message.contradictions.push(`was in order and refused: ${told(answer)}`)
  }
}

export function setDue(message: Answered, at: string): void {
  message.dueMs = Date.parse(at)
  message.notBeforeMs = message.dueMs
}

export function mustRepeat(message: Answered, first: Reply, again: Reply): void {
  if (!first.answer || first.answer.status >= 300 || !again.answer) return
  const [before, after] = [first.answer, again.answer]
  if (after.status >= 300 || !isSame(before.body, after.body)) {
    message.contradictions.push(`was answered ${told(before)} at first and ${told(after)} to the same request`)
  }
}

export const told = ({ status, body }: Answer) =>
  `${status} ${body.code === undefined ? JSON.stringify(body) : `${body.code}: ${body.detail}`}`

const isSame = (one: Answer['body'], other: Answer['body']) =>
  ['key', 'at', 'expires', 'acceptedAt'].every((field) => one[field] === other[field]) &&
  JSON.stringify(one.audience) === JSON.stringify(other.audience)
