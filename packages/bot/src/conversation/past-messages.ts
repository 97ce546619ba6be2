/** What was sent before: looked at, cancelled, moved, sent again. */

import type { HistoryView } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import { heldIn, narrowingWords, outcomeWords, whoWaits } from '@courier-fleet/words'
import type { Action, Picked } from '../store/chat.ts'
import { shortened } from '../texts/words.ts'
import { choicesOf } from './choices.ts'
import { preview, readOrAskBack } from './compose.ts'
import type { PersonalExchange } from './exchange.ts'

const maxShown = 10
const maxSearched = 50

export async function showHistory(exchange: PersonalExchange): Promise<void> {
  const { histories } = await exchange.fleet.histories({ limit: maxShown })
  const sent = histories.filter(({ acceptedAt }) => acceptedAt !== undefined)
  await exchange.say(
    sent.length === 0 ? exchange.words.noHistory : exchange.words.history(sent.map((one) => lineOf(exchange, one))),
  )
}

function lineOf({ words, person }: PersonalExchange, history: HistoryView): string {
  const { at = '', text = words.textGone } = history
  return words.historyLine(person.moment(Date.parse(at)), history, shortened(text, 100))
}

const mayBe: Readonly<Record<Picked, (history: HistoryView) => boolean>> = {
  cancel: ({ state, cancelledAt }) => state === 'scheduled' || (state === 'running' && cancelledAt === undefined),
  reschedule: ({ state }) => state === 'scheduled',
  repeat: ({ text }) => text !== undefined,
  waiting: (history) => heldIn(history).length > 0,
}

export async function askWhich(exchange: PersonalExchange, what: Picked): Promise<void> {
  const { words, person } = exchange
  const { histories } = await exchange.fleet.histories({ limit: maxSearched })
  const candidates = histories.filter(mayBe[what]).slice(0, maxShown)
  if (candidates.length === 0) return exchange.say(words.nothingToPick[what])
  await exchange.show({
    text: words.pick[what],
    rows: [
      ...candidates.map(({ key, text = '', at }) => [
        {
          label: `${shortened(text.replace(/\s+/g, ' '), 40)} · ${person.moment(Date.parse(at ?? ''))}`,
          action: { do: 'pick' as const, what, key },
        },
      ]),
      [{ label: words.buttons.keep, action: { do: 'keep' } }],
    ],
  })
}

export async function picked(exchange: PersonalExchange, what: Picked, key: string): Promise<void> {
  if (what === 'cancel') return cancel(exchange, key)
  if (what === 'repeat') return repeat(exchange, key)
  if (what === 'waiting') return showWaiting(exchange, key)
  exchange.chat.step = { kind: 'moved', key }
  await exchange.show({ text: exchange.words.askWhen(exchange.person.timeZone) })
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

async function repeat(exchange: PersonalExchange, key: string): Promise<void> {
  const [{ to = [], text = '' }, choices] = await Promise.all([exchange.fleet.history(key), choicesOf(exchange)])
  const nameOf = (token: string) =>
    choices.find((choice) => choice.token === token)?.name ?? narrowingWords(exchange.language, token) ?? token
  exchange.chat.draft = { to: to.map((token) => ({ token, name: nameOf(token) })), text }
  await preview(exchange)
}

/** Who waits until when, and what can be done about them. */
async function showWaiting(exchange: PersonalExchange, key: string): Promise<void> {
  const { fleet, language, words, person } = exchange
  const { buttons } = words
  const history = await fleet.history(key)
  const { sentence } = outcomeWords(language, history, { moment: person.moment })
  const { quiet, online } = whoWaits(history, person.mayIgnoreQuiet)
  await exchange.show({
    text: sentence,
    rows: [
      ...(quiet + online > 0 ? [[{ label: buttons.sendWaiting, action: { do: 'send-waiting' as const, key } }]] : []),
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

const tooLate = (exchange: PersonalExchange) => (error: unknown) => {
  if (error instanceof ApiError && error.problem.status === 409) return exchange.words.tooLate
  throw error
}
