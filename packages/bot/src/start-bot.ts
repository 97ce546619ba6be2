/** The bot as one process, between Telegram and the HTTP API of the fleet; what it has to remember lies in its own files. */
import { join } from 'node:path'
import { createTelegramConnection, createUpdateFeed, type UpdatePosition } from '@courier-fleet/gramjs'
import { connectFleet, type Fleet, tellAddress } from '@courier-fleet/inbound'
import { atMost, type Clock, type Log, startDeadline, systemClock } from '@courier-fleet/process'
import { languages } from '@courier-fleet/words'
import { createConversations } from './conversation/conversations.ts'
import { createOutgoingMessages } from './outgoing/outgoing-messages.ts'
import type { BotSettings } from './settings.ts'
import { openChats } from './store/chats.ts'
import { readWhole, writeWhole } from './store/files.ts'
import { openSecret } from './store/secret.ts'
import { createClientLanguages } from './telegram/client-languages.ts'
import { eventOf } from './telegram/events.ts'
import { createMessenger, type Messenger } from './telegram/messenger.ts'
import { wordsOf } from './texts/index.ts'
import { commands } from './texts/words.ts'

const askMs = 15_000
/** an update that Telegram pushed to another connection, or to none, is asked for after this time at most */
const catchUpEveryMs = 60_000
/** of the ten seconds a process has to stop */
const graceMs = 6000

export interface BotOptions {
  readonly log: Log
  readonly clock?: Clock
  /** ends a start that takes too long */
  readonly signal?: AbortSignal
  readonly editEveryMs?: number
}

/** Resolves when it takes what people write. @throws Error in one line when Telegram refuses the bot */
export async function startBot(settings: BotSettings, options: BotOptions): Promise<{ stop(): Promise<void> }> {
  const { account, dataDir } = settings
  const { log, clock = systemClock, signal = new AbortController().signal, editEveryMs } = options
  const stopping = new AbortController()
  const noMore = new AbortController()
  const chats = openChats(dataDir, log)
  const secret = openSecret(dataDir)
  const fleet = connectFleet({ ...settings, channel: 'telegram' })
  const connection = createTelegramConnection({
    account,
    log,
    onUpdates: (updates) => feed.onUpdates(updates),
    onConnected: () => feed.catchUp(),
  })
  const messenger = createMessenger({ connection, log, signal: stopping.signal })
  const clientLanguages = createClientLanguages()
  const conversations = createConversations({
    chats,
    fleet,
    messenger,
    secret,
    clientLanguages,
    clock,
    log,
    signal: noMore.signal,
    onConfirmed: (address, message) => outgoing.follow(address, message),
  })
  const outgoing = createOutgoingMessages({
    chats,
    fleet,
    messenger,
    secret,
    clock,
    log,
    giveBack: conversations.giveBack,
    ...(editEveryMs === undefined ? {} : { editEveryMs }),
  })
  const positionFile = join(dataDir, 'position.json')
  const feed = createUpdateFeed({
    log,
    positions: {
      load: () => readWhole<UpdatePosition>(positionFile),
      save: (position) => writeWhole(positionFile, position),
    },
    async ask(request) {
      const deadline = startDeadline(askMs, stopping.signal)
      return connection.request(request, deadline).finally(() => deadline.end())
    },
    onUsers: clientLanguages.note,
    async handle(update) {
      const event = eventOf(update)
      if (event) await conversations.handle(event)
    },
  })

  outgoing.resume()
  await connection.open(signal)
  // what is written from now on is taken, also after a crash: the first position is kept
  await feed.settled()
  const catchingUp = setInterval(() => feed.catchUp(), catchUpEveryMs)
  for (const language of languages) {
    const { commands: does } = wordsOf[language]
    const menu = commands.map((command) => [command, does[command]] as const)
    // Telegram shows the one without a language to everybody else
    for (const to of language === 'ru' ? [language, ''] : [language]) {
      messenger.setCommands(menu, to).catch((error) => log.debug({ reason: error.message }, 'no menu of commands'))
    }
  }
  const telling = tellName(messenger, fleet, { log, signal: noMore.signal })
  log.info({ target: account.target, bot: account.botId }, 'taking texts')

  return {
    async stop() {
      clearInterval(catchingUp)
      feed.stop()
      noMore.abort()
      await atMost(graceMs, Promise.all([outgoing.stop(), chats.idle()]))
      stopping.abort()
      await telling
      await connection.close()
    },
  }
}

/** Links with a code lead to the bot by its name. Never rejects. */
async function tellName(messenger: Messenger, fleet: Fleet, deps: { log: Log; signal: AbortSignal }): Promise<void> {
  try {
    const name = await messenger.ownName()
    if (name !== undefined) await tellAddress(fleet, 'telegram', name, deps)
  } catch (error) {
    deps.log.warn({ reason: (error as Error).message }, 'Telegram does not say what the bot is called')
  }
}
