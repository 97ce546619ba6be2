/**
 * A courier as operators have it work now: what it was started with, and over that what is set live of its channel. The engine
 * asks at each claim and each job, so a change drops nothing: what is claimed is worked off as it was claimed.
 */
import type { ChannelTuning } from '@courier-fleet/api-types'
import type { CourierPace, LiveSettings } from '@courier-fleet/store'
import type { Courier } from './courier.ts'

export function tuneCourier(courier: Courier, settings: Pick<LiveSettings, 'current'>): Courier {
  const tuning = (): ChannelTuning => settings.current().channels[courier.channel] ?? {}
  const batchSize = () => Math.min(tuning().batchSize ?? courier.batchSize, courier.batchSize)
  return Object.create(courier, {
    batchSize: { get: batchSize },
    concurrency: { get: () => tuning().concurrency ?? courier.concurrency },
    window: { get: () => windowOf(courier, tuning(), batchSize()) },
    rate: { get: () => rateOf(courier, tuning()) },
  }) as Courier
}

/** What a crash leaves unknown is never more than the process was started with. */
function windowOf({ window }: Courier, tuning: ChannelTuning, batchSize: number): Courier['window'] {
  return window === undefined ? undefined : Math.min(tuning.window ?? window, window, batchSize)
}

function rateOf({ rate }: Courier, { perSecond }: ChannelTuning): Courier['rate'] {
  if (perSecond === undefined) return rate
  return { ...rate, units: perSecond === 'off' ? Number.POSITIVE_INFINITY : perSecond, perMs: 1000 }
}

/** What a courier works with, as its process tells it; without `perSecond` there is no limit on this side. */
export function paceOf({ batchSize, concurrency, window, rate }: Courier): CourierPace {
  const perSecond = rate && (rate.units * 1000) / rate.perMs
  return {
    batchSize,
    concurrency,
    ...(window === undefined ? {} : { window }),
    ...(perSecond === undefined || !Number.isFinite(perSecond) ? {} : { perSecond }),
  }
}
