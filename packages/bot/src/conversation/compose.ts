/** From "to whom" to "send": each step shows a screen and says what the next text will be taken for. */

import type { RehearsalView } from '@courier-fleet/api-types'
import { readWhen } from '@courier-fleet/inbound'
import {
  budgetWords,
  forecastWords,
  foretoldSteps,
  gettingIn,
  isHeldBack,
  planWords,
  reachWords,
} from '@courier-fleet/words'
import { type Draft, type Keyboard, markSent, type Recipient, saidOf } from '../store/chat.ts'
import type { Unreachable } from '../texts/words.ts'
import { askField, lackingIn } from './ask-field.ts'
import { type Choice, choicesOf, matching } from './choices.ts'
import type { PersonalExchange } from './exchange.ts'

const maxChoicesPerPage = 8
/** people named in a preview */
const maxNamed = 15

export async function askAudience(exchange: PersonalExchange, { query = '', page = 0 } = {}): Promise<void> {
  const { chat, words } = exchange
  const choices = await choicesOf(exchange)
  if (choices.length === 0) {
    delete chat.step
    await exchange.show({ text: words.noGroups })
    return
  }
  chat.draft ??= { to: [] }
  const { draft } = chat
  const found = matching(choices, query)
  const pages = Math.max(1, Math.ceil(found.length / maxChoicesPerPage))
  const shown = Math.min(Math.max(page, 0), pages - 1)
  chat.step = { kind: 'audience', query, page: shown }
  const { buttons } = words
  const isChosen = ({ token }: Choice) => draft.to.some((recipient) => recipient.token === token)
  await exchange.show({
    text: words.whom({
      query,
      found: found.length,
      page: shown + 1,
      pages,
      chosen: namesOf(draft),
      hasText: draft.text !== undefined,
    }),
    rows: [
      ...found.slice(shown * maxChoicesPerPage, (shown + 1) * maxChoicesPerPage).map((choice) => [
        {
          label: isChosen(choice) ? buttons.chosen(choice.label) : choice.label,
          action: { do: 'toggle' as const, recipient: { token: choice.token, name: choice.name } },
        },
      ]),
      [
        ...(shown > 0 ? [{ label: buttons.earlier, action: { do: 'page' as const, page: shown - 1 } }] : []),
        ...(query !== '' ? [{ label: buttons.showAll, action: { do: 'show-all' as const } }] : []),
        ...(shown < pages - 1 ? [{ label: buttons.further, action: { do: 'page' as const, page: shown + 1 } }] : []),
      ],
      [
        { label: buttons.done(draft.to.length), action: { do: 'chosen' as const } },
        { label: buttons.drop, action: { do: 'drop' as const } },
      ],
    ].filter((row) => row.length > 0),
  })
}

export async function toggle(exchange: PersonalExchange, recipient: Recipient): Promise<void> {
  const { chat } = exchange
  const draft = chat.draft ?? { to: [] }
  const others = draft.to.filter(({ token }) => token !== recipient.token)
  chat.draft = { ...unmeant(draft), to: others.length < draft.to.length ? others : [...draft.to, recipient] }
  await askAudience(exchange, chat.step?.kind === 'audience' ? chat.step : {})
}

/** Asks for whatever is missing still, or shows the whole of it. */
export async function goOn(exchange: PersonalExchange): Promise<void> {
  const { chat, words } = exchange
  const { draft } = chat
  if (!draft || draft.to.length === 0) return exchange.notice(words.chooseSomebody)
  if (draft.text === undefined) return askText(exchange)
  return preview(exchange)
}

export async function askText(exchange: PersonalExchange): Promise<void> {
  const { chat, words } = exchange
  chat.step = { kind: 'text' }
  const { templates } = await exchange.fleet.templates()
  const { buttons } = words
  const stored =
    templates.length > 0 ? [{ label: buttons.template, action: { do: 'templates' as const, page: 0 } }] : []
  const rows = [[...stored, { label: buttons.drop, action: { do: 'drop' as const } }]]
  await exchange.show({ text: words.whatText(namesOf(chat.draft)), rows })
}

export async function takeText(exchange: PersonalExchange, text: string): Promise<void> {
  const { said: _, ...draft } = unmeant(exchange.chat.draft ?? { to: [] })
  exchange.chat.draft = { ...draft, text }
  if (exchange.chat.draft.to.length === 0) await askAudience(exchange)
  else await preview(exchange)
}

