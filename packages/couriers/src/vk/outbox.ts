/**
 * What is waiting for the next execute. Letters of all send() calls under way share it, so that many small messages go
 * out together: a flight is made ready as soon as there is something to send, waits for its turn, and only then takes
 * what has gathered meanwhile.
 */
import type { Outcome, Pacer } from '../courier.ts'
import { maxCalls, maxPeers, type SendCall } from './execute.ts'

/** One piece of text for one person. */
export interface Letter {
  readonly peer: string
  readonly randomId: number
  readonly text: string
}

interface Waiting extends Letter {
  state: 'waiting' | 'flying' | 'settled'
  settle(outcome: Outcome): void
}

interface Batch {
  readonly randomId: number
  readonly text: string
  readonly letters: Waiting[]
}

export interface OutboxDeps {
  readonly pacer: Pacer
  /** carries one execute; never rejects */
  readonly deliver: (calls: readonly SendCall[]) => Promise<Outcome[][]>
}

export interface Outbox {
  /**
   * One outcome for each letter, in order. What has not got its turn at `turnEndsAt` (as performance.now() counts) is given
   * back as `throttled`. Aborted: what is waiting is `throttled`, what is on its way `unknown`.
   */
  send(letters: readonly Letter[], signal: AbortSignal, turnEndsAt: number): Promise<Outcome[]>
  close(): void
}

const maxFlights = 40
/** UTF-16 units of different texts in one call: some 200 KB of Cyrillic on the wire, well within what gateways take */
const maxTextUnits = 32_768

export function createOutbox({ pacer, deliver }: OutboxDeps): Outbox {
  const queue: Batch[] = []
  /** batches that still have room, by random_id */
  const open = new Map<number, Batch>()
  const breakOffs = new Set<() => void>()
  let closed = false
  let turns = new AbortController()
  let waiting = 0
  let boarding = 0
  let flying = 0

  function put(letter: Waiting): void {
    waiting++
    let batch = open.get(letter.randomId)
    if (!batch || batch.text !== letter.text || batch.letters.length >= maxPeers) {
      batch = { randomId: letter.randomId, text: letter.text, letters: [] }
      open.set(letter.randomId, batch)
      queue.push(batch)
    }
    batch.letters.push(letter)
  }

  /** Everything that fits into one execute. */
  function take(): Batch[] {
    const texts = new Set<string>()
    let units = 0
    let end = 0
    for (; end < Math.min(queue.length, maxCalls); end++) {
      const { text } = queue[end] as Batch
      if (!texts.has(text)) units += text.length
      if (end > 0 && units > maxTextUnits) break
      texts.add(text)
    }
    return queue.splice(0, end).flatMap((batch) => {
      if (open.get(batch.randomId) === batch) open.delete(batch.randomId)
      const letters = batch.letters.filter(({ state }) => state === 'waiting')
      return letters.length > 0 ? [{ ...batch, letters }] : []
    })
  }

  function pump(): void {
    while (waiting > 0 && boarding * maxCalls < queue.length && boarding + flying < maxFlights) void fly()
  }

  async function fly(): Promise<void> {
    boarding++
    const mayGo = await turn()
    boarding--
    const batches = mayGo ? take() : []
    if (batches.length > 0) {
      flying++
      await carry(batches)
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
        for (const { letters } of queue) for (const letter of letters) giveBack(letter)
        giveUpTurns()
      }
      return false
    }
  }

  async function carry(batches: readonly Batch[]): Promise<void> {
    for (const { letters } of batches) for (const letter of letters) letter.state = 'flying'
    waiting -= batches.reduce((sum, { letters }) => sum + letters.length, 0)
    const calls = batches.map(({ letters, ...call }) => ({ ...call, peers: letters.map(({ peer }) => peer) }))
    const outcomes = await deliver(calls)
    for (const [i, { letters }] of batches.entries())
      for (const [j, letter] of letters.entries())
        settle(letter, outcomes[i]?.[j] ?? { kind: 'unknown', why: 'VK gave no result' })
  }

  function settle(letter: Waiting, outcome: Outcome): void {
    if (letter.state === 'settled') return
    if (letter.state === 'waiting') waiting--
    letter.state = 'settled'
    letter.settle(outcome)
  }

  function giveBack(letter: Waiting): void {
    if (letter.state === 'waiting') settle(letter, noTurn)
  }

  /** Nobody is waiting any more: whoever waits for a turn need not. */
  function giveUpTurns(): void {
    if (waiting > 0) return
    turns.abort()
    turns = new AbortController()
    queue.length = 0
    open.clear()
  }

  function send(letters: readonly Letter[], signal: AbortSignal, turnEndsAt: number): Promise<Outcome[]> {
    const turnMs = turnEndsAt - performance.now()
    if (closed || signal.aborted) return Promise.resolve(letters.map(() => notSent))
    if (turnMs <= 0) return Promise.resolve(letters.map(() => noTurn))
    return new Promise((resolve) => {
      const outcomes: Outcome[] = new Array(letters.length)
      let left = letters.length
      const mine = letters.map((letter, i): Waiting => {
        const settle = (outcome: Outcome) => {
          outcomes[i] = outcome
          if (--left === 0) finish()
        }
        return { ...letter, state: 'waiting', settle }
      })
      const breakOff = () => {
        for (const letter of mine) settle(letter, letter.state === 'waiting' ? notSent : brokenOff)
        giveUpTurns()
      }
      const timer = setTimeout(() => {
        for (const letter of mine) giveBack(letter)
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
      for (const letter of mine) put(letter)
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
