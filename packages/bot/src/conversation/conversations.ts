/** Deals with what people write and press: who is it, what does the conversation wait for, what comes next. */
import { ApiError, type Client } from '@courier-fleet/client'
import type { Fleet } from '@courier-fleet/inbound'
import type { Clock, Log } from '@courier-fleet/process'
import { type Action, type Chat, type Keyboard, markHandled, type Post } from '../store/chat.ts'
import type { Chats } from '../store/chats.ts'
import type { Secret } from '../store/secret.ts'
import type { BotEvent } from '../telegram/events.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { languageOf, wordsOf } from '../texts/index.ts'
import { type Command, commands } from '../texts/words.ts'
import * as account from './account.ts'
import * as compose from './compose.ts'
import { askWhich, move, picked, showHistory } from './past-messages.ts'
import { type PersonalTurn, type Place, personOf, startTurn, type Turn, troubleInWords } from './turn.ts'

export interface Conversations {
  /** Resolves when it has been dealt with; the same event again is not dealt with again. */
  deal(event: BotEvent): Promise<void>
  /** A confirmed message was not taken: tells why and shows it once more, as it was confirmed. */
  giveBack(address: string, post: Post, why: string): Promise<void>
}

export interface ConversationsDeps {
  readonly chats: Chats
  readonly fleet: Fleet
  readonly messenger: Messenger
  readonly secret: Secret
  readonly clock: Clock
  readonly log: Log
  /** told of what was confirmed, once it is kept */
  onPost(address: string, post: Post): void
}

export function createConversations(deps: ConversationsDeps): Conversations {
  const { chats, fleet, messenger, secret, clock, log } = deps

  async function deal(event: BotEvent): Promise<void> {
    const confirmed = await chats.change(event.address, async (chat) => {
      if (chat.handled.includes(event.id)) return []
      const known = new Set(chat.posts.map(({ key }) => key))
      await (event.kind === 'press' ? press(chat, event) : text(chat, event))
      markHandled(chat, event.id)
      return chat.posts.filter(({ key }) => !known.has(key))
    })
    for (const post of confirmed) deps.onPost(event.address, post)
  }

  /** Trouble leaves the conversation as it was, so that the same can be tried again. */
  async function within(
    chat: Chat,
    event: { id: string; place?: Place },
    work: (turn: Turn, asPerson: () => Promise<PersonalTurn>) => Promise<void>,
  ): Promise<void> {
    const personal = fleet.forContact(chat.address)
    const before = structuredClone(chat)
    const session = await personal.whoIsCalling().catch((error: unknown) => error)
    const language =
      chat.language ?? languageOf(session instanceof Error ? undefined : (session as Session).person?.language)
    const turnDeps = { messenger, secret, fleet: personal, now: clock.now() }
    const turn = startTurn(turnDeps, chat, language, event.id, event.place)
    try {
      await work(turn, async () => {
        if (session instanceof Error) throw session
        return Object.assign(turn, { person: personOf(session as Session, language) })
      })
    } catch (error) {
      Object.assign(chat, before)
      for (const key of ['keyboard', 'step', 'draft'] as const) if (before[key] === undefined) delete chat[key]
      const words = troubleInWords(error, wordsOf[language])
      log.debug({ reason: (error as Error).message }, 'a wish could not be fulfilled')
      await turn.notice(words)
    } finally {
      await turn.end()
    }
  }

  const text = (chat: Chat, { id, text: written }: Extract<BotEvent, { kind: 'text' }>) =>
    within(chat, { id }, async (turn, asPerson) => {
      const code = account.codeIn(written)
      // eight digits by themselves are a code from a stranger, and a text from somebody who is known
      if (code !== undefined && (/^\D/.test(written.trim()) || !(await isKnown(asPerson)))) {
        return account.redeem(turn, fleet.own, code)
      }
      if (/^(\/stop|стоп|stop)(@\w+)?[.!]?$/i.test(written.trim())) return account.consent(turn, fleet.own, false)
      if (/^(\/start(@\w+)?|старт|start)[.!]?$/i.test(written.trim())) return start(turn, asPerson, fleet.own)
      if (/^\/lang(@\w+)?$/i.test(written.trim())) return account.askLanguage(turn)
      const command = commandIn(written)
      const personal = await asPerson()
      if (command !== undefined) return run(personal, command)
      return take(personal, written)
    })

  const press = (chat: Chat, event: Extract<BotEvent, { kind: 'press' }>) =>
    within(chat, { id: event.id, place: event }, async (turn, asPerson) => {
      const { keyboard } = chat
      const [nonce, number] = event.data.split(':')
      const action = keyboard && /^\d{1,3}$/.test(number ?? '') ? keyboard.actions[Number(number)] : undefined
      const isGood = keyboard && action && nonce === keyboard.nonce && event.messageId === keyboard.messageId
      if (!isGood) return turn.notice(turn.words.outOfDate)
      if (action.do === 'language') {
        chat.language = action.language
        return void (await turn.show({ text: wordsOf[action.language].languageSet }))
      }
      return act(await asPerson(), action, keyboard)
    })

  return {
    deal,
    async giveBack(address, post, why) {
      await messenger.edit(address, post.messageId, why)
      await chats.change(address, async (chat) => {
        chat.posts = chat.posts.filter(({ key }) => key !== post.key)
        // somebody who has begun another message is not to be interrupted
        if (chat.draft || !post.unsent) return
        chat.draft = post.unsent
        chat.step = { kind: 'preview' }
        const event = { id: `back ${post.key}`, place: { messageId: post.messageId } }
        await within(chat, event, async (_turn, asPerson) => compose.preview(await asPerson(), why))
      })
    },
  }
}

