import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/push'
import { courierContract, openLink } from '@courier-fleet/testkit'
import { vapidKeys } from '@courier-fleet/webhooks'
import { pushConfig } from '../../src/push/config.ts'
import { buildPushCourier } from '../../src/push/courier.ts'
import { addressAt, environment, fleetSecret, quickTiming } from './fixture.ts'

courierContract('push', async (deps) => {
  const world = new World()
  const service = await startStandIn({ world, log: silentLog })
  const line = await openLink(service.endpoint)
  const config = pushConfig(environment())
  return {
    world,
    line,
    build: (deadlineMs) => buildPushCourier(config, deps, { ...quickTiming, deadlineMs }),
    address: (i) => addressAt(line.port, i),
    eachIsProvider: 'throttled',
    secrets: [fleetSecret, vapidKeys(environment())?.privateKey ?? ''],
    async stop() {
      await line.close()
      await service.stop()
    },
  }
})
