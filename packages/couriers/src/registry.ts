/** A channel's courier is what `createCourier` of `./<channel>/index.ts` makes; the channels themselves are in packages/channels. */
import { channelOf } from '@courier-fleet/channels'
import type { Breakers } from '@courier-fleet/webhooks'
import type { Courier, CourierDeps } from './courier.ts'
import type { TellOwner } from './tell-owner.ts'

/** What a process has for any channel. */
export interface ProcessDeps extends CourierDeps {
  /** of the endpoints of a channel whose addresses are providers of their own */
  readonly breakers: Breakers
  readonly tellOwner: TellOwner
}

export type CreateCourier = (env: NodeJS.ProcessEnv, deps: ProcessDeps) => Courier

/**
 * Loaded on demand: a courier process needs one provider's library, not all of them.
 * @throws Error in one line when there is no such channel
 */
export async function loadCourier(channel: string): Promise<CreateCourier> {
  const { name } = channelOf(channel)
  const { createCourier } = (await import(`./${name}/index.ts`)) as { createCourier: CreateCourier }
  return createCourier
}