type Session = Awaited<ReturnType<Client['whoIsCalling']>>

const isKnown = (asPerson: () => Promise<PersonalTurn>) =>
  asPerson().then(
    () => true,
    () => false,
  )

function commandIn(written: string): Command | 'unknown' | undefined {
  const name = /^\/([a-z_]+)(?:@\w+)?(?:\s|$)/i.exec(written.trim())?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  return commands.find((command) => command === name) ?? 'unknown'
}

async function start(turn: Turn, asPerson: () => Promise<PersonalTurn>, own: Client): Promise<void> {
  try {
    const { person } = await asPerson()
    await turn.say(turn.words.welcome(person.name, person.maySend))
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== 'opted-out') throw error
    await account.consent(turn, own, true)
  }
}

const forSenders: ReadonlySet<string> = new Set(['send', 'history', 'repeat', 'reschedule', 'limit'])

async function run(turn: PersonalTurn, command: Command | 'unknown'): Promise<void> {
  const { chat, words, person } = turn
  if (!person.maySend && forSenders.has(command)) return turn.say(words.mayNotSend)
  switch (command) {
    case 'send':
      delete chat.draft
      return compose.askAudience(turn)
    case 'history':
      return showHistory(turn)
    case 'repeat':
    case 'reschedule':
      return askWhich(turn, command)
    case 'cancel':
      if (chat.draft) return compose.drop(turn)
      delete chat.step
      return person.maySend ? askWhich(turn, 'cancel') : turn.say(words.nothingToDrop)
    case 'limit':
      return account.showLimits(turn)
    case 'unlink':
      return account.askUnlink(turn)
    default:
      return turn.say(words.help(person.maySend))
  }
}

/** A text that is no command: what it is depends on what was asked last. */
async function take(turn: PersonalTurn, written: string): Promise<void> {
  const { chat, words, person } = turn
  if (!person.maySend) return turn.say(words.mayNotSend)
  if (written.trim() === '') return turn.say(words.onlyText)
  const { step } = chat
  switch (step?.kind) {
    case 'audience':
      return compose.askAudience(turn, { query: written.trim().slice(0, 50) })
    case 'when':
      return compose.takeWhen(turn, written)
    case 'moved':
      return move(turn, step.key, written)
    default:
      return compose.takeText(turn, written)
  }
}

async function act(turn: PersonalTurn, action: Action, keyboard: Keyboard): Promise<void> {
  const { chat, words, person } = turn
  const step = chat.step?.kind === 'audience' ? chat.step : { query: '', page: 0 }
  switch (action.do) {
    case 'toggle':
      return compose.toggle(turn, action.recipient)
    case 'page':
      return compose.askAudience(turn, { ...step, page: action.page })
    case 'show-all':
    case 'audience':
      return compose.askAudience(turn)
    case 'chosen':
      return compose.goOn(turn)
    case 'text':
      return compose.askText(turn)
    case 'later':
      return compose.askWhen(turn)
    case 'now':
      return compose.sendAtOnce(turn)
    case 'send':
      return person.maySend ? compose.confirm(turn, keyboard) : turn.notice(words.mayNotSend)
    case 'drop':
      return compose.drop(turn)
    case 'keep':
      return void (await turn.show({ text: words.kept }))
    case 'pick':
      return picked(turn, action.what, action.key)
    case 'unlink':
      return account.unlink(turn)
    case 'language':
      return undefined
  }
}
