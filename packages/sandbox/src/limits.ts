/** How fast is too fast for the stand-ins: as their channels' descriptors say, until it is changed. Null lifts a limit. */
import { type ChannelName, channels, type LimitOf } from '@courier-fleet/channels'

export type Limits = { [Channel in ChannelName]: Record<LimitOf<Channel>, number | null> }

/** The body of `POST /limits`; what is not said stays as it is. */
export type LimitChanges = { readonly [Channel in ChannelName]?: Readonly<Partial<Limits[Channel]>> }

export const realLimits = (): Limits => limitsBy((limit) => limit)

export const noLimits = (): Limits => limitsBy(() => null)

function limitsBy(of: (limit: number) => number | null): Limits {
  const limits = channels.map(({ name, sandboxLimits }) => [
    name,
    Object.fromEntries(Object.entries(sandboxLimits).map(([limit, real]) => [limit, of(real)])),
  ])
  return Object.fromEntries(limits) as Limits
}
