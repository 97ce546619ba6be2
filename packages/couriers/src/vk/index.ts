/** VK: messages of a community to its subscribers, 2500 people in one call. */
import { createHash } from 'node:crypto'
import { vk } from '@courier-fleet/channels'
import { refusesToken } from '@courier-fleet/channels/vk/refused-token'
import type { Env } from '@courier-fleet/process'
import type { Courier, CourierDeps, Item, Outcome } from '../courier.ts'
import { createReach } from '../reach.ts'
import { createReadiness } from '../readiness.ts'
import { createVkApi, type VkApi } from './api-call.ts'
import { createCallQueue } from './call-queue.ts'
import { createCarrier } from './carry.ts'
import { executeParams, maxCalls, maxPeers, readExecute } from './execute.ts'
import { giveDocument } from './give-document.ts'
import { readVkSettings } from './settings.ts'

const reachRetryMs = 2_000
/**
 * VK counts the calls of any one second as they arrive. Sent exactly a second after the one twenty before it, a call that
 * arrives a little sooner would be one too many.
 */
const slackMs = 25
/** More at once only take each other's time … */
const unpacedClaims = 4
/** … but where all wait for the pace, its slots must not pass unused while answers are written and claims are read. */
const pacedClaims = 7

export function createCourier(env: Env, { log, clock, pacer, uploads }: CourierDeps): Courier {
  const { token, target, apiBaseUrl, callsPerSecond, deadlineMs } = readVkSettings(env)
  // part of the time is for waiting for a slot, the rest for VK's answer: together they stay within the deadline
  const paceMs = deadlineMs / 4
  const api = createVkApi({ token, apiBaseUrl, timeoutMs: deadlineMs - paceMs })
  const readiness = createReadiness(clock)
  const reach = createReach({
    readiness,
    async ask(signal) {
      await pacer.take(1, 'urgent', signal).catch(() => {}) // a Redis that is away says nothing of VK
      const answer = await api.call('groups.getById', {})
      const isAnswer = answer.kind === 'answered' || answer.code !== undefined
      return isAnswer ? { answer } : { why: whyIn(answer.outcome) }
    },
    retryMs: reachRetryMs,
    log,
  })
  const call: VkApi['call'] = async (method, params) => {
    const answer = await api.call(method, params)
    if (answer.kind === 'failed' && answer.outcome.kind === 'not-sent') reach.lose(answer.outcome.why)
    return answer
  }
  const queue = createCallQueue({
    pacer,
    async deliver(calls) {
      const answer = await call('execute', executeParams(calls))
      if (answer.kind === 'failed') log.warn({ calls: calls.length, outcome: answer.outcome }, 'vk execute failed')
      else log.debug({ calls: calls.length, errors: answer.executeErrors.length }, 'vk execute')
      return readExecute(calls, answer)
    },
  })

  const carrier = createCarrier(queue, { channel: vk.name, uploads, give: giveDocument({ call, pacer }) })
  const whileReady =
    <Some extends Item>(
      carry: (items: readonly Some[], signal: AbortSignal, paceEndsAt: number) => Promise<Outcome[]>,
    ) =>
    async (items: readonly Some[], signal: AbortSignal): Promise<Outcome[]> => {
      const notReady = readiness.notReady()
      if (notReady) return items.map(() => ({ kind: 'not-sent', why: notReady.why }))
      return carry(items, signal, performance.now() + paceMs)
    }

  return {
    channel: vk.name,
    account: createHash('sha256').update(token).digest('hex').slice(0, 12),
    target,
    batchSize: maxCalls * maxPeers,
    concurrency: callsPerSecond ? pacedClaims : unpacedClaims,
    keySpan: maxPeers,
    rate: { units: callsPerSecond ?? Number.POSITIVE_INFINITY, perMs: 1000, slackMs },
    asksBy: 'button',
    foldsResends: vk.abilities.foldsResends,
    readiness,

    /** @throws Error when VK refuses the token; while VK cannot be reached it keeps trying until aborted */
    async start(signal) {
      const answer = await reach.until(signal)
      if (answer.kind === 'failed' && answer.code !== undefined && refusesToken(answer.code))
        throw new Error('VK refuses the token in VK_TOKEN')
      log.info({ target }, 'vk answers')
    },
    send: whileReady(carrier.send),
    edit: whileReady(carrier.edit),
    recall: whileReady(carrier.recall),
    async stop() {
      reach.stop()
      queue.close()
      await api.close()
    },
  }
}

const whyIn = (outcome: Outcome) => ('why' in outcome ? outcome.why : 'VK does not answer')
