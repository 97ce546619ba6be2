/** What was sent before: looked at, cancelled, moved, sent again. */

import { type HistoryView, type ListState, toLeftOf } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import { findOwnMessages } from '@courier-fleet/inbound'
import { heldIn, narrowingWords, outcomeWords, whoWaits, wordsIn } from '@courier-fleet/words'
import { mayGoAgain, missedOf } from '../outgoing/offers.ts'
import type { Action, Picked, Said } from '../store/chat.ts'
import { shortened } from '../texts/words.ts'
import { type Choice, choicesOf } from './choices.ts'
import { preview, readOrAskBack } from './compose.ts'
import type { PersonalExchange } from './exchange.ts'

const maxShown = 10

export async function showHistory(exchange: PersonalExchange): Promise<void> {
  const { fleet, words, person } = exchange
  const [sent, choices] = await Promise.all([findOwnMessages(fleet, { limit: maxShown }), choicesOf(exchange)])
  if (sent.length === 0) return exchange.say(words.noHistory)
  const lines = sent.map((history) => {
    const { at = '', to = [], text = words.textGone } = history
    const names = to.map((token) => nameOf(exchange, choices, token))
    return words.historyLine(person.moment(Date.parse(at)), history, shortened(text, 100), names)
  })
  await exchange.say(words.history(lines))
}

interface Pickable {
  /** the API is asked for these: what waits for next week may lie behind any number of newer ones */
  readonly states?: readonly ListState[]
  readonly is?: (history: HistoryView) => boolean
}

const pickable: Readonly<Record<Picked, Pickable>> = {
  cancel: { states: ['scheduled', 'held', 'running'], is: ({ cancelledAt }) => cancelledAt === undefined },
  reschedule: { states: ['scheduled', 'held'] },
  repeat: { is: ({ text }) => text !== undefined },
  waiting: { states: ['running'], is: (history) => heldIn(history).length > 0 },
}

export async function askWhich(exchange: PersonalExchange, what: Picked): Promise<void> {
  const { words, person } = exchange
  const candidates = await findOwnMessages(exchange.fleet, { ...pickable[what], limit: maxShown })
  if (candidates.length === 0) return exchange.say(words.nothingToPick[what])
  await exchange.show({
    text: words.pick[what],
    rows: [
      ...candidates.map(({ key, text = '', at }) => [
        {
          label: `${shortened(text.replace(/\s+/g, ' '), 17)} · ${person.shortMoment(Date.parse(at ?? ''))}`,
          action: { do: 'pick' as const, what, key },
        },
      ]),
      [{ label: words.buttons.keep, action: { do: 'keep' } }],
    ],
  })
}

export async function picked(exchange: PersonalExchange, what: Picked, key: string): Promise<void> {
  if (what === 'cancel') return cancel(exchange, key)
  if (what === 'repeat') return askWhomAgain(exchange, key)
  if (what === 'waiting') return showWaiting(exchange, key)
  exchange.chat.step = { kind: 'moved', key }
  await exchange.show({ text: exchange.words.askWhen(exchange.person.timeZone) })
}

/** Under a message a finger slips; what is cancelled is gone. */
export async function askToCancel(exchange: PersonalExchange, key: string): Promise<void> {
  const { fleet, words } = exchange
  const { text = words.textGone, state } = await fleet.history(key)
  const { buttons } = words
  await exchange.show({
    text: words.askToCancel(shortened(text, 100)),
    rows: [
      [{ label: state === 'running' ? buttons.stop : buttons.cancel, action: { do: 'pick', what: 'cancel', key } }],
      [{ label: buttons.keep, action: { do: 'keep' } }],
    ],
  })
}

async function cancel(exchange: PersonalExchange, key: string): Promise<void> {
  const text = await exchange.fleet
    .cancel(key)
    .then(({ outcome }) => exchange.words.cancelled(outcome), tooLate(exchange))
  await exchange.show({ text })
}

/** The new moment was written. */
export async function move(exchange: PersonalExchange, key: string, text: string): Promise<void> {
  const at = await readOrAskBack(exchange, text)
  if (at === undefined) return
  delete exchange.chat.step
  const moved = exchange.fleet.reschedule(key, new Date(at).toISOString())
  await exchange.say(await moved.then(() => exchange.words.rescheduled(exchange.person.moment(at)), tooLate(exchange)))
}

