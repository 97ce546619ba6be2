/**
 * The link to Telegram: kept up for as long as it is open. When a connection is lost a new one is made and whatever was in
 * flight is handed over again; that is harmless, since a used random_id is answered as it was the first time.
 */
import { type Log, sleep } from '@courier-fleet/process'
import bigInt from 'big-integer'
import { Api } from 'telegram'
import { RPCError } from 'telegram/errors/index.js'
import { RequestState } from 'telegram/network/RequestState.js'
import type { TelegramAccount } from './account.ts'
import { fenceAfterChain } from './fences/after-chain.ts'
import { type Deadline, NoAnswer, startDeadline } from './fences/deadline.ts'
import { floodWaitOf } from './fences/flood-seconds.ts'
import type { Loss } from './fences/lost-connection.ts'
import { connectClient, type LiveClient, LostWhileConnecting } from './live-client.ts'
import { endsSession, NotConnected } from './refusals.ts'
import { createStoredSession } from './stored-session.ts'

export interface Link {
  /** Connects and logs in, however often it takes. @throws Error when Telegram refuses the bot, or when aborted */
  open(signal: AbortSignal): Promise<void>
  /** @throws NotConnected when not handed over, NoAnswer at the deadline, or Telegram's own error */
  request(request: Api.AnyRequest, deadline: Deadline): Promise<unknown>
  close(): Promise<void>
}

const connectMs = 15_000
const pingEveryMs = 15_000
const pingAnswerMs = 10_000
/** Telegram closes the connection when it has not heard a ping for so long */
const pingSilenceSeconds = 60
const shortestBackOffMs = 100
const longestBackOffMs = 10_000

export interface LinkListener {
  /** what happened to the bot: hints, of which any may be missing; see UpdateFeed */
  onUpdates?(updates: Api.TypeUpdates): void
  /** after every connection, the first included: whatever happened before may have been missed */
  onConnected?(): void
}

export function createLink(account: TelegramAccount, log: Log, listener: LinkListener = {}): Link {
  const stored = createStoredSession(account)
  const inFlight = new Set<RequestState>()
  const closing = new AbortController()
  let live: LiveClient | undefined
  let pings: NodeJS.Timeout | undefined

  /** @throws RPCError when Telegram refuses the bot; whatever else goes wrong is tried again */
  async function connect(): Promise<void> {
    const { signal } = closing
    for (let backOffMs = shortestBackOffMs; !signal.aborted; backOffMs = Math.min(backOffMs * 2, longestBackOffMs)) {
      const deadline = startDeadline(connectMs, signal)
      try {
        const client: LiveClient = await connectClient(account, stored.load(), deadline, log, {
          onLoss: (loss) => lose(client, loss),
          onUpdates: (updates) => listener.onUpdates?.(updates),
        })
        if (signal.aborted) await client.discard()
        else use(client)
        return
      } catch (error) {
        if (error instanceof LostWhileConnecting && error.loss === 'key-lost') stored.clear()
        else if (endsSession(error)) stored.clear()
        else if (error instanceof RPCError && !floodWaitOf(error) && error.code === 400) throw error
        const waitMs = Math.max(backOffMs, (floodWaitOf(error)?.seconds ?? 0) * 1000)
        log.warn({ reason: (error as Error).message, retryAfterMs: waitMs }, 'cannot connect to Telegram')
        await sleep(waitMs, signal)
      } finally {
        deadline.end()
      }
    }
  }

  function use(client: LiveClient): void {
    live = client
    stored.save(client.session)
    pings = setInterval(() => void ping(client), pingEveryMs)
    for (const state of inFlight) client.sender.addStateToQueue(state)
    log.info({ target: account.target, bot: account.botId, handedOverAgain: inFlight.size }, 'connected to Telegram')
    listener.onConnected?.()
  }

  function lose(client: LiveClient, loss: Loss): void {
    if (live !== client) return
    log.warn({ loss }, 'connection to Telegram lost; connecting again')
    live = undefined
    clearInterval(pings)
    if (loss === 'key-lost') stored.clear()
    void client.discard()
    connect().catch((error) =>
      log.error({ reason: (error as Error).message }, 'Telegram refuses the bot now; nothing more can be sent'),
    )
  }

  async function ping(client: LiveClient): Promise<void> {
    const state = new RequestState(
      new Api.PingDelayDisconnect({ pingId: bigInt(Date.now()), disconnectDelay: pingSilenceSeconds }),
    )
    const deadline = startDeadline(pingAnswerMs, closing.signal)
    client.sender.addStateToQueue(state)
    await deadline.race(state.promise as Promise<unknown>).catch(() => lose(client, 'closed'))
    deadline.end()
  }

  /**
   * Telegram sends updates "into the last active connection" (core.telegram.org/api/updates). A link that does not listen
   * says so with every call, so that it never takes them away from another process of the same bot.
   */
  function addressed(request: Api.AnyRequest): Api.AnyRequest {
    return listener.onUpdates ? request : new Api.InvokeWithoutUpdates({ query: request })
  }

  return {
    async open(signal) {
      const abort = () => closing.abort()
      signal.addEventListener('abort', abort, { once: true })
      try {
        if (!signal.aborted) await connect()
      } catch (error) {
        const text = error instanceof RPCError ? error.errorMessage : (error as Error).message
        throw new Error(`Telegram refuses the bot in TELEGRAM_BOT_TOKEN: ${text}`)
      } finally {
        signal.removeEventListener('abort', abort)
      }
      if (!live) throw new Error('told to stop before Telegram was connected')
    },

    async request(request, deadline) {
      const client = live
      if (!client) throw new NotConnected('not connected to Telegram')
      const state = new RequestState(fenceAfterChain(addressed(request)))
      inFlight.add(state)
      client.sender.addStateToQueue(state)
      try {
        return await deadline.race(state.promise as Promise<unknown>)
      } catch (error) {
        if (endsSession(error)) lose(client, 'key-lost')
        throw error
      } finally {
        inFlight.delete(state)
        // gramjs would wait for the answer for ever
        if (state.msgId) live?.sender._pendingState.delete(state.msgId)
        state.resolve()
      }
    },

    async close() {
      closing.abort()
      clearInterval(pings)
      for (const state of inFlight) state.reject(new NoAnswer('stopped before the answer came'))
      const client = live
      live = undefined
      await client?.discard()
    },
  }
}
