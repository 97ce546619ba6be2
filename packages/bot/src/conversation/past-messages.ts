/** What was sent before: looked at, cancelled, moved, sent again. */

import type { HistoryView } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import type { Picked } from '../store/chat.ts'
import { shortened } from '../texts/words.ts'
import { choicesOf } from './choices.ts'
import { preview, readOrAskBack } from './compose.ts'
import type { PersonalTurn } from './turn.ts'

const shown = 10
const lookedAt = 50

export async function showHistory(turn: PersonalTurn): Promise<void> {
  const { histories } = await turn.fleet.histories({ limit: shown })
  const sent = histories.filter(({ text }) => text !== undefined)
  await turn.say(sent.length === 0 ? turn.words.noHistory : turn.words.history(sent.map((one) => lineOf(turn, one))))
}

function lineOf({ words, person }: PersonalTurn, { at, state, audience, text = '' }: HistoryView): string {
  return words.historyLine(person.moment(Date.parse(at ?? '')), state, audience?.size ?? 0, shortened(text, 100))
}

const mayBe: Readonly<Record<Picked, (history: HistoryView) => boolean>> = {
  cancel: ({ state, cancelledAt }) => state === 'scheduled' || (state === 'running' && cancelledAt === undefined),
  reschedule: ({ state }) => state === 'scheduled',
  repeat: ({ text }) => text !== undefined,
}

export async function askWhich(turn: PersonalTurn, what: Picked): Promise<void> {
  const { words, person } = turn
  const { histories } = await turn.fleet.histories({ limit: lookedAt })
  const candidates = histories.filter(mayBe[what]).slice(0, shown)
  if (candidates.length === 0) return turn.say(words.nothingToPick[what])
  await turn.show({
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

export async function picked(turn: PersonalTurn, what: Picked, key: string): Promise<void> {
  if (what === 'cancel') return cancel(turn, key)
  if (what === 'repeat') return repeat(turn, key)
  turn.chat.step = { kind: 'moved', key }
  await turn.show({ text: turn.words.askWhen(turn.person.timeZone) })
}

async function cancel(turn: PersonalTurn, key: string): Promise<void> {
  const text = await turn.fleet.cancel(key).then(({ outcome }) => turn.words.cancelled(outcome), tooLate(turn))
  await turn.show({ text })
}

/** The new moment was written. */
export async function move(turn: PersonalTurn, key: string, text: string): Promise<void> {
  const at = await readOrAskBack(turn, text)
  if (at === undefined) return
  delete turn.chat.step
  const moved = turn.fleet.reschedule(key, new Date(at).toISOString())
  await turn.say(await moved.then(() => turn.words.rescheduled(turn.person.moment(at)), tooLate(turn)))
}

async function repeat(turn: PersonalTurn, key: string): Promise<void> {
  const [{ to = [], text = '' }, choices] = await Promise.all([turn.fleet.history(key), choicesOf(turn)])
  const nameOf = (token: string) => choices.find((choice) => choice.token === token)?.name ?? token
  turn.chat.draft = { to: to.map((token) => ({ token, name: nameOf(token) })), text }
  await preview(turn)
}

const tooLate = (turn: PersonalTurn) => (error: unknown) => {
  if (error instanceof ApiError && error.problem.status === 409) return turn.words.tooLate
  throw error
}
