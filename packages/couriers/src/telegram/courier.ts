/** Sends to people through one bot: splits, keeps the pace, hands over, and says what became of each. */

import { type MessageClass, splitText } from '@courier-fleet/api-types'
import { telegram } from '@courier-fleet/channels'
import { createTelegramConnection } from '@courier-fleet/gramjs'
import { createThrottledLog, type Deadline, startDeadline } from '@courier-fleet/process'
import type { Courier, CourierDeps, Edit, Item, Outcome } from '../courier.ts'
import { createReadiness } from '../readiness.ts'
import { type Attached, sendWithFiles } from '../with-files.ts'
import { createFloods } from './floods.ts'
import { giveDocument } from './give-document.ts'
import { isExpiredReference, isSame, outcomeOf } from './outcome.ts'
import { type Change, deletionOf, editOf, isUserId, messageIdIn, type Part, requestFor } from './requests.ts'
import type { TelegramSettings } from './settings.ts'

/** measured against the sandbox: more at once, or more send() calls than two, are no faster */
const maxBatchSize = 100

const badAddress: Outcome = { kind: 'rejected', class: 'invalid', detail: 'bad-address: not a Telegram user id' }
const notEditable: Outcome = { kind: 'rejected', class: 'refused', detail: 'several-parts: only one message is edited' }
const notKnown: Outcome = {
  kind: 'rejected',
  class: 'refused',
  detail: 'no-id: Telegram did not say what it is called',
}
const notAllowedYet: Outcome = {
  kind: 'throttled',
  scope: 'recipient',
  retryAfterMs: 1000,
  reason: 'not sent: the rate allows no more for now',
  isOwn: true,
}

export function buildTelegramCourier(settings: TelegramSettings, { log, clock, pacer, uploads }: CourierDeps): Courier {
  const { botId, target, ratePerSecond, deadlineMs, lostPatienceMs } = settings
  const readiness = createReadiness(clock)
  const mayAsk = createMayAsk({ log, pacer }, readiness)
  const connection = createTelegramConnection({
    account: settings,
    log,
    onConnected: readiness.ready,
    onLost: readiness.lose,
    lostPatienceMs,
  })
  const floods = createFloods(clock.now)
  const give = giveDocument((...call) => connection.request(...call))
  const files = { channel: telegram.name, uploads, give, isExpired: isExpiredReference }

  async function deliverPart(item: Item & Attached, part: Part, deadline: Deadline): Promise<Outcome> {
    const { address } = item
    const request = requestFor(item, part)
    const askedAt = clock.now()
    try {
      const answer = await connection.request(request, deadline)
      floods.served(address, askedAt)
      return { kind: 'sent', providerId: messageIdIn(answer) }
    } catch (error) {
      return outcomeOf(error, (seconds) => floods.scopeOf(address, seconds))
    }
  }

  return {
    channel: telegram.name,
    account: botId,
    target,
    // a second's worth: several processes share the pace, and all of a batch should be sent in time
    batchSize: Math.min(Math.max(Math.ceil(ratePerSecond ?? maxBatchSize), 10), maxBatchSize),
    concurrency: 3,
    keySpan: 1,
    ...(ratePerSecond ? { rate: { units: ratePerSecond, perMs: 1000 } } : {}),
    asksBy: 'button',
    foldsResends: telegram.abilities.foldsResends,
    readiness,

    start: (signal) => connection.open(signal),
    stop: () => connection.close(),

    send: (items, signal) => withFiles(items, signal, deliver),
    edit: (edits, signal) => withFiles(edits, signal, changing(editOf, notEditable)),
    recall: (messages, signal) =>
      within(deadlineMs, signal, (time) => together(messages, time, changing(deletionOf, notKnown))),
  }

  function withFiles<Some extends Item>(items: readonly Some[], signal: AbortSignal, one: ForOne<Some & Attached>) {
    return within(deadlineMs, signal, (time) =>
      sendWithFiles({ items, waitMs: time.paceMs, signal, send: (ready) => together(ready, time, one) }, files),
    )
  }

  function changing(requestOf: (message: Edit & Attached) => Change | undefined, none: Outcome) {
    return async (message: Edit & Attached, paced: AbortSignal, deadline: Deadline): Promise<Outcome> => {
      const request = requestOf(message)
      if (!request) return none
      const { address, providerId } = message
      const held = await mayAsk(1, message, paced)
      if (held) return held
      try {
        await connection.request(request, deadline)
      } catch (error) {
        if (!isSame(error)) return outcomeOf(error, (seconds) => floods.scopeOf(address, seconds))
      }
      return { kind: 'sent', providerId }
    }
  }

  async function deliver(item: Item & Attached, paced: AbortSignal, deadline: Deadline): Promise<Outcome> {
    if (!isUserId(item.address)) return badAddress
    const parts = splitText(item.text, telegram.text.maxPieceUnits)
    const held = await mayAsk(parts.length, item, paced)
    return held ?? deliverAll(parts, (part) => deliverPart(item, part, deadline), deadline)
  }
}

