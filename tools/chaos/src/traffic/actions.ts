/** Does what a plan asks for, and enters in the expectations what was asked and what was answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import { channels, type Expectations, type Message } from '../expectations.ts'
import { mustRepeat, setDue, settle, told } from './answers.ts'
import type { Client, Reply, Request } from './client.ts'
import type { Action, Draft, Reschedule } from './plan.ts'

export interface ActionsDeps {
  readonly client: Client
  readonly expectations: Expectations
}

const iso = (ms: number) => new Date(ms).toISOString()

export interface Actions {
  perform(action: Action): Promise<void>
  /** Asks once more, word by word, what was never answered: a client that comes back, however much later. */
  askAgain(): Promise<void>
}

export function createActions(deps: ActionsDeps): Actions {
  return new AskingActions(deps)
}

const putting =
  (key: string) =>
  (body: unknown): Request => ({ method: 'PUT', path: `/v1/histories/${key}`, body })

/** What is public are fields, so that each can be handed on by itself. */
class AskingActions implements Actions {
  readonly #deps: ActionsDeps
  readonly #unanswered = new Map<Message, Request>()

  constructor(deps: ActionsDeps) {
    this.#deps = deps
  }

  /** Enters a message; the body is the same for every repetition. */
  #enter({ audience, to, words, dueInMs, expiresInMs, ceiling, ...draft }: Draft) {
    const nowMs = Date.now()
    const message = this.#deps.expectations.enter({
      audience,
      words,
      channels: draft.channels ?? channels,
      mayExpire: expiresInMs !== undefined,
      ceiling,
      notBeforeMs: nowMs + (dueInMs ?? 0),
    })
    const body = {
      to,
      text: message.text,
      class: draft.class,
      ...(draft.channels ? { channels: draft.channels } : {}),
      ...(ceiling === undefined ? {} : { ceiling: { parts: ceiling } }),
      ...(dueInMs === undefined ? {} : { at: iso(nowMs + dueInMs) }),
      ...(expiresInMs === undefined ? {} : { expires: iso(nowMs + (dueInMs ?? 0) + expiresInMs) }),
    }
    return { message, body }
  }

  /** Another message under the same key must be refused, and nobody may ever have it. */
  async #offerAnother(draft: Draft, status: number, request: (body: unknown) => Request): Promise<void> {
    const { message, body } = this.#enter({ ...draft, words: `${draft.words} Not this one` })
    const { answer } = await this.#deps.client.send(request(body))
    message.standing = 'refused'
    if (answer && answer.status !== status) {
      message.contradictions.push(
        `bears the key of another message: must be refused with ${status}, was ${told(answer)}`,
      )
    }
  }

  async #post(draft: Draft, again: 'no' | 'same' | 'another-body'): Promise<void> {
    const { message, body } = this.#enter(draft)
    const idempotencyKey = `message-${message.marker}`
    const request = (text: unknown): Request => ({ method: 'POST', path: '/v1/messages', body: text, idempotencyKey })
    const first = await this.#deps.client.send(request(body))
    settle(message, first)
    if (!first.answer) this.#unanswered.set(message, request(body))
    if (message.standing !== 'accepted') return
    if (again === 'same') mustRepeat(message, first, await this.#deps.client.send(request(body)))
    if (again === 'another-body') await this.#offerAnother(draft, 422, request)
  }

  async #issueKey(): Promise<string | undefined> {
    const { answer } = await this.#deps.client.send({ method: 'POST', path: '/v1/history-keys' })
    return answer?.status === 201 ? String(answer.body.key) : undefined
  }

  /** @returns the message once it is accepted; undefined otherwise */
  async #put(draft: Draft): Promise<Message | undefined> {
    const key = await this.#issueKey()
    if (key === undefined) return undefined
    const { message, body } = this.#enter(draft)
    message.key = key
    settle(message, await this.#deps.client.send(putting(key)(body)))
    return message.standing === 'accepted' ? message : undefined
  }

  async #putRepeatedly(draft: Draft, copies: number, laterMs: number): Promise<void> {
    const key = await this.#issueKey()
    if (key === undefined) return
    const { message, body } = this.#enter(draft)
    message.key = key
    const request = putting(key)(body)
    const replies = await Promise.all(Array.from({ length: copies }, () => this.#deps.client.send(request)))
    const first = replies.find(({ answer }) => answer && answer.status < 300) ?? (replies[0] as Reply)
    settle(message, { ...first, doubtful: replies.some(({ doubtful }) => doubtful) })
    if (replies.filter(({ answer }) => answer?.status === 201).length > 1) {
      message.contradictions.push('was put several times at once and answered 201, as created, more than once')
    }
    await sleep(laterMs)
    for (const again of [...replies, await this.#deps.client.send(request)]) mustRepeat(message, first, again)
    if (message.standing === 'accepted') await this.#offerAnother(draft, 409, putting(key))
  }

  async #cancel(message: Message): Promise<void> {
    const { answer } = await this.#deps.client.send({ method: 'DELETE', path: `/v1/histories/${message.key}` })
    if (answer?.status === 200) message.cancellation = answer.body.outcome === 'cancelled' ? 'cancelled' : 'stopping'
    else if (answer?.body.code === 'already-settled') message.cancellation = 'too-late'
    else message.cancellation = 'unanswered'
    if (message.cancellation === 'unanswered' && answer) {
      message.contradictions.push(`was accepted, and its cancellation answered ${told(answer)}`)
    }
  }

  /** A time answered counts; where an answer was lost, both may. */
  async #reschedule(message: Message, { dueInMs }: Reschedule): Promise<void> {
    const askedMs = Date.now() + dueInMs
    const earlier = Math.min(message.notBeforeMs, askedMs)
    const path = `/v1/histories/${message.key}`
    const { answer, doubtful } = await this.#deps.client.send({ method: 'PATCH', path, body: { at: iso(askedMs) } })
    if (answer?.status === 200) setDue(message, String(answer.body.at))
    else if (!answer || doubtful) message.notBeforeMs = earlier
    if (!answer || doubtful) message.dueMs = undefined
    if (answer && answer.status !== 200 && answer.body.code !== 'already-started') {
      message.contradictions.push(`was accepted, and its rescheduling answered ${told(answer)}`)
    }
  }

  async #bulk(drafts: readonly Draft[]): Promise<void> {
    const entered = drafts.map((draft) => this.#enter(draft))
    const idempotencyKey = `bulk-${entered[0]?.message.marker}`
    const { answers, doubtful, contradictions } = await this.#deps.client.sendBulk(
      entered.map(({ body }) => body),
      idempotencyKey,
    )
    for (const [line, { message }] of entered.entries()) settle(message, { answer: answers[line], doubtful })
    for (const { line, what } of contradictions) entered[line]?.message.contradictions.push(what)
  }

  readonly askAgain = async (): Promise<void> => {
    const ask = async ([message, request]: [Message, Request]) => {
      const { answer } = await this.#deps.client.send(request, 0)
      if (!answer) return
      this.#unanswered.delete(message)
      settle(message, { answer, doubtful: true })
    }
    await Promise.all([...this.#unanswered].map(ask))
  }

  readonly perform = async (action: Action): Promise<void> => {
    await sleep(action.afterMs)
    switch (action.kind) {
      case 'post':
        return this.#post(action.draft, action.again)
      case 'put-repeatedly':
        return this.#putRepeatedly(action.draft, action.copies, action.laterMs)
      case 'bulk':
        return this.#bulk(action.drafts)
      case 'put': {
        const message = await this.#put(action.draft)
        if (!message) return
        if (action.reschedule) {
          await sleep(action.reschedule.inMs)
          await this.#reschedule(message, action.reschedule)
        }
        if (action.cancelInMs !== undefined) {
          await sleep(action.cancelInMs)
          await this.#cancel(message)
        }
      }
    }
  }
}
