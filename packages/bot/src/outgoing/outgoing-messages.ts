/** Confirmed messages on their way: put under their key, watched, and shown in one message of the chat until they are over. */
import { type HistoryView, isOver } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Fleet } from '@courier-fleet/inbound'
import type { Clock, Log } from '@courier-fleet/process'
import type { Conversations } from '../conversation/conversations.ts'
import type { Draft, OutgoingMessage } from '../store/chat.ts'
import type { Chats } from '../store/chats.ts'
import type { Secret } from '../store/secret.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { wordsOf } from '../texts/index.ts'
import { momentIn, shortened, type WaysLeft, type Words } from '../texts/words.ts'
import { accept } from './accept.ts'
import { buttonsUnder, nonceUnder, type Shown } from './offers.ts'
import { createOutcomeTeller } from './tell-outcome.ts'
import { createThrottled, type Throttled } from './throttled.ts'
import { watchToTheEnd } from './watch.ts'

export interface OutgoingMessages {
  /** Sees to it until all of its outcome was told; one that is followed already is left alone. */
  follow(address: string, message: OutgoingMessage): void
  /** Follows what an earlier run of this process has left. */
  resume(): void
  /** Follows none any more; what is not told yet is followed after the next start. */
  stop(): Promise<void>
}

export interface OutgoingMessagesDeps {
  readonly chats: Chats
  readonly fleet: Fleet
  readonly messenger: Messenger
  readonly secret: Secret
  readonly clock: Clock
  readonly log: Log
  readonly giveBack: Conversations['giveBack']
  /** between two edits of one message */
  readonly editEveryMs?: number
}

const usualEditEveryMs = 1500
/** characters of a message that are shown below what has become of it */
const maxText = 1500

