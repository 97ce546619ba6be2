/**
 * The connection to Telegram, kept up for as long as it is open. When it is lost a new one is made and the calls that wait for
 * an answer are handed over again; that is harmless, since a used random_id is answered as it was the first time.
 */
import { type Deadline, type Log, NoAnswer, sleep, startDeadline } from '@courier-fleet/process'
import bigInt from 'big-integer'
import { Api } from 'telegram'
import { RPCError } from 'telegram/errors/index.js'
import { RequestState } from 'telegram/network/RequestState.js'
import type { TelegramAccount } from './account.ts'
import { connectClient, type LiveClient, LostWhileConnecting } from './live-client.ts'
import { patchAfterChain } from './patches/after-chain.ts'
import { floodWaitOf } from './patches/flood-seconds.ts'
import type { Loss } from './patches/lost-connection.ts'
import { endsSession, NotConnected } from './refusals.ts'
import { createStoredSession, type StoredSession } from './stored-session.ts'

export interface TelegramConnection {
  /** Connects and logs in, however often it takes. @throws Error when Telegram refuses the bot, or when aborted */
  open(signal: AbortSignal): Promise<void>
  /** @throws NotConnected when not handed over, NoAnswer at the deadline, or Telegram's own error */
  request(request: Api.AnyRequest, deadline: Deadline): Promise<unknown>
  close(): Promise<void>
}

export interface TelegramConnectionDeps {
  readonly account: TelegramAccount
  readonly log: Log
  /** what happened to the bot: hints, of which any may be missing; see UpdateFeed */
  readonly onUpdates?: (updates: Api.TypeUpdates) => void
  /** after every connection, the first included: whatever happened before may have been missed */
  readonly onConnected?: () => void
  /** There is no connection, or none any more; told again when the reason is another one. */
  readonly onLost?: (why: string) => void
  /** Calls that wait for their answers when the connection is lost wait so long for the next one; 2 s when absent. */
  readonly lostPatienceMs?: number | undefined
}

const connectMs = 15_000
const pingEveryMs = 15_000
const pingAnswerMs = 10_000
/** Telegram closes the connection when it has not heard a ping for so long */
const pingSilenceSeconds = 60
const usualPatienceMs = 2_000
const minBackOffMs = 100
const maxBackOffMs = 10_000

export function createTelegramConnection(deps: TelegramConnectionDeps): TelegramConnection {
  return new Connection(deps)
}

class Connection implements TelegramConnection {
  readonly #deps: TelegramConnectionDeps
  readonly #stored: StoredSession
  readonly #inFlight = new Set<RequestState>()
  readonly #closing = new AbortController()
  #live: LiveClient | undefined
  #pings: NodeJS.Timeout | undefined
  #patience: NodeJS.Timeout | undefined

  constructor(deps: TelegramConnectionDeps) {
    this.#deps = deps
    this.#stored = createStoredSession(deps.account)
  }

