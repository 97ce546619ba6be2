/** Handles one text or press: who is it, what does the conversation wait for, what comes next. */
import { confirmPrefix } from '@courier-fleet/api-types'
import { ApiError, type Client } from '@courier-fleet/client'
import type { Fleet } from '@courier-fleet/inbound'
import type { Clock, Log } from '@courier-fleet/process'
import { offerIn } from '../outgoing/offers.ts'
import type { Chat } from '../store/chat.ts'
import type { Secret } from '../store/secret.ts'
import type { ClientLanguages } from '../telegram/client-languages.ts'
import type { BotEvent } from '../telegram/events.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { languageOf, wordsOf } from '../texts/index.ts'
import * as account from './account.ts'
import { act, commandIn, restOf, run, takeOffer, takeText } from './commands.ts'
import { confirmMessage } from './confirm.ts'
import {
  type Exchange,
  type PersonalExchange,
  personOf,
  type ReplyTo,
  startExchange,
  troubleInWords,
} from './exchange.ts'
import { hearMessage } from './heard.ts'

export interface EventDeps {
  readonly fleet: Fleet
  readonly messenger: Messenger
  readonly secret: Secret
  readonly clientLanguages: Pick<ClientLanguages, 'of'>
  readonly clock: Clock
  readonly log: Log
}

/** @throws ApiError when the fleet knows no person of this chat */
type AsPerson = () => Promise<PersonalExchange>

/** Trouble leaves the conversation as it was, so that the same can be tried again. @param event `isHeard`: the person did something */
export async function withExchange(
  chat: Chat,
  event: { readonly id: string; readonly replyTo?: ReplyTo; readonly isHeard?: boolean },
  deps: EventDeps,
  work: (exchange: Exchange, asPerson: AsPerson) => Promise<void>,
): Promise<void> {
  const { fleet, messenger, secret, clientLanguages, clock, log } = deps
  const client = fleet.forContact(chat.address)
  const [called, heard] = await Promise.allSettled([
    client.whoIsCalling(),
    event.isHeard ? hearMessage(chat, fleet) : undefined,
  ])
  const before = structuredClone(chat)
  const language = chat.language ?? chat.ownLanguage ?? languageOf(clientLanguages.of(chat.address))
  const consent: Exchange['consent'] = (type, allowed) =>
    fleet.own.recordConsent({ channel: 'telegram', address: chat.address, allowed, type })
  const exchangeDeps = { messenger, secret, fleet: client, consent, now: clock.now() }
  const exchange = startExchange(exchangeDeps, chat, language, event.id, event.replyTo)
  try {
    await work(exchange, async () => {
      // before it is known that they can be written to, nothing is promised
      if (heard.status === 'rejected') throw heard.reason
      if (called.status === 'rejected') throw called.reason
      return Object.assign(exchange, { person: personOf(called.value, language) })
    })
  } catch (error) {
    Object.assign(chat, before)
    for (const key of ['keyboard', 'step', 'draft'] as const) if (before[key] === undefined) delete chat[key]
    const words = troubleInWords(error, wordsOf[language])
    log.debug({ reason: (error as Error).message }, 'what somebody asked for could not be done')
    await exchange.notice(words)
  } finally {
    await exchange.end()
  }
}

export function handleText(chat: Chat, event: Extract<BotEvent, { kind: 'text' }>, deps: EventDeps): Promise<void> {
  const written = event.text
  const { own } = deps.fleet
  return withExchange(chat, { id: event.id, isHeard: true }, deps, async (exchange, asPerson) => {
    const code = account.codeIn(written)
    // digits by themselves are a code from a stranger, and a text from somebody who is known
    if (code !== undefined && (/^\D/.test(written.trim()) || !(await isKnown(asPerson)))) {
      return account.redeem(exchange, own, code)
    }
    if (/^(\/stop|стоп|stop)(@\w+)?( +(вс[её]|all))?[.!]?$/i.test(written.trim()))
      return account.consent(exchange, own, false)
    if (/^(\/start(@\w+)?|старт|start)( +(вс[её]|all))?[.!]?$/i.test(written.trim()))
      return welcome(exchange, asPerson, own)
    if (/^\/lang(@\w+)?$/i.test(written.trim())) return account.askLanguage(exchange)
    const command = commandIn(written)
    const personal = await asPerson()
    return command === undefined ? takeText(personal, written) : run(personal, command, restOf(written))
  })
}

const isKnown = (asPerson: AsPerson) =>
  asPerson().then(
    () => true,
    () => false,
  )

async function welcome(exchange: Exchange, asPerson: AsPerson, own: Client): Promise<void> {
  try {
    const { person } = await asPerson()
    await exchange.say(exchange.words.welcome(person.name, person.maySend))
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== 'opted-out') throw error
    await account.consent(exchange, own, true)
  }
}

export function handlePress(chat: Chat, event: Extract<BotEvent, { kind: 'press' }>, deps: EventDeps): Promise<void> {
  if (event.data.startsWith(confirmPrefix)) return confirmMessage(chat, event, deps)
  const offered = offerIn(event.data, chat, deps.secret)
  // what has become of a message stays to be read: whatever an offer under it leads to is said below
  const replyTo = offered ? { queryId: event.queryId } : event
  return withExchange(chat, { id: event.id, replyTo, isHeard: true }, deps, async (exchange, asPerson) => {
    if (offered) return takeOffer(await asPerson(), offered)
    const { keyboard } = chat
    const [nonce, number] = event.data.split(':')
    const action = keyboard && /^\d{1,3}$/.test(number ?? '') ? keyboard.actions[Number(number)] : undefined
    const isGood = keyboard && action && nonce === keyboard.nonce && event.messageId === keyboard.messageId
    if (!isGood) return exchange.notice(exchange.words.outOfDate)
    if (action.do === 'language') {
      chat.language = action.language
      return void (await exchange.show({ text: wordsOf[action.language].languageSet }))
    }
    return act(await asPerson(), action, keyboard)
  })
}
