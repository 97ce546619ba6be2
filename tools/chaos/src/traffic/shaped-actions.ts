/** Sends messages in steps, corrects, withdraws, pairs … as planned, and enters what was asked and what was answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseHistoryKey } from '@courier-fleet/api-types'
import type { Sandbox } from '@courier-fleet/launch'
import { keys } from '@courier-fleet/store'
import {
  type Correction,
  type ShapedEntry,
  type ShapedMessage,
  type ShapedMessages,
  type ShapedPerson,
  shapedText,
} from '../shaped-messages.ts'
import { type Answering, createAnswering } from './answering.ts'
import { settle, told } from './answers.ts'
import type { Client, Request } from './client.ts'
import type { ShapedAction } from './shaped-plan.ts'
import { everywhere, stepMs } from './shaped-plan.ts'

export interface ShapedActionsDeps {
  readonly client: Client
  readonly shaped: ShapedMessages
  readonly sandbox: Sandbox
  /** SIGKILL of the process that people write to; it is started again */
  readonly killInbound: (name: 'bot' | 'sms-inbound') => void
  /** SIGSTOP of whichever courier of the channel reads this next, while something else happens */
  readonly freezeReader: (
    reading: { readonly channel: 'telegram'; readonly holds: string; readonly withinMs: number },
    meanwhile: () => Promise<void>,
  ) => Promise<void>
}

export interface ShapedActions {
  /** Resolves when everything was asked; people go on answering. */
  perform(action: ShapedAction): Promise<void>
  /** Asks once more, word by word, what was never answered. */
  askAgain(): Promise<void>
  /** Resolves when nobody is about to answer any more. */
  finish(): Promise<void>
}

type ActionOf<Kind extends ShapedAction['kind']> = Extract<ShapedAction, { kind: Kind }>

export const shapedType = 'shaped'
export const pairType = 'shaped-pair'
/** what is told later than that is late */
const deadline = 'PT5S'
const mergeWindow = 'PT60S'
const patienceMs = 60_000
/** time for a courier to read what was asked for, also where the one that does is started anew */
const readWithinMs = 30_000

const sayings = {
  steps: { ru: 'Лаба в 18:10, ауд. 214', en: 'The lab is at 18:10, room 214' },
  changed: { ru: 'Экзамен в понедельник', en: 'The exam is on Monday' },
  corrected: { ru: 'Экзамен во вторник', en: 'The exam is on Tuesday' },
  toEach: { ru: '{{name}}, занятие в {{room}}', en: '{{name}}, the class is in {{room}}' },
  correctedToEach: { ru: '{{name}}, {{room}} отменяется', en: '{{name}}, nothing is in {{room}}' },
  first: { ru: 'Сдайте книги в библиотеку', en: 'Return your books' },
  second: { ru: 'Собрание в 18:00', en: 'Meeting at 18:00' },
} as const
type Saying = Readonly<Record<'ru' | 'en', string>>
const iso = (ms: number) => new Date(ms).toISOString()
const same = (what: keyof typeof sayings) => () => sayings[what].ru

/** The types of these messages, as an operator puts them. @throws Error when they are not taken */
export async function putShapedTypes(client: Client): Promise<void> {
  for (const [type, rule] of [
    [shapedType, { deadline }],
    [pairType, { merge: mergeWindow }],
  ] as const) {
    const body = { name: { ru: 'Разное', en: 'Of many shapes' }, ...rule }
    const { answer } = await client.send({ method: 'PUT', path: `/v1/types/${type}`, body }, patienceMs)
    if (!answer || answer.status >= 300) throw new Error(`the type ${type} was answered ${answer && told(answer)}`)
  }
}

export function createShapedActions(deps: ShapedActionsDeps): ShapedActions {
  return new ShapedAsking(deps)
}

class ShapedAsking implements ShapedActions {
  readonly #deps: ShapedActionsDeps
  readonly #answering: Answering
  readonly #unanswered = new Map<ShapedMessage, Request>()
  readonly #answers: Promise<void>[] = []

