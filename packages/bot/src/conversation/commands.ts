/** What a known person asks for: by a command, a text that answers the last question, or a button. */
import type { Offer } from '../outgoing/offers.ts'
import type { Action, Keyboard } from '../store/chat.ts'
import { type Command, commands } from '../texts/words.ts'
import * as account from './account.ts'
import * as compose from './compose.ts'
import type { PersonalExchange } from './exchange.ts'
import {
  askToCancel,
  askWhich,
  decideWaiting,
  move,
  picked,
  repeat,
  repeatToMissed,
  showHistory,
} from './past-messages.ts'
import { chooseTemplate, showTemplates, takeField } from './templates.ts'
import { changeTopic, showTopics } from './topics.ts'
import { changeQuiet, changeType, muteOrUnmute, quiet, showTypes, takeWish } from './wishes.ts'

/** undefined when it is no command. */
export function commandIn(written: string): Command | 'unknown' | undefined {
  const name = /^\/([a-z_]+)(?:@\w+)?(?:\s|$)/i.exec(written.trim())?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  return commands.find((command) => command === name) ?? 'unknown'
}

/** What stands behind a command. */
export const restOf = (written: string): string => written.trim().replace(/^\S+\s*/, '')

const forSenders: ReadonlySet<string> = new Set([
  'send',
  'templates',
  'history',
  'repeat',
  'reschedule',
  'waiting',
  'limit',
])

export async function run(exchange: PersonalExchange, command: Command | 'unknown', rest: string): Promise<void> {
  const { chat, words, person } = exchange
  if (!person.maySend && forSenders.has(command)) return exchange.say(words.mayNotSend)
  switch (command) {
    case 'send':
      delete chat.draft
      return compose.askAudience(exchange)
    case 'templates':
      delete chat.draft
      return showTemplates(exchange)
    case 'history':
      return showHistory(exchange)
    case 'repeat':
    case 'reschedule':
    case 'waiting':
      return askWhich(exchange, command)
    case 'cancel':
      if (chat.draft) return compose.drop(exchange)
      delete chat.step
      return person.maySend ? askWhich(exchange, 'cancel') : exchange.say(words.nothingToDrop)
    case 'topics':
      return showTopics(exchange)
    case 'mute':
    case 'unmute':
      return muteOrUnmute(exchange, rest, command === 'unmute')
    case 'quiet':
      return quiet(exchange, rest)
    case 'limit':
      return account.showLimits(exchange)
    case 'unlink':
      return account.askUnlink(exchange)
    default:
      return exchange.say(words.help(person.maySend))
  }
}

/** A text that is no command: what it is depends on what was asked last. */
export async function takeText(exchange: PersonalExchange, written: string): Promise<void> {
  const { chat, words, person } = exchange
  // whoever writes messages here may begin one with any word
  if (!person.maySend) return (await takeWish(exchange, written)) ? undefined : exchange.say(words.mayNotSend)
  if (written.trim() === '') return exchange.say(words.onlyText)
  const { step } = chat
  switch (step?.kind) {
    case 'audience':
      return compose.askAudience(exchange, { query: written.trim().slice(0, 50) })
    case 'field':
      return takeField(exchange, step.asked, written)
    case 'when':
      return compose.takeWhen(exchange, written)
    case 'moved':
      return move(exchange, step.key, written)
    default:
      return compose.takeText(exchange, written)
  }
}

/** What is offered under a message that was sent. */
export async function takeOffer(
  exchange: PersonalExchange,
  { offer, key }: { readonly offer: Offer; readonly key: string },
): Promise<void> {
  const { words, person } = exchange
  if (!person.maySend) return exchange.notice(words.mayNotSend)
  if (offer === 'move') return picked(exchange, 'reschedule', key)
  return offer === 'cancel' ? askToCancel(exchange, key) : repeatToMissed(exchange, key)
}

export async function act(exchange: PersonalExchange, action: Action, keyboard: Keyboard): Promise<void> {
  const { chat, words, person } = exchange
  const step = chat.step?.kind === 'audience' ? chat.step : { query: '', page: 0 }
  switch (action.do) {
    case 'toggle':
      return compose.toggle(exchange, action.recipient)
    case 'page':
      return compose.askAudience(exchange, { ...step, page: action.page })
    case 'templates':
      return showTemplates(exchange, action.page)
    case 'template':
      return chooseTemplate(exchange, action.id)
    case 'topics':
      return showTopics(exchange, action.page)
    case 'topic':
      return changeTopic(exchange, action)
    case 'types':
      return showTypes(exchange, action.page)
    case 'type':
      return changeType(exchange, action)
    case 'quiet':
      return changeQuiet(exchange, action)
    case 'show-all':
    case 'audience':
      return compose.askAudience(exchange)
    case 'chosen':
      return compose.goOn(exchange)
    case 'text':
      return compose.askText(exchange)
    case 'later':
      return compose.askWhen(exchange)
    case 'now':
      return compose.sendNow(exchange)
    case 'send':
      return person.maySend ? compose.confirm(exchange, keyboard) : exchange.notice(words.mayNotSend)
    case 'drop':
      return compose.drop(exchange)
    case 'keep':
      return void (await exchange.show({ text: words.kept }))
    case 'pick':
      return picked(exchange, action.what, action.key)
    case 'send-waiting':
    case 'cancel-waiting':
      return decideWaiting(exchange, action)
    case 'repeat-to-all':
      return repeat(exchange, action.key)
    case 'repeat-to-missed':
      return repeatToMissed(exchange, action.key)
    case 'unlink':
      return account.unlink(exchange)
    case 'language':
      return undefined
  }
}