  async open(signal: AbortSignal): Promise<void> {
    const abort = () => this.#closing.abort()
    signal.addEventListener('abort', abort, { once: true })
    try {
      if (!signal.aborted) await this.#connect()
    } catch (error) {
      const text = error instanceof RPCError ? error.errorMessage : (error as Error).message
      throw new Error(`Telegram refuses the bot in TELEGRAM_BOT_TOKEN: ${text}`)
    } finally {
      signal.removeEventListener('abort', abort)
    }
    if (!this.#live) throw new Error('told to stop before Telegram was connected')
  }

  async request(request: Api.AnyRequest, deadline: Deadline): Promise<unknown> {
    const client = this.#live
    if (!client) throw new NotConnected('not connected to Telegram')
    const state = new RequestState(patchAfterChain(this.#addressed(request)))
    this.#inFlight.add(state)
    client.sender.addStateToQueue(state)
    try {
      return await deadline.race(state.promise as Promise<unknown>)
    } catch (error) {
      if (endsSession(error)) this.#lose(client, 'key-lost')
      throw error
    } finally {
      this.#inFlight.delete(state)
      // gramjs would wait for the answer for ever
      if (state.msgId) this.#live?.sender._pendingState.delete(state.msgId)
      state.resolve()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#pings)
    this.#giveUp('stopped before the answer came')
    const client = this.#live
    this.#live = undefined
    await client?.discard()
  }

  /** @throws RPCError when Telegram refuses the bot; whatever else goes wrong is tried again */
  async #connect(): Promise<void> {
    const { signal } = this.#closing
    for (let backOffMs = minBackOffMs; !signal.aborted; backOffMs = Math.min(backOffMs * 2, maxBackOffMs)) {
      const deadline = startDeadline(connectMs, signal)
      try {
        return await this.#connectOnce(deadline)
      } catch (error) {
        if (error instanceof LostWhileConnecting && error.loss === 'key-lost') this.#stored.clear()
        else if (endsSession(error)) this.#stored.clear()
        else if (error instanceof RPCError && !floodWaitOf(error) && error.code === 400) throw error
        const waitMs = Math.max(backOffMs, (floodWaitOf(error)?.seconds ?? 0) * 1000)
        const fields = { reason: (error as Error).message, retryAfterMs: waitMs }
        this.#deps.onLost?.(`cannot connect to Telegram: ${fields.reason}`)
        this.#deps.log.warn(fields, 'cannot connect to Telegram')
        await sleep(waitMs, signal)
      } finally {
        deadline.end()
      }
    }
  }

  async #connectOnce(deadline: Deadline): Promise<void> {
    const { account, log, onUpdates } = this.#deps
    const client: LiveClient = await connectClient(account, this.#stored.load(), deadline, log, {
      onLoss: (loss) => this.#lose(client, loss),
      onUpdates: (updates) => onUpdates?.(updates),
    })
    if (this.#closing.signal.aborted) await client.discard()
    else this.#use(client)
  }

  #use(client: LiveClient): void {
    const { account, log, onConnected } = this.#deps
    this.#live = client
    this.#stored.save(client.session)
    this.#pings = setInterval(() => void this.#ping(client), pingEveryMs)
    clearTimeout(this.#patience)
    for (const state of this.#inFlight) client.sender.addStateToQueue(state)
    const handedOverAgain = this.#inFlight.size
    log.info({ target: account.target, bot: account.botId, handedOverAgain }, 'connected to Telegram')
    onConnected?.()
  }

  #lose(client: LiveClient, loss: Loss): void {
    const { log, onLost, lostPatienceMs = usualPatienceMs } = this.#deps
    if (this.#live !== client) return
    log.warn({ loss }, 'connection to Telegram lost; connecting again')
    this.#live = undefined
    onLost?.('the connection to Telegram was lost')
    clearInterval(this.#pings)
    this.#patience = setTimeout(() => this.#giveUp('the connection was lost before the answer came'), lostPatienceMs)
    if (loss === 'key-lost') this.#stored.clear()
    void client.discard()
    this.#connect().catch((error) => {
      const why = `Telegram refuses the bot now: ${(error as Error).message}`
      onLost?.(why)
      log.error({ why }, 'nothing more can be sent')
    })
  }

  #giveUp(why: string): void {
    clearTimeout(this.#patience)
    for (const state of this.#inFlight) state.reject(new NoAnswer(why))
  }

  async #ping(client: LiveClient): Promise<void> {
    const state = new RequestState(
      new Api.PingDelayDisconnect({ pingId: bigInt(Date.now()), disconnectDelay: pingSilenceSeconds }),
    )
    const deadline = startDeadline(pingAnswerMs, this.#closing.signal)
    client.sender.addStateToQueue(state)
    await deadline.race(state.promise as Promise<unknown>).catch(() => this.#lose(client, 'closed'))
    deadline.end()
  }

  /**
   * Telegram sends updates "into the last active connection" (core.telegram.org/api/updates). A connection that does not
   * listen says so with every call, so that it never takes them away from another process of the same bot.
   */
  #addressed(request: Api.AnyRequest): Api.AnyRequest {
    return this.#deps.onUpdates ? request : new Api.InvokeWithoutUpdates({ query: request })
  }
}
