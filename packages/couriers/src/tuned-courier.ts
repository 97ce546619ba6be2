/**
 * A courier as operators have it work now: what it was started with, and over that what is set live of its channel. The engine
 * asks at each claim and each job, so a change drops nothing: what is claimed is worked off as it was claimed.
 */
import type { ChannelTuning } from '@courier-fleet/api-types'
import { mayTellRead } from '@courier-fleet/channels'
import type { AccountInfo, CourierPace, LiveSettings } from '@courier-fleet/store'
import type { Account, Courier } from './courier.ts'

export function tuneCourier(courier: Courier, settings: Pick<LiveSettings, 'current'>): Courier {
  const tuning = (): ChannelTuning => settings.current().channels[courier.channel] ?? {}
  const batchSize = () => Math.min(tuning().batchSize ?? courier.batchSize, courier.batchSize)
  return Object.create(courier, {
    batchSize: { get: batchSize },
    concurrency: { get: () => tuning().concurrency ?? courier.concurrency },
    window: { get: () => windowOf(courier, tuning(), batchSize()) },
    rate: { get: () => (courier.accounts ? sumOfRates(accountsOf(courier, tuning())) : rateOf(courier, tuning())) },
    tellsRead: { get: () => mayTellRead(courier.channel) && settings.current().tellRead.includes(courier.channel) },
    accounts: { get: () => courier.accounts && accountsOf(courier, tuning()) },
  }) as Courier
}

/** What a crash leaves unknown is never more than the process was started with. */
function windowOf({ window }: Courier, tuning: ChannelTuning, batchSize: number): Courier['window'] {
  return window === undefined ? undefined : Math.min(tuning.window ?? window, window, batchSize)
}

/** What is set of the channel holds for each of its accounts: a rate is of an account. */
function accountsOf({ accounts = [] }: Courier, tuning: ChannelTuning): Account[] {
  return accounts.map((account) => Object.create(account, { rate: { get: () => rateOf(account, tuning) } }) as Account)
}

/** Undefined where one has none. */
export function sumOfRates(accounts: readonly Pick<Account, 'rate'>[]): Courier['rate'] {
  const perSecond = accounts.map(({ rate }) => (rate ? (rate.units * 1000) / rate.perMs : Number.POSITIVE_INFINITY))
  const units = perSecond.reduce((sum, each) => sum + each, 0)
  return Number.isFinite(units) ? { units, perMs: 1000 } : undefined
}

function rateOf({ rate }: Pick<Courier, 'rate'>, { perSecond }: ChannelTuning): Courier['rate'] {
  if (perSecond === undefined) return rate
  return { ...rate, units: perSecond === 'off' ? Number.POSITIVE_INFINITY : perSecond, perMs: 1000 }
}

/** What a courier works with, as its process tells it; without `perSecond` there is no limit on this side. */
export function paceOf({ batchSize, concurrency, window, rate }: Courier): CourierPace {
  return { batchSize, concurrency, ...(window === undefined ? {} : { window }), ...perSecondOf(rate) }
}

/** One of several accounts, as its process tells it. */
export function accountInfoOf(each: Account): AccountInfo {
  const lastLeftAlone = each.lastLeftAlone()
  const { name, account, prefixes, rate } = each
  const told = { name, account, prefixes, ...perSecondOf(rate), state: each.state() }
  return lastLeftAlone ? { ...told, lastLeftAlone } : told
}

function perSecondOf(rate: Courier['rate']): { readonly perSecond?: number } {
  const perSecond = rate && (rate.units * 1000) / rate.perMs
  return perSecond === undefined || !Number.isFinite(perSecond) ? {} : { perSecond }
}
