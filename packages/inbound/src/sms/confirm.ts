/**
 * Somebody answers a message that asks to be confirmed. With a number it is certain which: the number stands in it. Without one it is the only
 * message that waits for them; where there are more, or it may not have come yet, the number is asked for and nothing is recorded.
 */
import type { AsksView } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { isProblem } from '../api-problems.ts'
import type { Fleet } from '../fleet.ts'
import type { Command } from '../read-command.ts'
import type { PersonalText, Response } from '../text-handler.ts'
import type { Decisions } from './decided.ts'
import type { Wording } from './wording.ts'

export interface ConfirmDeps {
  readonly wording: Wording
  readonly timeZone: string
  readonly fleet: Pick<Fleet, 'own'>
  readonly decisions: Pick<Decisions, 'of' | 'keep'>
  readonly clock: Clock
}

type Ask = AsksView['asks'][number]

/** an answer without a number is to what was asked of late */
const recentMs = 7 * 86_400_000

export async function confirmMessage(
  incoming: PersonalText,
  { number }: Extract<Command, { kind: 'confirm' }>,
  deps: ConfirmDeps,
): Promise<Response> {
  const { answerKey: key, name, who, person } = incoming
  const { decisions, clock } = deps
  // brought again, or written twice in a hurry, it means what it meant
  const meant = number ?? (await decisions.of(name))?.key
  if (meant !== undefined) return { text: await confirm(incoming, meant, deps), key }
  const { asks } = await person.asks(who.owner)
  const recent = asks.filter(({ askedAt }) => clock.now() - Date.parse(askedAt) < recentMs)
  const found = onlyOne(recent)
  if (typeof found === 'string') return { text: deps.wording[found], key }
  await decisions.keep(name, { key: found.number, names: '' })
  return { text: await confirm(incoming, found.number, deps), key }
}

/** @returns what to say where it is not certain which is meant */
function onlyOne(recent: readonly Ask[]): Ask | 'nothingToConfirm' | 'whichNumber' {
  const open = recent.filter(({ confirmed }) => !confirmed)
  const [first] = open
  if (open.length === 1 && first?.mayHaveIt) return first
  if (open.length > 0) return 'whichNumber'
  // it was confirmed before, perhaps elsewhere: they are told when
  return recent[0] ?? 'nothingToConfirm'
}

async function confirm({ address }: PersonalText, number: string, { wording, timeZone, fleet }: ConfirmDeps) {
  try {
    const { confirmed, text } = await fleet.own.confirm({ channel: 'sms', address, number })
    return wording.confirmed(confirmed.at, text, timeZone)
  } catch (error) {
    if (isProblem(error, 'older-text')) return wording.olderText
    if (isProblem(error, 'not-for-you', 'unknown-confirmation', 'invalid')) return wording.noSuchNumber(number)
    throw error
  }
}
