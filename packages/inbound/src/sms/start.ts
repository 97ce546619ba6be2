import { join } from 'node:path'
import { type Client, createClient } from '@courier-fleet/client'
import { type Log, systemClock } from '@courier-fleet/process'
import { type LinkTiming, usualLinkTiming } from '@courier-fleet/smpp-link'
import { createAnswers } from '../answers.ts'
import { createAttend } from '../attend.ts'
import { createNotes } from '../notes.ts'
import { untilWelcome } from '../until-welcome.ts'
import type { SmsInboundConfig } from './config.ts'
import { createHttpSource } from './http-source.ts'
import { createOutcomes, type Owed } from './outcomes.ts'
import { createParts, longestWaitMs, type PartNote } from './parts.ts'
import { createSendOnce, type Unfinished } from './send-once.ts'
import { createServe } from './serve.ts'
import { createSmppSource, type TextSource } from './smpp-source.ts'
import { wordingFor, wordingLike } from './wording.ts'

/** a centre seldom brings again what was taken so long ago, and people seldom mean the same twice so soon */
const repeatMs = 600_000
const outcomeMs = 300_000
/** a second answer costs an SMS and no more; none at all leaves somebody waiting */
const answerRepeatMs = 60_000
/** by then a centre has brought again what it was not told of */
const unfinishedMs = 86_400_000
const sweepEveryMs = 3_600_000

export interface SmsInboundDeps {
  readonly config: SmsInboundConfig
  readonly log: Log
  readonly timing?: LinkTiming
}

/** Resolves when it listens. A centre or an API that is away is waited for. @throws Error for a wrong key or password */
export async function startSmsInbound({ config, log, timing = usualLinkTiming }: SmsInboundDeps) {
  const { apiUrl, apiKey, dataDir } = config
  const stopping = new AbortController()
  const notes = <T>(name: string) => createNotes<T>(join(dataDir, name))
  const [parts, unfinished, owed] = [notes<PartNote>('parts'), notes<Unfinished>('unfinished'), notes<Owed>('outcomes')]
  const clock = systemClock
  const client = createClient({ apiUrl, apiKey })
  const clientFor = (address: string, signal?: AbortSignal): Client =>
    createClient({
      apiUrl,
      apiKey,
      onBehalfOf: `sms:${address}`,
      ...(signal ? { fetch: (url, init) => fetch(url, { ...init, signal }) } : {}),
    })
  const answers = createAnswers({ client, channel: 'sms' })
  const outcomes = createOutcomes({ notes: owed, answers, clientFor, clock, log })
  const sendOnce = createSendOnce({ unfinished, clock, repeatMs })
  const attend = createAttend({
    channel: 'sms',
    client,
    clientFor,
    answers,
    serve: createServe({ sendOnce, outcomes, clock, outcomeMs }),
    wordingFor,
    wordingLike,
    clock,
    repeatMs: answerRepeatMs,
  })
  const { finish } = sendOnce
  const sources: TextSource[] = [
    ...(config.smpp
      ? [
          createSmppSource({
            ...config.smpp,
            timing,
            attend,
            finish,
            parts: createParts({ notes: parts, now: clock.now }),
            log,
          }),
        ]
      : []),
    ...(config.http ? [createHttpSource({ ...config.http, attend, finish, log })] : []),
  ]

  const sweep = () =>
    Promise.all([parts.sweep(longestWaitMs), unfinished.sweep(unfinishedMs)]).catch((error: unknown) =>
      log.warn({ err: error }, 'old notes could not be removed'),
    )
  await sweep()
  const sweeping = setInterval(sweep, sweepEveryMs)
  sweeping.unref()

  await untilWelcome(client, { log, signal: stopping.signal })
  await outcomes.resume()
  await Promise.all(sources.map((source) => source.start(stopping.signal)))
  log.info('taking texts')

  return {
    async stop() {
      stopping.abort()
      clearInterval(sweeping)
      await Promise.all(sources.map((source) => source.stop()))
      await outcomes.stop()
    },
  }
}
