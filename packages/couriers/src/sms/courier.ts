/** The SMS courier, with one centre or two. */
import { sms } from '@courier-fleet/channels'
import { startDeadline } from '@courier-fleet/process'
import type { Account, Courier, CourierDeps } from '../courier.ts'
import { anyReadiness } from '../readiness.ts'
import { sumOfRates } from '../tuned-courier.ts'
import { createCarry } from './carry.ts'
import { type Centre, createCentre } from './centre.ts'
import type { CentreConfig, SmsConfig } from './config.ts'
import type { SmsTiming } from './timing.ts'

/** The part of the deadline within which a message must have begun. */
const beginShare = 0.25

/** One that lands, one that fills the window, one made ready to follow; and one for what is urgent. */
const claimsInHand = 4

/** Resends are not folded: what nobody answered stays `unknown`, and never more of it than one window. */
export function buildSmsCourier(config: SmsConfig, deps: CourierDeps, timing: SmsTiming): Courier {
  const { window } = config
  const { deadlineMs } = timing
  const centres = config.centres.flatMap((each) =>
    each ? [createCentre(each, { timing, deps, onChange: () => readiness.events.emit('change') })] : [],
  )
  const readiness = anyReadiness(centres.map((each) => each.readiness))
  const [first] = config.centres
  const carry = createCarry(centres, config, timing)
  const rate = sumOfRates(centres.map((each) => ({ rate: rateOf(each.config) })))

  return {
    channel: sms.name,
    account: first.account,
    ...(centres.length > 1 ? { accounts: centres.map((each) => accountOf(each, centres)) } : {}),
    target: config.target,
    batchSize: window,
    concurrency: claimsInHand,
    window,
    keySpan: 1,
    foldsResends: sms.abilities.foldsResends,
    givesReports: true,
    asksBy: 'number',
    readiness,
    ...(rate ? { rate } : {}),
    start: (signal) => startAny(centres, signal),
    async stop() {
      await Promise.all(centres.map((each) => each.stop()))
    },

    async send(items, signal) {
      const notReady = readiness.notReady()
      if (notReady) return items.map(() => ({ kind: 'not-sent', why: notReady.why }))
      const begin = startDeadline(deadlineMs * beginShare, signal, 'the rate allows no more')
      const end = startDeadline(deadlineMs, signal)
      const limits = { begin: begin.signal, end: end.signal }
      try {
        return await Promise.all(items.map((item) => carry(item, limits, signal)))
      } finally {
        begin.end()
        end.end()
      }
    },
  }
}

const rateOf = ({ perSecond }: CentreConfig): Courier['rate'] =>
  perSecond === undefined ? undefined : { units: perSecond, perMs: 1000 }

/** One that does not work is in use only while none does. */
function accountOf(centre: Centre, centres: readonly Centre[]): Account {
  const { name, account, prefixes } = centre.config
  const works = ({ readiness, health }: Centre) => !readiness.notReady() && !health.leftAlone()
  const rate = rateOf(centre.config)
  return {
    name,
    account,
    prefixes,
    ...(rate ? { rate } : {}),
    isInUse: () => works(centre) || (!centre.readiness.notReady() && !centres.some(works)),
    state: () => centre.state(),
    lastLeftAlone: () => centre.health.last(),
  }
}

/** Resolves when one is there; another that lets nobody in is tried again. @throws when all refuse, with what the first says */
async function startAny(centres: readonly Centre[], signal: AbortSignal): Promise<void> {
  const starting = centres.map(async (centre) => {
    const started = centre.start(signal)
    if (centres.length > 1) started.catch((error) => centre.startAgain(error))
    await started
  })
  try {
    await Promise.any(starting)
  } catch (error) {
    await Promise.all(centres.map((each) => each.stop()))
    throw (error as AggregateError).errors[0]
  }
}
