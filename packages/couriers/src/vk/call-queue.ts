/**
 * What is waiting for the next execute. The calls of all send()s under way share it, so that many small messages go out
 * together: a request is prepared as soon as there is something to send, waits for the pacer, and only then takes what has
 * gathered meanwhile.
 */
import { classes, type MessageClass } from '@courier-fleet/api-types'
import type { Outcome, Pacer } from '../courier.ts'
import { type Call, maxCalls } from './execute.ts'
import { createWaitingCalls, forAll, type WaitingCall, type WaitingCalls } from './waiting-calls.ts'

type Outcomes = readonly (readonly Outcome[])[]

export interface CallQueueDeps {
  readonly pacer: Pacer
  /** carries one execute; never rejects */
  readonly deliver: (calls: readonly Call[]) => Promise<Outcomes>
}

export interface CallQueue {
  /**
   * One outcome for each peer of each call, in order. What the pacer has not let out at `paceEndsAt` (as performance.now()
   * counts) is given back as `throttled`. Aborted: what is waiting is `throttled`, what is on its way `unknown`.
   */
  send(calls: readonly Call[], signal: AbortSignal, paceEndsAt: number): Promise<Outcomes>
  close(): void
}

const maxRequests = 40
/** made once: a reason of its own for each takes the stack of each */
const nobodyWaits = new Error('nobody waits for it any more')

/** Requests that wait for the pacer, class by class, and take only then what has gathered. */
function createPrepared(pacer: Pacer, waiting: WaitingCalls) {
  const lane = () => ({ count: 0, pace: new AbortController() })
  const lanes = { urgent: lane(), normal: lane(), bulk: lane() }

  /** When nobody of a class is waiting any more, whoever waits for the pacer on its behalf need not. */
  function stopUnlessWaiting(): void {
    for (const cls of classes) {
      if (waiting.countOf(cls) > 0 || lanes[cls].count === 0) continue
      lanes[cls].pace.abort(nobodyWaits)
      lanes[cls].pace = new AbortController()
    }
  }

  /** @returns false when nobody waits for it any more, or the pacer fails: then nobody may go on waiting */
  async function waitForPace(cls: MessageClass): Promise<boolean> {
    const { signal } = lanes[cls].pace
    try {
      // whoever sends within the same round of the event loop shares the request
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      await pacer.take(1, cls, signal)
      return true
    } catch {
      if (!signal.aborted) waiting.giveUp(outOfTime)
      stopUnlessWaiting()
      return false
    }
  }

  return {
    count: () => classes.reduce((sum, cls) => sum + lanes[cls].count, 0),
    /** Whether more of this class waits than those that are prepared can take. */
    isShort: (cls: MessageClass) => lanes[cls].count * maxCalls < waiting.countOf(cls),
    stopUnlessWaiting,
    /** @returns what it takes */
    async one(cls: MessageClass): Promise<WaitingCall[]> {
      lanes[cls].count += 1
      const mayGo = await waitForPace(cls)
      lanes[cls].count -= 1
      return mayGo ? waiting.take(cls) : []
    },
  }
}

export function createCallQueue({ pacer, deliver }: CallQueueDeps): CallQueue {
  const waiting = createWaitingCalls()
  /** of the send()s under way */
  const breakOffs = new Set<() => void>()
  let closed = false
  const prepared = createPrepared(pacer, waiting)
  let underWay = 0

  function startRequests(): void {
    for (const cls of classes)
      while (prepared.isShort(cls) && prepared.count() + underWay < maxRequests) void request(cls)
  }

  async function request(cls: MessageClass): Promise<void> {
    const taken = await prepared.one(cls)
    if (taken.length > 0) {
      underWay += 1
      const outcomes = await deliver(taken.map(({ call }) => call))
      for (const [i, each] of taken.entries()) waiting.settle(each, outcomes[i] ?? forAll(each, noResult))
      underWay -= 1
    }
    startRequests()
  }

  async function enqueue(calls: readonly Call[], signal: AbortSignal, paceMs: number): Promise<Outcomes> {
    const { entries, outcomes } = entriesOf(calls)
    const breakOff = () => {
      for (const each of entries) waiting.settle(each, forAll(each, each.state === 'waiting' ? notSent : brokenOff))
      prepared.stopUnlessWaiting()
    }
    const timer = setTimeout(() => {
      for (const each of entries) if (each.state === 'waiting') waiting.settle(each, forAll(each, outOfTime))
      prepared.stopUnlessWaiting()
    }, paceMs)
    breakOffs.add(breakOff)
    signal.addEventListener('abort', breakOff, { once: true })
    waiting.add(entries)
    startRequests()
    try {
      return await outcomes
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', breakOff)
      breakOffs.delete(breakOff)
    }
  }

  return {
    async send(calls, signal, paceEndsAt) {
      const forEverybody = (outcome: Outcome) => calls.map(({ peers }) => peers.map(() => outcome))
      const paceMs = paceEndsAt - performance.now()
      if (closed || signal.aborted) return forEverybody(notSent)
      if (paceMs <= 0) return forEverybody(outOfTime)
      return calls.length === 0 ? [] : enqueue(calls, signal, paceMs)
    },
    close() {
      closed = true
      for (const breakOff of [...breakOffs]) breakOff()
    },
  }
}

/** `outcomes` resolves once all of them are settled. */
function entriesOf(calls: readonly Call[]): { entries: WaitingCall[]; outcomes: Promise<Outcomes> } {
  const answers: (readonly Outcome[])[] = new Array(calls.length)
  let left = calls.length
  let finish = () => {}
  const outcomes = new Promise<Outcomes>((resolve) => {
    finish = () => resolve(answers)
  })
  const entries = calls.map((call, i): WaitingCall => {
    const settle = (answer: readonly Outcome[]) => {
      answers[i] = answer
      left -= 1
      if (left === 0) finish()
    }
    return { call, state: 'waiting', settle }
  })
  return { entries, outcomes }
}

const notSent: Outcome = {
  kind: 'throttled',
  retryAfterMs: 1_000,
  scope: 'recipient',
  reason: 'the courier was told to stop before it was sent',
  isOwn: true,
}
const outOfTime: Outcome = {
  kind: 'throttled',
  retryAfterMs: 1_000,
  scope: 'recipient',
  reason: 'others of this account were before it',
  isOwn: true,
}
const brokenOff: Outcome = { kind: 'unknown', why: 'the courier was told to stop while VK had it' }
const noResult: Outcome = { kind: 'unknown', why: 'VK gave no result' }
