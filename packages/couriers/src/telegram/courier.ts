/** Sends to people through one bot: splits, keeps the pace, hands over, and says what became of each. */

import { confirmPrefix, type MessageClass, splitText } from '@courier-fleet/api-types'
import { telegram } from '@courier-fleet/channels'
import { isDeletable, isEditable } from '@courier-fleet/channels/changes'
import { createTelegramConnection } from '@courier-fleet/gramjs'
import { createThrottledLog, type Deadline, startDeadline } from '@courier-fleet/process'
import bigInt from 'big-integer'
import { Api } from 'telegram'
import type { Courier, CourierDeps, Edit, Item, Outcome } from '../courier.ts'
import { createReadiness } from '../readiness.ts'
import { createFloods } from './floods.ts'
import { isSame, outcomeOf } from './outcome.ts'
import { randomIdOf } from './random-id.ts'
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

export function buildTelegramCourier(settings: TelegramSettings, { log, clock, pacer }: CourierDeps): Courier {
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

  async function deliverPart(item: Item, part: Part, deadline: Deadline): Promise<Outcome> {
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

    send: (items, signal) => together(items, { deadlineMs, signal }, deliver),
    edit: (edits, signal) => together(edits, { deadlineMs, signal }, changing(editOf, notEditable)),
    recall: (messages, signal) => together(messages, { deadlineMs, signal }, changing(deletionOf, notKnown)),
  }

  function changing(requestOf: (message: Edit) => Change | undefined, none: Outcome) {
    return async (message: Edit, paced: AbortSignal, deadline: Deadline): Promise<Outcome> => {
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

  async function deliver(item: Item, paced: AbortSignal, deadline: Deadline): Promise<Outcome> {
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

type Change = Api.messages.EditMessage | Api.messages.DeleteMessages

/** One outcome each, in order. */
async function together<T extends Item>(
  items: readonly T[],
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
  one: (item: T, paced: AbortSignal, deadline: Deadline) => Promise<Outcome>,
): Promise<Outcome[]> {
  const deadline = startDeadline(deadlineMs, signal)
  // whom the rate has not allowed by then is certainly not sent to; all others still get most of the time for an answer
  const paced = startDeadline(deadlineMs / 4, deadline.signal)
  // all ask at once: whoever asks only when the one before has gone is not there when it is their turn
  const outcomes = await Promise.all(items.map((item) => one(item, paced.signal, deadline)))
  paced.end()
  deadline.end()
  return outcomes
}

interface Part {
  readonly text: string
  /** from 0 */
  readonly part: number
  readonly isLast: boolean
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

/** A message is confirmed by a button under its last part. */
function requestFor({ address, key, confirm }: Item, { text, part, isLast }: Part): Api.messages.SendMessage {
  return new Api.messages.SendMessage({
    peer: new Api.InputPeerUser({ userId: bigInt(address), accessHash: bigInt.zero }),
    message: text,
    randomId: bigInt(randomIdOf(key, part)),
    ...(isLast && confirm ? { replyMarkup: confirmButtonOf(confirm) } : {}),
  })
}

/** @returns nothing where the one or the other text takes several messages, or it is not known which it is */
function editOf({ address, text, providerId, confirm }: Edit): Api.messages.EditMessage | undefined {
  if (!isEditable(telegram.name, providerId, text) || !isUserId(address)) return undefined
  const peer = new Api.InputPeerUser({ userId: bigInt(address), accessHash: bigInt.zero })
  const replyMarkup = confirm && confirmButtonOf(confirm)
  return new Api.messages.EditMessage({
    peer,
    id: Number(providerId),
    message: text,
    ...(replyMarkup ? { replyMarkup } : {}),
  })
}

/** All parts of it. An id says of itself in whose chat it is. @returns nothing where it is not known which they are */
function deletionOf({ providerId }: Edit): Api.messages.DeleteMessages | undefined {
  if (!isDeletable(telegram.name, providerId)) return undefined
  return new Api.messages.DeleteMessages({ revoke: true, id: providerId.split(',').map(Number) })
}

/** Pressed, the bot hears of it; what it carries has the form that the bot knows. */
const confirmButtonOf = ({ label, token }: NonNullable<Item['confirm']>) =>
  new Api.ReplyInlineMarkup({
    rows: [
      new Api.KeyboardButtonRow({
        buttons: [new Api.KeyboardButtonCallback({ text: label, data: Buffer.from(`${confirmPrefix}${token}`) })],
      }),
    ],
  })

const isUserId = (address: string) => /^[1-9]\d{0,18}$/.test(address)

/** The short answer, or the long one Telegram gives when other things changed as well. */
function messageIdIn(answer: unknown): string {
  if (answer instanceof Api.UpdateShortSentMessage) return String(answer.id)
  if (answer instanceof Api.Updates) {
    const named = answer.updates.find((update) => update instanceof Api.UpdateMessageID)
    if (named) return String(named.id)
  }
  return 'accepted'
}