type MayAsk = (units: number, item: Item, paced: AbortSignal) => Promise<Outcome | undefined>

/** @returns of a call why it may not be made now */
function createMayAsk({ log, pacer }: Pick<CourierDeps, 'log' | 'pacer'>, readiness: Courier['readiness']): MayAsk {
  const warn = createThrottledLog((fields, text) => log.warn(fields, text))

  async function waitForRate(units: number, cls: MessageClass, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    try {
      await pacer.take(units, cls, signal)
      return true
    } catch (error) {
      if (!signal.aborted) warn({ reason: (error as Error).message }, 'cannot reserve the rate')
      return false
    }
  }

  return async (units, item, paced) => {
    if (!readiness.notReady() && !(await waitForRate(units, item.class, paced))) return notAllowedYet
    const notReady = readiness.notReady()
    return notReady && { kind: 'not-sent', why: notReady.why }
  }
}

interface Time {
  readonly deadline: Deadline
  /** for waiting for the rate: whom it has not allowed by then is certainly not sent to, and all others still get most of the time for an answer */
  readonly paceMs: number
}

async function within<Result>(
  deadlineMs: number,
  signal: AbortSignal,
  work: (time: Time) => Promise<Result>,
): Promise<Result> {
  const deadline = startDeadline(deadlineMs, signal)
  try {
    return await work({ deadline, paceMs: deadlineMs / 4 })
  } finally {
    deadline.end()
  }
}

type ForOne<Some extends Item> = (item: Some, paced: AbortSignal, deadline: Deadline) => Promise<Outcome>

/** One outcome each, in order. */
async function together<Some extends Item>(
  items: readonly Some[],
  { deadline, paceMs }: Time,
  one: ForOne<Some>,
): Promise<Outcome[]> {
  const paced = startDeadline(paceMs, deadline.signal)
  // all ask at once: whoever asks only when the one before has gone is not there when it is their turn
  const outcomes = await Promise.all(items.map((item) => one(item, paced.signal, deadline)))
  paced.end()
  return outcomes
}

/** The parts of a text in order; between them the chat's own limit is waited for, as long as the deadline allows. */
async function deliverAll(
  parts: readonly string[],
  deliverPart: (part: Part) => Promise<Outcome>,
  deadline: Deadline,
): Promise<Outcome> {
  const providerIds: string[] = []
  while (providerIds.length < parts.length) {
    const part = providerIds.length
    const outcome = await deliverPart({ text: parts[part] as string, part, isLast: part === parts.length - 1 })
    if (outcome.kind === 'sent') {
      providerIds.push(outcome.providerId)
    } else {
      const mayWait = outcome.kind === 'throttled' && outcome.scope === 'recipient' && part > 0
      if (!mayWait || outcome.retryAfterMs > deadline.leftMs) return outcome
      if (!(await deadline.sleep(outcome.retryAfterMs))) return outcome
    }
  }
  return { kind: 'sent', providerId: providerIds.join(',') }
}
