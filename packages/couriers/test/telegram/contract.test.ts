import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/telegram'
import { courierContract, openLink } from '@courier-fleet/testkit'
import { buildTelegramCourier } from '../../src/telegram/courier.ts'
import { settingsFor } from './settings-for.ts'

courierContract('telegram', async (deps) => {
  const world = new World()
  const dc = await startStandIn({ world, log: silentLog })
  const line = await openLink(dc.endpoint)
  const settings = settingsFor({ ...dc.endpoint, port: line.port })
  return {
    world,
    line,
    build: (deadlineMs) => buildTelegramCourier({ ...settings, deadlineMs }, deps),
    address: (i) => String(1_000_000 + i),
    secrets: [dc.endpoint.botToken, dc.endpoint.apiHash],
    async stop() {
      await line.close()
      await dc.stop()
    },
  }
})
