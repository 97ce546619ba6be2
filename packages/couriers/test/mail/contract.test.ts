import { mail } from '@courier-fleet/channels'
import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/mail'
import { courierContract, openLink } from '@courier-fleet/testkit'
import { mailConfig } from '../../src/mail/config.ts'
import { buildMailCourier } from '../../src/mail/courier.ts'
import { environment, password, quickTiming } from './fixture.ts'

courierContract('mail', async (deps) => {
  const world = new World()
  const server = await startStandIn({ world, password, retryMs: 20, log: silentLog })
  const line = await openLink(server.endpoint)
  const endpoint = { ...server.endpoint, port: line.port }
  const config = mailConfig(environment(endpoint))
  return {
    world,
    line,
    build: (deadlineMs) => buildMailCourier(config, deps, { ...quickTiming, deadlineMs }),
    address: mail.address.madeUp,
    secrets: [password],
    async stop() {
      await line.close()
      await server.stop()
    },
  }
})
