import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn, type TelegramDcOptions } from '@courier-fleet/sandbox/telegram'

export type Fixture = Awaited<ReturnType<typeof startFixture>>

/** A DC of its own, with the limits lifted. */
export async function startFixture(options: Partial<TelegramDcOptions> = {}) {
  const world = new World()
  world.limits.telegram = { perSecond: null, perChatPerSecond: null }
  const dc = await startStandIn({ world, log: silentLog, ...options })
  return { world, dc, endpoint: dc.endpoint, stop: () => dc.stop() }
}
