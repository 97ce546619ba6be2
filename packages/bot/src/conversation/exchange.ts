/** One event of one person while it is handled: who they are, what the bot remembers, and how it answers. */
import { isDeepStrictEqual } from 'node:util'
import type { SessionView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { ApiError, UnreachableError } from '@courier-fleet/client'
import type { Speaker } from '@courier-fleet/inbound'
import { type Language, wordedProblems } from '@courier-fleet/words'
import type { Action, Chat } from '../store/chat.ts'
import type { Secret } from '../store/secret.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { wordsOf } from '../texts/index.ts'
import { momentIn, shortMomentIn, type Words } from '../texts/words.ts'

export interface Screen {
  readonly text: string
  readonly rows?: readonly (readonly { readonly label: string; readonly action: Action }[])[]
}

export interface Exchange {
  readonly chat: Chat
  readonly language: Language
  readonly words: Words
  /** for the person of this chat */
  readonly fleet: Client
  /** STOP or START of a type, as this chat says it */
  readonly consent: Speaker['consent']
  /** Unix ms */
  readonly now: number
  /** Shows it in place of what was pressed, or else as a new message; its buttons are the only good ones from now on. */
  show(screen: Screen): Promise<number | undefined>
  /** A message without buttons; the buttons there are stay good. */
  say(text: string): Promise<void>
  /** A notice over a button that was pressed; a message otherwise. */
  notice(text: string): Promise<void>
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly maySend: boolean
  /** who waits because of quiet hours may be sent to at their word */
  readonly mayIgnoreQuiet: boolean
  readonly timeZone: string
  /** in words, on this person's clock */
  moment(at: number): string
  /** the same, short enough for a button; to the second where that is asked for */
  shortMoment(at: number, toTheSecond?: boolean): string
}

export type PersonalExchange = Exchange & { readonly person: Person }

export interface ExchangeDeps {
  readonly messenger: Messenger
  readonly secret: Secret
  readonly fleet: Client
  readonly consent: Speaker['consent']
  readonly now: number
}

/** Where an answer goes: the message whose button was pressed, and the press that waits for a notice. */
export interface ReplyTo {
  /** absent where the answer is a message of its own */
  readonly messageId?: number
  readonly queryId?: string
}

/** @param trigger the event's id: handled once more, it is answered in the same messages */
export function startExchange(
  deps: ExchangeDeps,
  chat: Chat,
  language: Language,
  trigger: string,
  replyTo?: ReplyTo,
): Exchange & { end(): Promise<void> } {
  const { messenger, secret, fleet, consent, now } = deps
  let said = 0
  let shown = 0
  let editable = replyTo?.messageId
  let unanswered = replyTo?.queryId

  const sendNew = (text: string, buttons: Parameters<Messenger['send']>[3]) =>
    messenger.send(chat.address, text, secret.randomIdOf(chat.address, trigger, said++), buttons)

  async function put(text: string, buttons: Parameters<Messenger['send']>[3]): Promise<number | undefined> {
    const messageId = editable
    editable = undefined
    if (messageId !== undefined && (await messenger.edit(chat.address, messageId, text, buttons))) return messageId
    return sendNew(text, buttons)
  }

  const answer = async (notice?: string) => {
    const queryId = unanswered
    unanswered = undefined
    if (queryId !== undefined) await messenger.answerPress(queryId, notice)
  }

  return {
    chat,
    language,
    words: wordsOf[language],
    fleet,
    consent,
    now,
    async show({ text, rows = [] }) {
      const actions = rows.flat().map(({ action }) => action)
      // the same buttons with other labels: whoever ticks two of them fast must not find the second one out of date
      const isSame = chat.keyboard?.messageId === editable && isDeepStrictEqual(chat.keyboard?.actions, actions)
      const nonce = isSame && chat.keyboard ? chat.keyboard.nonce : secret.nonceOf(chat.address, trigger, shown++)
      let number = 0
      const buttons = rows.map((row) => row.map(({ label }) => ({ label, data: `${nonce}:${number++}` })))
      const messageId = await put(text, buttons)
      if (messageId === undefined || actions.length === 0) delete chat.keyboard
      else chat.keyboard = { messageId, nonce, actions }
      return messageId
    },
    async say(text) {
      await sendNew(text, undefined)
    },
    async notice(text) {
      if (unanswered === undefined) await sendNew(text, undefined)
      else await answer(text)
    },
    end: () => answer(),
  }
}

export function personOf({ owner, role, person }: SessionView, language: Language): Person {
  const timeZone = person?.timeZone ?? 'UTC'
  return {
    id: owner,
    name: person?.name ?? owner,
    maySend: role !== 'student' && role !== 'inbound',
    mayIgnoreQuiet: role === 'staff' || role === 'operator' || role === 'admin',
    timeZone,
    moment: momentIn(language, timeZone),
    shortMoment: shortMomentIn(language, timeZone),
  }
}

/** What a person is told when the API refuses, or does not answer. @throws error when it is a defect of the bot itself */
export function troubleInWords(error: unknown, words: Words): string {
  if (error instanceof UnreachableError || (error as Error).name === 'TimeoutError') return words.trouble
  if (!(error instanceof ApiError)) throw error
  const { status, code } = error.problem
  // a proxy's answer: what the service answers by itself has words of its own
  if (status >= 500 && !wordedProblems('en').includes(code)) return words.trouble
  if (code === 'unknown-contact') return words.stranger
  if (code === 'opted-out') return words.stillStopped
  if (code === 'empty-audience') return words.nobodyInThere
  if (code === 'not-allowed') return words.mayNotSend
  return words.refused(code)
}