export function createOutgoingMessages(deps: OutgoingMessagesDeps): OutgoingMessages {
  const { chats, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const followed = new Map<string, Promise<void>>()

  function follow(address: string, message: OutgoingMessage): void {
    const { key } = message
    if (followed.has(key) || signal.aborted) return
    const following = seeToTheEnd(address, message, { ...deps, signal })
      .catch((error) => {
        if (!signal.aborted) log.error({ key, err: error }, 'cannot follow a message; the next start tries again')
      })
      .finally(() => followed.delete(key))
    followed.set(key, following)
  }

  return {
    follow,
    resume() {
      for (const { address, outgoing } of chats.all()) for (const message of outgoing) follow(address, message)
    },
    async stop() {
      stopping.abort()
      await Promise.all(followed.values())
    },
  }
}

type FollowDeps = OutgoingMessagesDeps & { readonly signal: AbortSignal }

async function seeToTheEnd(address: string, message: OutgoingMessage, deps: FollowDeps): Promise<void> {
  const { chats, fleet, clock, log, signal } = deps
  const { key, language, timeZone } = message
  const client = fleet.forContact(address)
  const words = wordsOf[language]
  const moment = momentIn(language, timeZone)
  const edit = editOf(address, message, deps)
  const forget = () => change(chats, address, key, () => [])

  if (message.unsent && !(await accepted(address, message, message.unsent, { ...deps, client, edit }))) return
  const outcome = createOutcomeTeller({
    message,
    client,
    words,
    edit,
    show: (said, history, left) => showIn(address, message, { said, history, left }, deps),
    write: (text, number) => writeLine(address, key, text, number, deps),
    keepTold: (told) => change(chats, address, key, (own) => [{ ...own, told }]),
    everyMs: deps.editEveryMs ?? usualEditEveryMs,
    log,
    signal,
  })
  const onChange = (history: HistoryView) =>
    isOver(history)
      ? outcome.tell(history)
      : edit.write(showIn(address, message, { said: words.progress(history, moment), history }, deps))
  const end = await watchToTheEnd(key, { client, clock, log, signal, onChange })
  if (end === undefined) return
  if (typeof end !== 'string') await outcome.finish(end)
  else if (message.told === undefined) await edit.finish(plain(whyNotFrom(words, end)))
  // first told, then forgotten: a crash in between tells it once more, in the same message
  await forget()
}

/** Puts it under its key. @returns false when it is not to be followed: it was not taken, or not yet */
async function accepted(
  address: string,
  message: OutgoingMessage,
  unsent: Draft,
  deps: FollowDeps & { readonly client: Client; readonly edit: Throttled<Shown> },
): Promise<boolean> {
  const { chats, client, clock, log, signal, edit, giveBack } = deps
  const { key, language, timeZone } = message
  const words = wordsOf[language]
  const accepting = withText(words.accepting, message, unsent.text)
  edit.write(accepting)
  const answer = await accept({ client, clock, log, signal }, message, unsent)
  if (answer === undefined) return false
  if (answer === 'accepted') {
    await change(chats, address, key, ({ unsent: _, ...own }) => [own])
    return true
  }
  if (typeof answer === 'string') {
    await edit.finish(plain(whyNotFrom(words, answer)))
    await change(chats, address, key, () => [])
    return false
  }
  await edit.finish(accepting)
  const back = answer.isQuestion ? { ...message, unsent: { ...unsent, isMeant: true as const } } : message
  await giveBack(address, back, answer.why(words, momentIn(language, timeZone)))
  return false
}

/** Edits the message of the chat that shows how this one goes. */
function editOf(address: string, message: OutgoingMessage, deps: FollowDeps): Throttled<Shown> {
  const { messenger, secret, log, signal, editEveryMs = usualEditEveryMs } = deps
  let { messageId } = message
  return createThrottled<Shown>({
    signal,
    everyMs: editEveryMs,
    async put({ text, buttons }) {
      if (await messenger.edit(address, messageId, text, buttons)) return
      // the person has deleted it; an earlier run may have sent it anew already, with another text
      const randomId = secret.randomIdOf(address, message.key, 'progress')
      messageId = (await messenger.send(address, text, randomId, buttons)) ?? messageId
      await messenger.edit(address, messageId, text, buttons)
    },
    onTrouble: (error) => log.debug({ reason: (error as Error).message }, 'cannot tell how a message goes'),
  })
}

/** Why this chat is told no more of a message. @param code of the refusal */
const whyNotFrom = (words: Words, code: string): string =>
  code === 'opted-out' ? words.stillStopped : words.noLongerYours

const plain = (text: string): Shown => ({ text, buttons: [] })

/** What has become of it stands first; whom it is for and what it says stays below. */
function withText(said: string, { to, language }: OutgoingMessage, text: string | undefined): Shown {
  const words = wordsOf[language]
  return plain([said, words.written(to ?? [], shortened(text ?? words.textGone, maxText))].join('\n\n'))
}

function showIn(
  address: string,
  message: OutgoingMessage,
  now: { readonly said: string; readonly history: HistoryView; readonly left?: WaysLeft | undefined },
  { secret }: FollowDeps,
): Shown {
  const nonce = nonceUnder(secret, address, message.key)
  const { text } = withText(now.said, message, now.history.text)
  return { text, buttons: buttonsUnder(now.history, now.left, nonce, wordsOf[message.language]) }
}

async function writeLine(address: string, key: string, text: string, number: number, deps: FollowDeps): Promise<void> {
  const { messenger, secret } = deps
  await messenger.send(address, text, secret.randomIdOf(address, key, 'worse', number))
}

/** Changes what the chat remembers of one message; to forget it there are none. */
async function change(
  chats: Chats,
  address: string,
  key: string,
  to: (message: OutgoingMessage) => readonly OutgoingMessage[],
): Promise<void> {
  await chats.change(address, (chat) => {
    chat.outgoing = chat.outgoing.flatMap((message) => (message.key === key ? to(message) : message))
  })
}
