/** Does what a plan asks for, and enters in the book what was asked and what was answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Book, channels, type Message } from '../book.ts'
import type { Answer, Client, Reply, Request } from './client.ts'
import type { Deed, Draft, Reschedule } from './plan.ts'

export interface DeedsDeps {
  readonly client: Client
  readonly book: Book
}

/** Refusals that a late repetition, or a clock that was set, brings about; any other of these messages is a contradiction. */
const understandable = new Set(['past-at', 'expires-before-at'])

const iso = (ms: number) => new Date(ms).toISOString()

export interface Deeds {
  perform(deed: Deed): Promise<void>
  /** Asks once more, word by word, what was never answered: a client that comes back, however much later. */
  askAgain(): Promise<void>
}

export function createDeeds({ client, book }: DeedsDeps): Deeds {
  const unanswered = new Map<Message, Request>()

  /** Enters a message; the body is the same for every repetition. */
  function enter({ audience, to, words, dueInMs, expiresInMs, ...draft }: Draft) {
    const nowMs = Date.now()
    const message = book.enter({
      audience,
      words,
      channels: draft.channels ?? channels,
      mayExpire: expiresInMs !== undefined,
      notBeforeMs: nowMs + (dueInMs ?? 0),
    })
    const body = {
      to,
      text: message.text,
      class: draft.class,
      ...(draft.channels ? { channels: draft.channels } : {}),
      ...(dueInMs === undefined ? {} : { at: iso(nowMs + dueInMs) }),
      ...(expiresInMs === undefined ? {} : { expires: iso(nowMs + (dueInMs ?? 0) + expiresInMs) }),
    }
    return { message, body }
  }

  /** Takes the answer to the message itself; the first that accepts it counts. */
  function settle(message: Message, { answer, doubtful }: Reply): void {
    if (message.standing === 'accepted') {
      if (answer && answer.status < 300 && answer.body.key === message.key) return
      if (answer) message.contradictions.push(`exists as ${message.key}, and was answered ${told(answer)}`)
      return
    }
    if (answer && answer.status < 300) {
      message.standing = 'accepted'
      message.key = String(answer.body.key)
      if (typeof answer.body.at === 'string') setDue(message, answer.body.at)
      return
    }
    message.standing = !answer || doubtful ? 'unanswered' : 'refused'
    if (answer && !understandable.has(String(answer.body.code))) {
      message.contradictions.push(`was in order and refused: ${told(answer)}`)
    }
  }

  function setDue(message: Message, at: string): void {
    message.dueMs = Date.parse(at)
    message.notBeforeMs = message.dueMs
  }

  function mustRepeat(message: Message, first: Reply, again: Reply): void {
    if (!first.answer || first.answer.status >= 300 || !again.answer) return
    const [before, after] = [first.answer, again.answer]
    if (after.status >= 300 || !isSame(before.body, after.body)) {
      message.contradictions.push(`was answered ${told(before)} at first and ${told(after)} to the same request`)
    }
  }

  /** Another message under the same key must be refused, and nobody may ever have it. */
  async function offerAnother(draft: Draft, status: number, request: (body: unknown) => Request): Promise<void> {
    const { message, body } = enter({ ...draft, words: `${draft.words} Not this one` })
    const { answer } = await client.send(request(body))
    message.standing = 'refused'
    if (answer && answer.status !== status) {
      message.contradictions.push(
        `bears the key of another message: must be refused with ${status}, was ${told(answer)}`,
      )
    }
  }

  async function post(draft: Draft, again: 'no' | 'same' | 'another-body'): Promise<void> {
    const { message, body } = enter(draft)
    const idempotencyKey = `message-${message.marker}`
    const request = (text: unknown): Request => ({ method: 'POST', path: '/v1/messages', body: text, idempotencyKey })
    const first = await client.send(request(body))
    settle(message, first)
    if (!first.answer) unanswered.set(message, request(body))
    if (message.standing !== 'accepted') return
    if (again === 'same') mustRepeat(message, first, await client.send(request(body)))
    if (again === 'another-body') await offerAnother(draft, 422, request)
  }

  async function issueKey(): Promise<string | undefined> {
    const { answer } = await client.send({ method: 'POST', path: '/v1/history-keys' })
    return answer?.status === 201 ? String(answer.body.key) : undefined
  }

  const putting =
    (key: string) =>
    (body: unknown): Request => ({ method: 'PUT', path: `/v1/histories/${key}`, body })

  /** @returns the message once it is accepted; undefined otherwise */
  async function put(draft: Draft): Promise<Message | undefined> {
    const key = await issueKey()
    if (key === undefined) return undefined
    const { message, body } = enter(draft)
    message.key = key
    settle(message, await client.send(putting(key)(body)))
    return message.standing === 'accepted' ? message : undefined
  }

  async function putRepeatedly(draft: Draft, copies: number, laterMs: number): Promise<void> {
    const key = await issueKey()
    if (key === undefined) return
    const { message, body } = enter(draft)
    message.key = key
    const request = putting(key)(body)
    const replies = await Promise.all(Array.from({ length: copies }, () => client.send(request)))
    const first = replies.find(({ answer }) => answer && answer.status < 300) ?? (replies[0] as Reply)
    settle(message, first)
    if (replies.filter(({ answer }) => answer?.status === 201).length > 1) {
      message.contradictions.push('was put several times at once and answered 201, as created, more than once')
    }
    await sleep(laterMs)
    for (const again of [...replies, await client.send(request)]) mustRepeat(message, first, again)
    if (message.standing === 'accepted') await offerAnother(draft, 409, putting(key))
  }

  async function cancel(message: Message): Promise<void> {
    const { answer } = await client.send({ method: 'DELETE', path: `/v1/histories/${message.key}` })
    if (answer?.status === 200) message.cancellation = answer.body.outcome === 'cancelled' ? 'cancelled' : 'stopping'
    else if (answer?.body.code === 'already-settled') message.cancellation = 'too-late'
    else message.cancellation = 'unanswered'
    if (message.cancellation === 'unanswered' && answer) {
      message.contradictions.push(`was accepted, and its cancellation answered ${told(answer)}`)
    }
  }

  /** A time answered counts; where an answer was lost, both may. */
  async function reschedule(message: Message, { dueInMs }: Reschedule): Promise<void> {
    const askedMs = Date.now() + dueInMs
    const earlier = Math.min(message.notBeforeMs, askedMs)
    const path = `/v1/histories/${message.key}`
    const { answer, doubtful } = await client.send({ method: 'PATCH', path, body: { at: iso(askedMs) } })
    if (answer?.status === 200) setDue(message, String(answer.body.at))
    else if (!answer || doubtful) message.notBeforeMs = earlier
    if (!answer || doubtful) message.dueMs = undefined
    if (answer && answer.status !== 200 && answer.body.code !== 'already-started') {
      message.contradictions.push(`was accepted, and its rescheduling answered ${told(answer)}`)
    }
  }

  async function bulk(drafts: readonly Draft[]): Promise<void> {
    const entered = drafts.map(enter)
    const idempotencyKey = `bulk-${entered[0]?.message.marker}`
    const { answers, doubtful, contradictions } = await client.sendBulk(
      entered.map(({ body }) => body),
      idempotencyKey,
    )
    for (const [line, { message }] of entered.entries()) settle(message, { answer: answers[line], doubtful })
    for (const { line, what } of contradictions) entered[line]?.message.contradictions.push(what)
  }

  async function askAgain(): Promise<void> {
    const ask = async ([message, request]: [Message, Request]) => {
      const { answer } = await client.send(request, 0)
      if (!answer) return
      unanswered.delete(message)
      settle(message, { answer, doubtful: true })
    }
    await Promise.all([...unanswered].map(ask))
  }

  async function perform(deed: Deed): Promise<void> {
    await sleep(deed.afterMs)
    switch (deed.kind) {
      case 'post':
        return post(deed.draft, deed.again)
      case 'put-repeatedly':
        return putRepeatedly(deed.draft, deed.copies, deed.laterMs)
      case 'bulk':
        return bulk(deed.drafts)
      case 'put': {
        const message = await put(deed.draft)
        if (!message) return
        if (deed.reschedule) {
          await sleep(deed.reschedule.inMs)
          await reschedule(message, deed.reschedule)
        }
        if (deed.cancelInMs !== undefined) {
          await sleep(deed.cancelInMs)
          await cancel(message)
        }
      }
    }
  }

  return { perform, askAgain }
}

const told = ({ status, body }: Answer) => `${status} ${body.code ?? JSON.stringify(body)}`

const isSame = (one: Answer['body'], other: Answer['body']) =>
  ['key', 'at', 'expires', 'acceptedAt'].every((field) => one[field] === other[field]) &&
  JSON.stringify(one.audience) === JSON.stringify(other.audience)