  constructor(deps: ShapedActionsDeps) {
    this.#deps = deps
    this.#answering = createAnswering(deps.sandbox)
  }

  /**
   * @param key issued for it, where it is to have this one
   * @returns the message; whether it was accepted it says itself
   */
  async #post(entry: ShapedEntry, more: Readonly<Record<string, unknown>>, key?: string): Promise<ShapedMessage> {
    const message = this.#deps.shaped.enter(entry)
    const [anybody] = entry.people as readonly [ShapedPerson]
    const to = entry.people.map(({ id }) => `user:${id}`)
    const body = { to, type: shapedType, text: message.textFor(anybody), ...more }
    const request: Request =
      key === undefined
        ? { method: 'POST', path: '/v1/messages', body, idempotencyKey: `shaped-${message.marker}` }
        : { method: 'PUT', path: `/v1/histories/${key}`, body }
    const reply = await this.#deps.client.send(request)
    settle(message, reply)
    if (!reply.answer) this.#unanswered.set(message, request)
    return message
  }

  async #goInSteps({ people, channels, unless, answers }: ActionOf<'steps'>): Promise<void> {
    const asksToConfirm = unless === 'confirmed'
    const steps = { afterMs: stepMs, unless }
    const entry = { people, channels, steps, asksToConfirm, notBeforeMs: Date.now(), words: same('steps') }
    const message = await this.#post(entry, {
      steps: [{ channels: [channels[0]] }, { channels: [channels[1]], after: `PT${stepMs / 1000}S`, unless }],
      ...(asksToConfirm ? { confirm: true } : {}),
    })
    if (message.standing === 'accepted')
      this.#answers.push(...answers.map((answer) => this.#answering.answer(message, answer)))
  }

  readonly #correct = (message: ShapedMessage, tellsAll: boolean): Promise<void> => {
    const text = shapedText(message.marker, sayings.corrected.ru)
    return this.#give(message, text, { textFor: () => text, tellsAll })
  }

  /** @param text as it is asked for, perhaps in languages and with fields; its values stay those of the message */
  async #give(
    message: ShapedMessage,
    text: string | Readonly<Record<string, string>>,
    { textFor, tellsAll }: Pick<Correction, 'textFor' | 'tellsAll'>,
  ): Promise<void> {
    const texts = typeof text === 'string' ? [text] : Object.values(text)
    const correction = { textFor, texts, tellsAll, askedMs: Date.now(), isAccepted: false }
    message.correction = correction
    const { answer } = await this.#deps.client.send({
      method: 'POST',
      path: `/v1/histories/${message.key}/corrections`,
      body: { text, ...(tellsAll ? { followUp: 'always' } : {}) },
      idempotencyKey: `shaped-correction-${message.marker}`,
    })
    if (answer?.status === 202) correction.isAccepted = true
    else if (answer) message.contradictions.push(`was accepted, and its correction answered ${told(answer)}`)
  }

  async #withdraw(message: ShapedMessage): Promise<void> {
    message.withdrawal = 'unanswered'
    const path = `/v1/histories/${message.key}?recall=true`
    const { answer } = await this.#deps.client.send({ method: 'DELETE', path })
    if (answer?.status === 200) message.withdrawal = answer.body.outcome === 'cancelled' ? 'cancelled' : 'withdrawing'
    else if (answer) message.contradictions.push(`was accepted, and its withdrawal answered ${told(answer)}`)
  }

  async #change({
    people,
    channels,
    throttled,
    correctInMs,
    tellsAll,
    withdrawInMs,
    answers,
  }: ActionOf<'changed'>): Promise<void> {
    const addresses = throttled.flatMap(({ contacts: { telegram } }) => telegram ?? [])
    if (addresses.length > 0)
      await this.#deps.sandbox.fault({
        channel: 'telegram',
        kind: 'throttle',
        addresses,
        count: addresses.length,
        seconds: 1,
      })
    const asksToConfirm = answers.length > 0
    const entry = { people, channels, asksToConfirm, notBeforeMs: Date.now(), words: same('changed') }
    const message = await this.#post(entry, { channels, ...(asksToConfirm ? { confirm: true } : {}) })
    if (message.standing !== 'accepted') return
    this.#answers.push(...answers.map((answer) => this.#answering.answer(message, answer)))
    if (correctInMs !== undefined) {
      await sleep(correctInMs)
      await this.#correct(message, tellsAll)
    }
    if (withdrawInMs !== undefined) {
      await sleep(withdrawInMs)
      await this.#withdraw(message)
    }
  }

  async #correctWhatWasRead({ people }: ActionOf<'read-before'>): Promise<void> {
    const { answer } = await this.#deps.client.send({ method: 'POST', path: '/v1/history-keys' })
    if (answer?.status !== 201) return
    const key = String(answer.body.key)
    const reading = { channel: 'telegram', holds: keys.record(parseHistoryKey(key)), withinMs: readWithinMs } as const
    const channels = ['telegram'] as const
    const entry = { people, channels, notBeforeMs: Date.now(), words: same('changed') }
    // looked for before it is there: a courier may have read it when the answer comes
    const corrected = this.#deps.freezeReader(reading, async () => {
      const message = await posted
      if (message.standing === 'accepted') await this.#correct(message, false)
    })
    const posted = this.#post(entry, { channels }, key)
    await corrected
  }

  async #sendPair({ person, dueInMs, laterMs }: ActionOf<'pair'>): Promise<void> {
    const dueMs = Date.now() + dueInMs
    const one = (what: 'first' | 'second', notBeforeMs: number, first?: ShapedMessage) => {
      const entry = {
        people: [person],
        channels: everywhere,
        notBeforeMs,
        words: same(what),
        ...(first ? { first } : {}),
      }
      return this.#post(entry, { type: pairType, at: iso(notBeforeMs), channels: everywhere, class: 'normal' })
    }
    const first = await one('first', dueMs)
    if (first.standing === 'accepted') await one('second', dueMs + laterMs, first)
  }

  async #sayToEach({ people, correctInMs, tellsAll }: ActionOf<'personal'>): Promise<void> {
    const room = 'A 204'
    // as a sender writes it, and as somebody reads it
    const written = ({ ru, en }: Saying, marker: number) => ({ ru: shapedText(marker, ru), en: shapedText(marker, en) })
    const read = (saying: Saying) => (person: ShapedPerson) =>
      saying[person.language].replace('{{name}}', person.name).replace('{{room}}', room)
    const { toEach, correctedToEach } = sayings
    const words = read(toEach)
    const entry = { people, channels: everywhere, isPersonal: true, notBeforeMs: Date.now(), words }
    const text = written(toEach, this.#deps.shaped.messages.length)
    const message = await this.#post(entry, { text, fields: { room }, channels: everywhere })
    if (message.standing !== 'accepted' || correctInMs === undefined) return
    await sleep(correctInMs)
    const { marker } = message
    const corrected = read(correctedToEach)
    const textFor = (person: ShapedPerson) => shapedText(marker, corrected(person))
    await this.#give(message, written(correctedToEach, marker), { textFor, tellsAll })
  }

  readonly perform = async (action: ShapedAction): Promise<void> => {
    await sleep(action.afterMs)
    switch (action.kind) {
      case 'steps':
        return this.#goInSteps(action)
      case 'changed':
        return this.#change(action)
      case 'read-before':
        return this.#correctWhatWasRead(action)
      case 'pair':
        return this.#sendPair(action)
      case 'personal':
        return this.#sayToEach(action)
      case 'kill':
        this.#deps.killInbound(action.inbound)
    }
  }

  readonly askAgain = async (): Promise<void> => {
    const ask = async ([message, request]: [ShapedMessage, Request]) => {
      const { answer } = await this.#deps.client.send(request, 0)
      if (!answer) return
      this.#unanswered.delete(message)
      settle(message, { answer, doubtful: true })
    }
    await Promise.all([...this.#unanswered].map(ask))
  }

  readonly finish = async (): Promise<void> => {
    await this.askAgain()
    await Promise.all(this.#answers)
  }
}