/** Where it did not reach somebody, it may be for them alone. */
async function askWhomAgain(exchange: PersonalExchange, key: string): Promise<void> {
  const { fleet, words } = exchange
  const history = await fleet.history(key)
  if (!mayGoAgain(history)) return repeat(exchange, key)
  const { buttons } = words
  await exchange.show({
    text: words.askWhomAgain(shortened(history.text ?? words.textGone, 100)),
    rows: [
      [{ label: buttons.toMissed(missedOf(history)), action: { do: 'repeat-to-missed', key } }],
      [{ label: buttons.toEverybody, action: { do: 'repeat-to-all', key } }],
      [{ label: buttons.keep, action: { do: 'keep' } }],
    ],
  })
}

export async function repeat(exchange: PersonalExchange, key: string): Promise<void> {
  const [history, choices] = await Promise.all([exchange.fleet.history(key), choicesOf(exchange)])
  const { to = [], text = '' } = history
  exchange.chat.draft = {
    to: to.map((token) => ({ token, name: nameOf(exchange, choices, token) })),
    text,
    ...saidIn(history),
  }
  await preview(exchange)
}

/** Of a text that is not the same for everybody; what it said to each of its people alone is asked for, for all. */
function saidIn({ text, texts, language, fields, ownValues }: HistoryView): { said?: Said } {
  if (text === undefined || (!texts && !fields && !ownValues)) return {}
  const values = fields || ownValues ? { fields: fields ?? {} } : {}
  if (!texts || language === undefined) return { said: { text, ...values } }
  return { said: { text: { ...texts, [language]: text }, language, ...values } }
}

const nameOf = ({ language }: PersonalExchange, choices: readonly Choice[], token: string): string =>
  choices.find((choice) => choice.token === token)?.name ?? narrowingWords(language, token) ?? token

/** To those only whom it did not reach, as it is known now. */
export async function repeatToMissed(exchange: PersonalExchange, key: string): Promise<void> {
  const [history, choices] = await Promise.all([exchange.fleet.history(key), choicesOf(exchange)])
  if (missedOf(history) === 0) return exchange.notice(exchange.words.nobodyMissed)
  exchange.chat.draft = {
    to: toLeftOf(history, 'unreached').map((token) => ({ token, name: nameOf(exchange, choices, token) })),
    ...(history.text === undefined ? {} : { text: history.text }),
    ...saidIn(history),
  }
  await preview(exchange)
}

/** Who waits until when, and what can be done about them. */
async function showWaiting(exchange: PersonalExchange, key: string): Promise<void> {
  const { fleet, language, words, person } = exchange
  const { buttons } = words
  const history = await fleet.history(key)
  const { sentence } = outcomeWords(language, history, { moment: person.moment })
  const { now, forOperators } = whoWaits(history, person.mayIgnoreQuiet)
  await exchange.show({
    text: forOperators > 0 ? `${sentence}\n\n${wordsIn(language).askOperators}` : sentence,
    rows: [
      ...(now > 0 ? [[{ label: buttons.sendWaiting, action: { do: 'send-waiting' as const, key } }]] : []),
      [{ label: buttons.cancelWaiting, action: { do: 'cancel-waiting', key } }],
      [{ label: buttons.keep, action: { do: 'keep' } }],
    ],
  })
}

type WaitingAction = Extract<Action, { do: 'send-waiting' | 'cancel-waiting' }>

export async function decideWaiting(exchange: PersonalExchange, { do: what, key }: WaitingAction): Promise<void> {
  const { fleet, words } = exchange
  const asked =
    what === 'send-waiting'
      ? sendWaiting(exchange, key)
      : fleet.cancelWaiting(key).then(({ people }) => words.cancelledForWaiting(people))
  await exchange.show({ text: await asked.catch(tooLate(exchange)) })
}

/** Where nobody waited for the end of quiet hours they are kept: who was to be online first is sent it outside of them. */
async function sendWaiting({ fleet, words, person }: PersonalExchange, key: string): Promise<string> {
  const { quiet } = whoWaits(await fleet.history(key), person.mayIgnoreQuiet)
  const { people } = await fleet.sendNow(key)
  return words.sentToWaiting(people, quiet > 0)
}

/** It has become something else meanwhile; the API says what. */
const tooLate = (exchange: PersonalExchange) => (error: unknown) => {
  if (error instanceof ApiError && error.problem.status === 409) return exchange.words.refused(error.problem.code)
  throw error
}
