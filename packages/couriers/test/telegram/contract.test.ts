import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/telegram'
import { courierContract } from '@courier-fleet/testkit'
import { buildTelegramCourier } from '../../src/telegram/courier.ts'
import { settingsFor } from './settings-for.ts'

courierContract('telegram', async (deps) => {
  const world = new World()
  const dc = await startStandIn({ world, log: silentLog })
  const settings = { ...settingsFor(dc.endpoint), deadlineMs: 1500 }
  return {
    world,
    courier: buildTelegramCourier(settings, deps),
    restart: async () => buildTelegramCourier(settings, deps),
    address: (i) => String(1_000_000 + i),
    deadlineMs: settings.deadlineMs,
    secrets: [dc.endpoint.botToken, dc.endpoint.apiHash],
    stop: () => dc.stop(),
  }
})
