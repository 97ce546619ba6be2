/** From "to whom" to "send": each step shows a screen and says what the next text will be taken for. */
import type { Draft, Keyboard, Recipient } from '../store/chat.ts'
import type { Unreachable } from '../texts/words.ts'
import { readWhen } from '../when/read-when.ts'
import { type Choice, choicesOf, matching } from './choices.ts'
import type { PersonalTurn } from './turn.ts'

const choicesAPage = 8
/** people named in a preview */
const named = 15

export async function askAudience(turn: PersonalTurn, { query = '', page = 0 } = {}): Promise<void> {
  const { chat, words } = turn
  const choices = await choicesOf(turn)
  if (choices.length === 0) {
    delete chat.step
    await turn.show({ text: words.noGroups })
    return
  }
  chat.draft ??= { to: [] }
  const { draft } = chat
  const found = matching(choices, query)
  const pages = Math.max(1, Math.ceil(found.length / choicesAPage))
  const shown = Math.min(Math.max(page, 0), pages - 1)
  chat.step = { kind: 'audience', query, page: shown }
  const { buttons } = words
  const isChosen = ({ token }: Choice) => draft.to.some((recipient) => recipient.token === token)
  await turn.show({
    text: words.whom(query, found.length, shown + 1, pages, namesOf(draft)),
    rows: [
      ...found.slice(shown * choicesAPage, (shown + 1) * choicesAPage).map((choice) => [
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

export async function toggle(turn: PersonalTurn, recipient: Recipient): Promise<void> {
  const { chat } = turn
  const draft = chat.draft ?? { to: [] }
  const others = draft.to.filter(({ token }) => token !== recipient.token)
  chat.draft = { ...draft, to: others.length < draft.to.length ? others : [...draft.to, recipient] }
  await askAudience(turn, chat.step?.kind === 'audience' ? chat.step : {})
}

/** Asks for whatever is missing still, or shows the whole of it. */
export async function goOn(turn: PersonalTurn): Promise<void> {
  const { chat, words } = turn
  const { draft } = chat
  if (!draft || draft.to.length === 0) return turn.notice(words.chooseSomebody)
  if (draft.text === undefined) return askText(turn)
  return preview(turn)
}

export async function askText(turn: PersonalTurn): Promise<void> {
  const { chat, words } = turn
  chat.step = { kind: 'text' }
  const rows = [[{ label: words.buttons.drop, action: { do: 'drop' as const } }]]
  await turn.show({ text: words.whatText(namesOf(chat.draft)), rows })
}

export async function takeText(turn: PersonalTurn, text: string): Promise<void> {
  turn.chat.draft = { ...(turn.chat.draft ?? { to: [] }), text }
  if (turn.chat.draft.to.length === 0) await askAudience(turn)
  else await preview(turn)
}

/** Whom it would reach and how, with the buttons that send it. @param notice what went wrong before */
export async function preview(turn: PersonalTurn, notice?: string): Promise<void> {
  const { chat, words, person } = turn
  const { draft } = chat
  if (!draft?.text || draft.to.length === 0) return goOn(turn)
  const { text, at } = draft
  const reach = await turn.fleet.rehearse({ to: tokensOf(draft), text })
  chat.draft = { ...draft, sha256: reach.sha256 }
  chat.step = { kind: 'preview' }
  const missed = reach.unreachable.slice(0, named).map(({ person, name, channels }) => {
    const reasons = [...new Set(Object.values(channels))].filter((reason) => reason !== 'no-contact')
    const why = reasons.map((reason: Unreachable) => words.unreachable[reason]).join(', ')
    return `${name ?? person}: ${why || words.noContact}`
  })
  const { buttons } = words
  const shown = words.preview(namesOf(draft), text, reach, at === undefined ? undefined : person.moment(at), missed)
  await turn.show({
    text: notice === undefined ? shown : `${notice}\n\n${shown}`,
    rows: [
      [{ label: at === undefined ? buttons.sendNow : buttons.schedule, action: { do: 'send' } }],
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

export async function askWhen(turn: PersonalTurn): Promise<void> {
  turn.chat.step = { kind: 'when' }
  await turn.say(turn.words.askWhen(turn.person.timeZone))
}

export async function takeWhen(turn: PersonalTurn, text: string): Promise<void> {
  const at = await readOrAskBack(turn, text)
  if (at === undefined || !turn.chat.draft) return
  turn.chat.draft = { ...turn.chat.draft, at }
  await preview(turn)
}

/** The moment that was written; undefined when it had to be asked back. */
export async function readOrAskBack(turn: PersonalTurn, text: string): Promise<number | undefined> {
  const { words, person, now } = turn
  const when = readWhen(text, { now, timeZone: person.timeZone })
  if ('at' in when) return when.at
  await turn.say(words.askBack(when, person.moment))
  return undefined
}

export async function sendAtOnce(turn: PersonalTurn): Promise<void> {
  const { at: _, ...draft } = turn.chat.draft ?? { to: [] }
  turn.chat.draft = draft
  await preview(turn)
}

export async function drop(turn: PersonalTurn): Promise<void> {
  delete turn.chat.draft
  delete turn.chat.step
  await turn.show({ text: turn.words.dropped })
}

/**
 * Confirmed: fixes the history key and leaves the message to the posts, once the conversation is kept. Until then the preview
 * and its buttons stay; pressed again after a crash they lead to the same key.
 */
export async function confirm(turn: PersonalTurn, { messageId, nonce }: Keyboard): Promise<void> {
  const { chat, words, person, language, now } = turn
  const { draft } = chat
  if (!draft?.text || draft.to.length === 0) return goOn(turn)
  if (draft.at !== undefined && draft.at <= now) {
    const passed = words.askBack({ ask: 'past', meant: draft.at }, person.moment)
    await sendAtOnce(turn)
    return turn.say(passed)
  }
  const { key } = await turn.fleet.issueKey({ idempotencyKey: `bot-${nonce}` })
  chat.posts = [
    ...chat.posts.filter((post) => post.key !== key),
    { key, messageId, language, timeZone: person.timeZone, unsent: draft, confirmedAt: now },
  ]
  delete chat.keyboard
  delete chat.draft
  delete chat.step
}

export const tokensOf = (draft: Draft) => draft.to.map(({ token }) => token)
const namesOf = (draft: Draft | undefined) => draft?.to.map(({ name }) => name) ?? []
