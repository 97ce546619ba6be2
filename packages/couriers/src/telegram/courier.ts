/** Sends to people through one bot: splits, keeps the pace, hands over, and says what became of each. */

import { splitText } from '@courier-fleet/api-types'
import { telegram } from '@courier-fleet/channels'
import { createTelegramConnection } from '@courier-fleet/gramjs'
import { type Deadline, startDeadline } from '@courier-fleet/process'
import bigInt from 'big-integer'
import { Api } from 'telegram'
import type { Courier, CourierDeps, Item, Outcome } from '../courier.ts'
import { createReadiness } from '../readiness.ts'
import { createFloods } from './floods.ts'
import { outcomeOf } from './outcome.ts'
import { randomIdOf } from './random-id.ts'
import type { TelegramSettings } from './settings.ts'

/** measured against the sandbox: more at once, or more send() calls than two, are no faster */
const maxBatchSize = 100

const badAddress: Outcome = { kind: 'rejected', class: 'invalid', detail: 'bad-address: not a Telegram user id' }
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
  const connection = createTelegramConnection({
    account: settings,
    log,
    onConnected: readiness.ready,
    onLost: readiness.lose,
    lostPatienceMs,
  })
  const floods = createFloods(clock.now)

  async function deliverPart({ address, key }: Item, text: string, part: number, deadline: Deadline): Promise<Outcome> {
    const randomId = randomIdOf(key, part)
    const peer = new Api.InputPeerUser({ userId: bigInt(address), accessHash: bigInt.zero })
    const request = new Api.messages.SendMessage({ peer, message: text, randomId: bigInt(randomId) })
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
    foldsResends: telegram.abilities.foldsResends,
    readiness,

    start: (signal) => connection.open(signal),
    stop: () => connection.close(),

    async send(items, signal) {
      const outcomes: Outcome[] = items.map(() => notAllowedYet)
      const deadline = startDeadline(deadlineMs, signal)
      // whom the rate has not allowed by then is certainly not sent to; all others still get most of the time for an answer
      const paced = startDeadline(deadlineMs / 4, deadline.signal)
      const handedOver: Promise<void>[] = []
      for (const [i, item] of items.entries()) {
        if (!isUserId(item.address)) {
          outcomes[i] = badAddress
          continue
        }
        const notReady = readiness.notReady()
        if (notReady) {
          outcomes[i] = { kind: 'not-sent', why: notReady.why }
          continue
        }
        const parts = splitText(item.text, telegram.text.maxPieceUnits)
        if (!(await waitForRate(parts.length, paced.signal))) break
        handedOver.push(
          deliverAll(parts, (text, part) => deliverPart(item, text, part, deadline), deadline).then((outcome) => {
            outcomes[i] = outcome
          }),
        )
      }
      paced.end()
      await Promise.all(handedOver)
      deadline.end()
      return outcomes
    },
  }

  async function waitForRate(units: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    try {
      await pacer.take(units, signal)
      return true
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: (error as Error).message }, 'cannot reserve the rate')
      return false
    }
  }
}

/** The parts of a text in order; between them the chat's own limit is waited for, as long as the deadline allows. */
async function deliverAll(
  parts: readonly string[],
  deliverPart: (text: string, part: number) => Promise<Outcome>,
  deadline: Deadline,
): Promise<Outcome> {
  const providerIds: string[] = []
  while (providerIds.length < parts.length) {
    const part = providerIds.length
    const outcome = await deliverPart(parts[part] as string, part)
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
