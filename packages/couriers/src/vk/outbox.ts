/**
 * What is waiting for the next execute. The calls of all send()s under way share it, so that many small messages go out
 * together: a flight is made ready as soon as there is something to send, waits for its turn, and only then takes what has
 * gathered meanwhile.
 */
import type { Outcome, Pacer } from '../courier.ts'
import { maxCalls, type SendCall } from './execute.ts'

/** A call on its way through the outbox; its people fare alike until VK answers. */
interface Waiting {
  readonly call: SendCall
  state: 'waiting' | 'flying' | 'settled'
  readonly settle: (outcomes: readonly Outcome[]) => void
}

/** The calls of one send(), and the next of them to go. */
interface Sender {
  readonly calls: readonly Waiting[]
  at: number
}

export interface OutboxDeps {
  readonly pacer: Pacer
  /** carries one execute; never rejects */
  readonly deliver: (calls: readonly SendCall[]) => Promise<readonly (readonly Outcome[])[]>
}

export interface Outbox {
  /**
   * One outcome for each peer of each call, in order. What has not got its turn at `turnEndsAt` (as performance.now() counts)
   * is given back as `throttled`. Aborted: what is waiting is `throttled`, what is on its way `unknown`.
   */
  send(calls: readonly SendCall[], signal: AbortSignal, turnEndsAt: number): Promise<readonly (readonly Outcome[])[]>
  close(): void
}

const maxFlights = 40
/** UTF-16 units of different texts in one execute: some 200 KB of Cyrillic on the wire, well within what gateways take */
const maxTextUnits = 32_768

export function createOutbox({ pacer, deliver }: OutboxDeps): Outbox {
  let senders: Sender[] = []
  const breakOffs = new Set<() => void>()
  let closed = false
  let turns = new AbortController()
  let waiting = 0
  let boarding = 0
  let flying = 0

  /** What fits into one execute, a call of each sender in turn: who has little to send need not wait for who has much. */
  function take(): Waiting[] {
    const taken: Waiting[] = []
    const texts = new Set<string>()
    let units = 0
    for (let sender = senders.shift(); sender; sender = senders.shift()) {
      const next = sender.calls[sender.at]
      if (!next) continue
      const { text } = next.call
      if (next.state === 'waiting') {
        if (!texts.has(text)) units += text.length
        if (taken.length === maxCalls || (taken.length > 0 && units > maxTextUnits)) {
          senders.unshift(sender)
          break
        }
        texts.add(text)
        taken.push(next)
      }
      sender.at += 1
      senders.push(sender)
    }
    return taken
  }

  function pump(): void {
    while (boarding * maxCalls < waiting && boarding + flying < maxFlights) void fly()
  }

  async function fly(): Promise<void> {
    boarding++
    const mayGo = await turn()
    boarding--
    const taken = mayGo ? take() : []
    if (taken.length > 0) {
      flying++
      await carry(taken)
      flying--
    }
    pump()
  }

  /** @returns false when nobody waits for it any more, or it cannot be had: then nobody may go on waiting */
  async function turn(): Promise<boolean> {
    const { signal } = turns
    try {
      // whoever sends within the same turn of the event loop shares the flight
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      await pacer.take(1, signal)
      return true
    } catch {
      if (!signal.aborted) {
        for (const { calls } of senders) for (const each of calls) giveBack(each)
        giveUpTurns()
      }
      return false
    }
  }

  async function carry(taken: readonly Waiting[]): Promise<void> {
    for (const each of taken) each.state = 'flying'
    waiting -= taken.length
    const outcomes = await deliver(taken.map(({ call }) => call))
    for (const [i, each] of taken.entries()) settle(each, outcomes[i] ?? forAll(each, noResult))
  }

  function settle(each: Waiting, outcomes: readonly Outcome[]): void {
    if (each.state === 'settled') return
    if (each.state === 'waiting') waiting--
    each.state = 'settled'
    each.settle(outcomes)
  }

  function giveBack(each: Waiting): void {
    if (each.state === 'waiting') settle(each, forAll(each, noTurn))
  }

  /** Nobody is waiting any more: whoever waits for a turn need not. */
  function giveUpTurns(): void {
    if (waiting > 0 || boarding === 0) return
    turns.abort()
    turns = new AbortController()
    senders = []
  }

  function send(calls: readonly SendCall[], signal: AbortSignal, turnEndsAt: number) {
    const forEverybody = (outcome: Outcome) => calls.map(({ peers }) => peers.map(() => outcome))
    const turnMs = turnEndsAt - performance.now()
    if (closed || signal.aborted) return Promise.resolve(forEverybody(notSent))
    if (turnMs <= 0) return Promise.resolve(forEverybody(noTurn))
    if (calls.length === 0) return Promise.resolve([])
    return new Promise<readonly (readonly Outcome[])[]>((resolve) => {
      const outcomes: (readonly Outcome[])[] = new Array(calls.length)
      let left = calls.length
      const mine = calls.map((call, i): Waiting => {
        const settle = (answer: readonly Outcome[]) => {
          outcomes[i] = answer
          if (--left === 0) finish()
        }
        return { call, state: 'waiting', settle }
      })
      const breakOff = () => {
        for (const each of mine) settle(each, forAll(each, each.state === 'waiting' ? notSent : brokenOff))
        giveUpTurns()
      }
      const timer = setTimeout(() => {
        for (const each of mine) giveBack(each)
        giveUpTurns()
      }, turnMs)
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', breakOff)
        breakOffs.delete(breakOff)
        resolve(outcomes)
      }
      breakOffs.add(breakOff)
      signal.addEventListener('abort', breakOff, { once: true })
      waiting += mine.length
      senders.push({ calls: mine, at: 0 })
      pump()
    })
  }

  return {
    send,
    close() {
      closed = true
      for (const breakOff of [...breakOffs]) breakOff()
    },
  }
}

const forAll = ({ call }: Waiting, outcome: Outcome) => call.peers.map(() => outcome)

const notSent: Outcome = {
  kind: 'throttled',
  retryAfterMs: 1_000,
  scope: 'recipient',
  reason: 'the courier was told to stop before it was sent',
}
const noTurn: Outcome = {
  kind: 'throttled',
  retryAfterMs: 1_000,
  scope: 'recipient',
  reason: 'others of this account were before it',
}
const brokenOff: Outcome = { kind: 'unknown', why: 'the courier was told to stop while VK had it' }
const noResult: Outcome = { kind: 'unknown', why: 'VK gave no result' }
