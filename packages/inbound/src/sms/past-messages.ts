/**
 * What senders ask by SMS about what they have sent: what has become of it, and to cancel it. A text may be brought again at any
 * time, so which message an order to cancel means is noted before it is cancelled.
 */
import type { HistoryView } from '@courier-fleet/api-types'
import { isProblem } from '../api-problems.ts'
import { type Candidate, findAudience, tokenOf } from '../find-audience.ts'
import { findOwnMessages, type Wanted } from '../own-messages.ts'
import type { Command } from '../read-command.ts'
import type { PersonalText, Response } from '../text-handler.ts'
import { candidatesOf, nameOf } from './candidates.ts'
import type { Decided, Decisions } from './decided.ts'
import type { Outcomes } from './outcomes.ts'
import type { Wording } from './wording.ts'

const namesIn = ({ to = [] }: HistoryView, candidates: readonly Candidate[]) =>
  to.map((token) => nameOf(token, candidates)).join(', ')
const languageIn = ({ who }: PersonalText) => who.person?.language ?? ''

export async function tellLast(incoming: PersonalText, wording: Wording): Promise<Response> {
  const { person, answerKey } = incoming
  const [latest] = await findOwnMessages(person, { limit: 1 })
  if (!latest) return { text: wording.sentNothing, key: answerKey }
  const names = namesIn(latest, await candidatesOf(person, languageIn(incoming)))
  return { text: wording.outcome(latest, names || undefined), key: answerKey }
}

export interface CancelDeps {
  readonly wording: Wording
  readonly outcomes: Pick<Outcomes, 'forget'>
  readonly decisions: Pick<Decisions, 'of' | 'keep'>
}

/** The latest message, or the latest to whoever is called so: where that one cannot be cancelled any more, none is. */
export async function cancelLast(
  incoming: PersonalText,
  { name }: Extract<Command, { kind: 'cancel' }>,
  deps: CancelDeps,
): Promise<Response> {
  const { person, answerKey: key, name: text } = incoming
  const { wording, decisions } = deps
  const decided = await decisions.of(text)
  if (decided) return { text: await cancel(incoming, decided, deps), key }
  const candidates = await candidatesOf(person, languageIn(incoming))
  const found = name === '' ? undefined : findAudience([name], candidates)
  if (found && found.kind !== 'found') return { text: wording.cancelsNothing(name), key }
  const token = found?.to[0]
  const isMeant = ({ to }: HistoryView) => token === undefined || to?.includes(token) === true
  const [meant] = await findOwnMessages(person, { is: isMeant, limit: 1 })
  if (!meant) return { text: wording.nothingToCancel, key }
  const names = namesIn(meant, candidates)
  if (!mayBeCancelled(meant)) {
    const [next] = await findOwnMessages(person, { ...cancellable, limit: 1 })
    const hint = next && candidates.find((candidate) => tokenOf(candidate) === next.to?.[0])?.name
    return { text: meant.cancelledAt ? wording.alreadyCancelled(hint) : wording.alreadyOver(names, hint), key }
  }
  await decisions.keep(text, { key: meant.key, names })
  return { text: await cancel(incoming, { key: meant.key, names }, deps), key }
}

const mayBeCancelled = ({ state, cancelledAt }: HistoryView) =>
  (state === 'scheduled' || state === 'running') && cancelledAt === undefined
/** of which the answer can name whom it is for */
const cancellable: Pick<Wanted, 'states' | 'is'> = {
  states: ['scheduled', 'held', 'running'],
  is: (history) => mayBeCancelled(history) && history.to?.length === 1,
}

async function cancel(
  { person }: PersonalText,
  { key, names }: Decided,
  { wording, outcomes }: CancelDeps,
): Promise<string> {
  try {
    const { outcome } = await person.cancel(key)
    // who was told so by the answer is not told by the outcome again
    if (outcome === 'cancelled') await outcomes.forget(key)
    return wording.cancelled(outcome, names)
  } catch (error) {
    if (isProblem(error, 'already-settled')) return wording.alreadyOver(names, undefined)
    throw error
  }
}
