/** Confirmed messages on their way: put under their key, watched, and shown in one message of the chat until they are over. */
import type { HistoryView } from '@courier-fleet/api-types'
import type { Fleet } from '@courier-fleet/inbound'
import type { Clock, Log } from '@courier-fleet/process'
import type { Conversations } from '../conversation/conversations.ts'
import type { OutgoingMessage } from '../store/chat.ts'
import type { Chats } from '../store/chats.ts'
import type { Secret } from '../store/secret.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { wordsOf } from '../texts/index.ts'
import { momentIn } from '../texts/words.ts'
import { accept } from './accept.ts'
import { outcomeOf } from './outcome.ts'
import { createThrottledEdit, type ThrottledEdit } from './throttled-edit.ts'
import { watchUntilOver } from './watch.ts'

export interface OutgoingMessages {
  /** Sees to it until its outcome was told; one that is followed already is left alone. */
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
  const { chats, fleet, clock, log, signal, giveBack } = deps
  const { key, unsent } = message
  const client = fleet.forContact(address)
  const words = wordsOf[message.language]
  const moment = momentIn(message.language, message.timeZone)
  const edit = editOf(address, message, deps)

  if (unsent) {
    edit.write(words.accepting)
    const accepted = await accept({ client, clock, log, signal }, message, unsent)
    if (accepted === undefined) return
    if (accepted === 'not-theirs') return tellOutcome(address, key, { edit, chats }, words.noLongerYours)
    if (accepted !== 'accepted') {
      await edit.finish(words.accepting)
      return giveBack(address, message, accepted.why(words, moment))
    }
    await noteAccepted(address, key, chats)
  }
  const onChange = (history: HistoryView) => edit.write(words.progress(history, moment))
  const report = await watchUntilOver(key, { client, clock, log, signal, onChange })
  if (report === undefined) return
  const outcome =
    report === 'not-theirs' ? words.noLongerYours : words.outcome(await outcomeOf(client, report, message.language))
  await tellOutcome(address, key, { edit, chats }, outcome)
}

/** Edits the message of the chat that shows how this one goes. */
function editOf(address: string, message: OutgoingMessage, deps: FollowDeps): ThrottledEdit {
  const { messenger, secret, log, signal, editEveryMs = usualEditEveryMs } = deps
  let { messageId } = message
  return createThrottledEdit({
    signal,
    everyMs: editEveryMs,
    async put(text) {
      if (await messenger.edit(address, messageId, text)) return
      // the person has deleted it; an earlier run may have sent it anew already, with another text
      const randomId = secret.randomIdOf(address, message.key, 'progress')
      messageId = (await messenger.send(address, text, randomId)) ?? messageId
      await messenger.edit(address, messageId, text)
    },
    onTrouble: (error) => log.debug({ reason: (error as Error).message }, 'cannot tell how a message goes'),
  })
}

async function noteAccepted(address: string, key: string, chats: Chats): Promise<void> {
  await chats.change(address, (chat) => {
    chat.outgoing = chat.outgoing.map((message) => {
      const { unsent: _, ...accepted } = message
      return message.key === key ? accepted : message
    })
  })
}

/** First told, then forgotten: a crash in between tells it once more, in the same message. */
async function tellOutcome(address: string, key: string, to: { edit: ThrottledEdit; chats: Chats }, text: string) {
  await to.edit.finish(text)
  await to.chats.change(address, (chat) => {
    chat.outgoing = chat.outgoing.filter((message) => message.key !== key)
  })
}
