/** Sends and edits messages of chats. Telegram's waits are kept, a lost connection is waited for; plain text, never markup. */

import { endsSession, floodWaitOf, NotConnected, type TelegramConnection } from '@courier-fleet/gramjs'
import { type Log, NoAnswer, sleep, startDeadline } from '@courier-fleet/process'
import bigInt from 'big-integer'
import { Api } from 'telegram'
import { RPCError } from 'telegram/errors/index.js'
import { inRows } from './rows.ts'

export interface Button {
  readonly label: string
  /** at most 64 bytes */
  readonly data: string
}
export type Buttons = readonly (readonly Button[])[]

export interface Messenger {
  /** @returns the message's id; undefined when this person cannot be written to. Once per random id, however often repeated */
  send(address: string, text: string, randomId: bigint, buttons?: Buttons): Promise<number | undefined>
  /** Without buttons those there were disappear. @returns false when there is no such message any more */
  edit(address: string, messageId: number, text: string, buttons?: Buttons): Promise<boolean>
  /** Takes its buttons from a message, whatever it says. */
  dropButtons(address: string, messageId: number): Promise<void>
  /** Ends the wait of whoever pressed a button, with a short notice if there is one. */
  answerPress(queryId: string, notice?: string): Promise<void>
  /** What the bot is called in links: its username, which every bot has. */
  ownName(): Promise<string | undefined>
  /** The menu beside the text field; for everybody when there is no language. */
  setCommands(commands: readonly (readonly [name: string, does: string])[], language: string): Promise<void>
}

const answerMs = 15_000
const retryMs = 500
/** in UTF-16 units */
const maxTextLength = 4096
const maxNoticeLength = 200
const cannotWrite = new Set(['USER_IS_BLOCKED', 'INPUT_USER_DEACTIVATED', 'PEER_ID_INVALID'])

interface MessengerDeps {
  readonly connection: TelegramConnection
  readonly log: Log
  /** aborted: told to stop */
  readonly signal: AbortSignal
}

/** Until there is an answer. @throws RPCError for a refusal, Error when told to stop */
async function askUntilAnswered(request: Api.AnyRequest, { connection, log, signal }: MessengerDeps): Promise<unknown> {
  for (;;) {
    if (signal.aborted) throw new Error('told to stop')
    const deadline = startDeadline(answerMs, signal)
    try {
      return await connection.request(request, deadline)
    } catch (error) {
      const flood = floodWaitOf(error)
      const isTrouble =
        error instanceof NoAnswer ||
        error instanceof NotConnected ||
        endsSession(error) ||
        (error instanceof RPCError && Math.abs(error.code ?? 0) >= 500)
      if (!flood && !isTrouble) throw error
      log.debug({ reason: (error as Error).message }, 'Telegram does not take it now')
      await sleep(flood ? flood.seconds * 1000 : retryMs, signal)
    } finally {
      deadline.end()
    }
  }
}

export function createMessenger(deps: MessengerDeps): Messenger {
  const ask = (request: Api.AnyRequest) => askUntilAnswered(request, deps)

  return {
    async send(address, text, randomId, buttons) {
      const request = new Api.messages.SendMessage({
        peer: peerOf(address),
        message: text.slice(0, maxTextLength),
        randomId: bigInt(randomId),
        noWebpage: true,
        ...markupOf(buttons),
      })
      try {
        return messageIdIn(await ask(request))
      } catch (error) {
        if (error instanceof RPCError && cannotWrite.has(error.errorMessage)) return undefined
        throw error
      }
    },

    async edit(address, messageId, text, buttons) {
      const message = text.slice(0, maxTextLength)
      try {
        await ask(
          new Api.messages.EditMessage({
            peer: peerOf(address),
            id: messageId,
            message,
            noWebpage: true,
            ...markupOf(buttons),
          }),
        )
        return true
      } catch (error) {
        if (!(error instanceof RPCError)) throw error
        return error.errorMessage === 'MESSAGE_NOT_MODIFIED'
      }
    },

    async dropButtons(address, messageId) {
      // there are none any more, or no message
      await ask(new Api.messages.EditMessage({ peer: peerOf(address), id: messageId })).catch((error) => {
        if (!(error instanceof RPCError)) throw error
      })
    },

    async answerPress(queryId, notice) {
      const request = new Api.messages.SetBotCallbackAnswer({
        queryId: bigInt(queryId),
        cacheTime: 0,
        ...(notice === undefined ? {} : { message: notice.slice(0, maxNoticeLength), alert: notice.length > 60 }),
      })
      // Telegram has forgotten a press that has waited too long
      await ask(request).catch((error) => {
        if (!(error instanceof RPCError)) throw error
      })
    },

    async ownName() {
      const users = (await ask(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }))) as Api.TypeUser[]
      const [self] = users
      return self instanceof Api.User ? self.username : undefined
    },

    async setCommands(commands, language) {
      await ask(
        new Api.bots.SetBotCommands({
          scope: new Api.BotCommandScopeDefault(),
          langCode: language,
          commands: commands.map(([command, description]) => new Api.BotCommand({ command, description })),
        }),
      )
    },
  }
}

/** Without an access hash a bot may name those who have written to it. */
function peerOf(address: string): Api.InputPeerUser {
  return new Api.InputPeerUser({ userId: bigInt(address), accessHash: bigInt.zero })
}

function markupOf(buttons: Buttons | undefined): { replyMarkup?: Api.ReplyInlineMarkup } {
  if (!buttons || buttons.length === 0) return {}
  const rows = inRows(buttons).map(
    (row) =>
      new Api.KeyboardButtonRow({
        buttons: row.map(({ label, data }) => new Api.KeyboardButtonCallback({ text: label, data: Buffer.from(data) })),
      }),
  )
  return { replyMarkup: new Api.ReplyInlineMarkup({ rows }) }
}

function messageIdIn(answer: unknown): number | undefined {
  if (answer instanceof Api.UpdateShortSentMessage) return answer.id
  if (answer instanceof Api.Updates) {
    return answer.updates.find((update) => update instanceof Api.UpdateMessageID)?.id
  }
  return undefined
}
