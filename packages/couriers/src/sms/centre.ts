/** One SMS centre, with the line to it, its account and its health. */
import { sleep } from '@courier-fleet/process'
import type { Account, CourierDeps, Item, Outcome } from '../courier.ts'
import { createReadiness, type OwnReadiness } from '../readiness.ts'
import type { Answer, Transport } from './answer.ts'
import type { CentreConfig } from './config.ts'
import { createHealth, type Health } from './health.ts'
import { type SendLimits, sendMessage } from './send-message.ts'
import { sendsmsTransport } from './sendsms-transport.ts'
import { smppTransport } from './smpp-transport.ts'
import type { SmsTiming } from './timing.ts'

export interface Centre {
  readonly config: CentreConfig
  readonly readiness: OwnReadiness
  readonly health: Health
  /** Resolves when it is there. @throws when it refuses these credentials, or when aborted */
  start(signal: AbortSignal): Promise<void>
  /** After start() has failed, until it is there. */
  startAgain(error: unknown): Promise<void>
  send(item: Item, limits: SendLimits): Promise<Outcome>
  state(): ReturnType<Account['state']>
  stop(): Promise<void>
}

export interface CentreDeps {
  readonly timing: SmsTiming
  readonly deps: CourierDeps
  /** its health is another */
  readonly onChange: () => void
}

export function createCentre(config: CentreConfig, { timing, deps, onChange }: CentreDeps): Centre {
  const { name, account, sender, window } = config
  const { log, pacer, clock } = deps
  const readiness = createReadiness(clock)
  const health = createHealth(timing, clock, () => {
    const rest = health.leftAlone()
    if (rest) log.warn({ centre: name, account, why: rest.why }, 'the SMS centre is left alone while there is another')
    else log.info({ centre: name, account }, 'the SMS centre works again')
    onChange()
  })
  const stopping = new AbortController()
  const own = ownIds(config)
  const common = { sender, window, timing, readiness, deps: { log, onReport: own.reportsTo(deps.onReport) } }
  const transport = own.answersOf(
    config.smpp
      ? smppTransport({ ...common, url: config.smpp })
      : sendsmsTransport({ ...common, account, url: config.sendsms }),
  )

  return {
    config,
    readiness,
    health,
    start: (signal) => transport.start(AbortSignal.any([signal, stopping.signal])),

    async startAgain(error) {
      for (let why = error; !stopping.signal.aborted; ) {
        const words = why instanceof Error ? why.message : String(why)
        readiness.lose(words)
        log.error({ centre: name, account, why: words }, 'the SMS centre lets nobody in; trying again')
        await sleep(timing.maxRetryMs, stopping.signal)
        if (stopping.signal.aborted) return
        try {
          return await transport.start(stopping.signal)
        } catch (again) {
          why = again
        }
      }
    },

    send: (item, limits) => sendMessage(item, { transport, pacer, account }, limits),

    state() {
      const notReady = readiness.notReady()
      if (notReady) return { is: 'not-connected', ...notReady }
      const rest = health.leftAlone()
      return rest ? { is: 'left-alone', ...rest } : { is: 'works' }
    },

    stop() {
      stopping.abort()
      return transport.stop()
    },
  }
}

/**
 * Two centres may give the same id to different messages: reports of the second are looked for under ids that say whose they are.
 * Those of the first are as they have always been, so that a second one can be added while reports are on their way.
 */
function ownIds({ name }: CentreConfig) {
  const own = (id: string) => (name === 'first' ? id : `${name}/${id}`)
  const ofAnswer = (answer: Answer): Answer => {
    if (answer.kind === 'accepted') return { ...answer, reportId: own(answer.reportId ?? answer.id) }
    return answer.kind === 'unknown' && answer.providerId !== undefined
      ? { ...answer, providerId: own(answer.providerId) }
      : answer
  }
  return {
    answersOf: (transport: Transport): Transport => ({
      ...transport,
      submit: async (submission, limit) => ofAnswer(await transport.submit(submission, limit)),
    }),
    reportsTo:
      (onReport: CourierDeps['onReport']): CourierDeps['onReport'] =>
      ({ providerIds, answered, ...said }) =>
        onReport({
          ...said,
          providerIds: providerIds.map(own),
          ...(answered ? { answered: { ...answered, reportId: own(answered.reportId) } } : {}),
        }),
  }
}