/** Whom it would reach and how, with the buttons that send it. @param notice what went wrong before */
export async function preview(exchange: PersonalExchange, notice?: string): Promise<void> {
  const { chat, words, person } = exchange
  const { draft } = chat
  if (!draft?.text || draft.to.length === 0) return goOn(exchange)
  const { text, at } = draft
  const due = at !== undefined && at > exchange.now ? new Date(at).toISOString() : 'now'
  const reach = await rehearsed(exchange, draft, due)
  if (!reach) return
  chat.draft = { ...draft, sha256: reach.sha256 }
  chat.step = { kind: 'preview' }
  const missed = reach.unreachable.slice(0, maxNamed).map(({ person, name, channels }) => {
    const reasons = [...new Set(Object.values(channels))].filter((reason) => reason !== 'no-contact')
    const why = reasons.map((reason: Unreachable) => words.unreachable[reason]).join(', ')
    return `${name ?? person}: ${why || words.unreachable['no-contact']}`
  })
  const { buttons } = words
  const moment = at === undefined ? undefined : person.moment(at)
  const form = { moment: person.moment, isForLater: at !== undefined }
  const planned = reach.plan && isHeldBack(reach.plan) ? planWords(exchange.language, reach.plan, form) : undefined
  const foretold = forecastWords(exchange.language, reach.plan, {
    moment: person.shortMoment,
    at: due === 'now' ? undefined : due,
  })
  const shown = words.preview({
    to: namesOf(draft),
    text: reach.text?.preview?.text ?? text,
    reader: reach.text?.preview?.name,
    reach,
    reached: reachWords(exchange.language, reach, draft.to.length),
    at: moment,
    missed,
    steps: foretoldSteps(exchange.language, reach.steps ?? []),
    planned: planned?.sentence,
    foretold: [...(foretold === undefined ? [] : [foretold]), ...budgetWords(exchange.language, reach.plan)],
  })
  // later there may be contacts
  const isForNobody = at === undefined && gettingIn(reach) === 0
  const send = draft.isMeant ? buttons.sendAnyway : at === undefined ? buttons.sendNow : buttons.schedule
  await exchange.show({
    text: notice === undefined ? shown : `${notice}\n\n${shown}`,
    rows: [
      ...(isForNobody ? [] : [[{ label: send, action: { do: 'send' as const } }]]),
      [
        { label: buttons.later, action: { do: 'later' } },
        ...(at === undefined ? [] : [{ label: buttons.now, action: { do: 'now' as const } }]),
      ],
      [
        { label: buttons.audience, action: { do: 'audience' } },
        { label: buttons.text, action: { do: 'text' } },
      ],
      [{ label: buttons.drop, action: { do: 'drop' } }],
    ],
  })
}

/** @returns undefined where it had to be asked what the text is to say to those of whom that is not known: one thing for everybody */
async function rehearsed(exchange: PersonalExchange, draft: Draft, at: string): Promise<RehearsalView | undefined> {
  try {
    return await exchange.fleet.rehearse({ to: tokensOf(draft), ...saidOf(draft), at })
  } catch (error) {
    const lacking = draft.said ? lackingIn(error) : undefined
    if (!lacking) throw error
    const asked = lacking.fields.map((name) => ({ name, label: name }))
    await askField(exchange, asked, exchange.words.noValue(lacking.people))
    return undefined
  }
}

export async function askWhen(exchange: PersonalExchange): Promise<void> {
  exchange.chat.step = { kind: 'when' }
  await exchange.say(exchange.words.askWhen(exchange.person.timeZone))
}

export async function takeWhen(exchange: PersonalExchange, text: string): Promise<void> {
  const at = await readOrAskBack(exchange, text)
  if (at === undefined || !exchange.chat.draft) return
  exchange.chat.draft = { ...exchange.chat.draft, at }
  await preview(exchange)
}

/** The moment that was written; undefined when it had to be asked back. */
export async function readOrAskBack(exchange: PersonalExchange, text: string): Promise<number | undefined> {
  const { words, person, now } = exchange
  const when = readWhen(text, { now, timeZone: person.timeZone })
  if ('at' in when) return when.at
  await exchange.say(words.askBack(when, person.moment))
  return undefined
}

export async function sendNow(exchange: PersonalExchange): Promise<void> {
  const { at: _, ...draft } = exchange.chat.draft ?? { to: [] }
  exchange.chat.draft = draft
  await preview(exchange)
}

export async function drop(exchange: PersonalExchange): Promise<void> {
  delete exchange.chat.draft
  delete exchange.chat.step
  await exchange.show({ text: exchange.words.dropped })
}

/**
 * Confirmed: fixes the history key and notes the message as outgoing, which is followed once the conversation is kept. Until
 * then the preview and its buttons stay; pressed again after a crash they lead to the same key.
 */
export async function confirm(exchange: PersonalExchange, { messageId, nonce }: Keyboard): Promise<void> {
  const { chat, words, person, language, now } = exchange
  const { draft } = chat
  if (!draft?.text || draft.to.length === 0) return goOn(exchange)
  if (draft.at !== undefined && draft.at <= now) {
    const passed = words.askBack({ ask: 'past', meant: draft.at }, person.moment)
    await sendNow(exchange)
    return exchange.say(passed)
  }
  const { key } = await exchange.fleet.issueKey({ idempotencyKey: `bot-${nonce}` })
  chat.outgoing = [
    ...chat.outgoing.filter((message) => message.key !== key),
    { key, messageId, language, timeZone: person.timeZone, to: namesOf(draft), unsent: draft, confirmedAt: now },
  ]
  markSent(chat, key)
  delete chat.keyboard
  delete chat.draft
  delete chat.step
}

/** With another text, or for other people, it is not the same any more. */
export const unmeant = ({ isMeant: _, ...draft }: Draft): Draft => draft
const tokensOf = (draft: Draft) => draft.to.map(({ token }) => token)
const namesOf = (draft: Draft | undefined) => draft?.to.map(({ name }) => name) ?? []
