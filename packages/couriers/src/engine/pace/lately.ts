/**
 * What a provider has answered of late, for people who ask why a channel is slow: how many it takes a second, how long it takes for
 * that, and that it asks to be sent less, since when and in which words. It decides nothing; the pacer does.
 */
import { EventEmitter } from 'node:events'
import { classes, type MessageClass } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import type { CourierLately } from '@courier-fleet/store'
import type { Courier, Item, Outcome } from '../../courier.ts'

/** over which people a second are counted, people of each class are counted, and answers are measured */
const rateSeconds = 10
const classSeconds = 60
const answerSpanMs = 60_000
/** Answers that are remembered at most; of a channel that gives more in the time, the newest. */
const maxAnswers = 2_000
/** A shorter wait nobody notices: places that come free one after the other, the own rate. */
const leastWaitMs = 1_000
/** Who asks again within this time after a wait is over has never stopped asking. */
const calmMs = 10_000

interface Answer {
  readonly at: number
  readonly tookMs: number
}

export interface Lately {
  /** `slow-down`: the provider asks for it, and did not before */
  readonly events: EventEmitter<{ 'slow-down': [] }>
  /** The same courier, its answers noted. */
  listenTo(courier: Courier): Courier
  tell(): CourierLately
}

type Throttled = Extract<Outcome, { kind: 'throttled' }>

/** @param clock of the wall: what is told, is told to people */
export function createLately(clock: Clock): Lately {
  const events = new EventEmitter<{ 'slow-down': [] }>()
  let answers: Answer[] = []
  /** people who were sent to, by the second and class */
  const sentIn = new Map<number, Record<MessageClass, number>>()
  let slowDown: CourierLately['slowDown']

  const isOver = (nowMs: number) => slowDown === undefined || nowMs > slowDown.until + calmMs

  function noteSlowDown(outcomes: readonly Outcome[], nowMs: number): void {
    const asked = outcomes.filter(
      (outcome): outcome is Throttled =>
        outcome.kind === 'throttled' && !outcome.isOwn && outcome.retryAfterMs >= leastWaitMs,
    )
    const longest = asked.sort((a, b) => b.retryAfterMs - a.retryAfterMs)[0]
    if (!longest) return
    const isNew = isOver(nowMs)
    const before = isNew ? undefined : slowDown
    slowDown = {
      since: before?.since ?? nowMs,
      until: Math.max(before?.until ?? 0, nowMs + longest.retryAfterMs),
      why: longest.reason,
    }
    if (isNew) events.emit('slow-down')
  }

  function noteSent(items: readonly Item[], outcomes: readonly Outcome[], second: number): void {
    const sent = sentIn.get(second) ?? { urgent: 0, normal: 0, bulk: 0 }
    for (let index = 0; index < items.length; index += 1)
      if (outcomes[index]?.kind === 'sent') sent[(items[index] as Item).class] += 1
    sentIn.set(second, sent)
  }

  /** People of each class in the latest seconds. */
  function sentWithin(seconds: number, second: number): Record<MessageClass, number> {
    const sums = { urgent: 0, normal: 0, bulk: 0 }
    for (const [at, sent] of sentIn) if (at > second - seconds) for (const cls of classes) sums[cls] += sent[cls]
    return sums
  }

  function note(items: readonly Item[], outcomes: readonly Outcome[], askedMs: number): void {
    const at = clock.now()
    const second = Math.floor(at / 1000)
    for (const old of sentIn.keys()) if (old <= second - classSeconds) sentIn.delete(old)
    noteSent(items, outcomes, second)
    answers.push({ at, tookMs: Math.max(0, at - askedMs) })
    if (answers.length > maxAnswers) answers = answers.slice(-maxAnswers / 2)
    noteSlowDown(outcomes, at)
  }

  return {
    events,
    listenTo: (courier) =>
      Object.create(courier, {
        send: {
          value: async (...[items, signal]: Parameters<Courier['send']>) => {
            const askedMs = clock.now()
            const outcomes = await courier.send(items, signal)
            note(items, outcomes, askedMs)
            return outcomes
          },
        },
      }) as Courier,
    tell() {
      const nowMs = clock.now()
      answers = answers.filter(({ at }) => nowMs - at <= answerSpanMs)
      const second = Math.floor(nowMs / 1000)
      const lastMinute = sentWithin(classSeconds, second)
      const times = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
      return {
        sentPerSecond: sumOf(sentWithin(rateSeconds, second)) / rateSeconds,
        ...(sumOf(lastMinute) > 0 ? { lastMinute } : {}),
        ...(times.length > 0 ? { answerMs: { median: share(times, 0.5), p99: share(times, 0.99) } } : {}),
        ...(slowDown && !isOver(nowMs) ? { slowDown } : {}),
      }
    },
  }
}

const sumOf = (sent: Readonly<Record<MessageClass, number>>) => classes.reduce((sum, cls) => sum + sent[cls], 0)

const share = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number)
