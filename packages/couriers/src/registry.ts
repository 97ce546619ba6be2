/** A channel's courier is what `createCourier` of `./<channel>/index.ts` makes; the channels themselves are in packages/channels. */
import { channelOf } from '@courier-fleet/channels'
import type { Courier, CourierDeps } from './courier.ts'

export type CreateCourier = (env: NodeJS.ProcessEnv, deps: CourierDeps) => Courier

/**
 * Loaded on demand: a courier process needs one provider's library, not all of them.
 * @throws Error in one line when there is no such channel
 */
export async function loadCourier(channel: string): Promise<CreateCourier> {
  const { name } = channelOf(channel)
  const { createCourier } = (await import(`./${name}/index.ts`)) as { createCourier: CreateCourier }
  return createCourier
}
