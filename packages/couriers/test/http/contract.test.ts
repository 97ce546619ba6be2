import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/http'
import { courierContract, openLink } from '@courier-fleet/testkit'
import { httpConfig } from '../../src/http/config.ts'
import { buildHttpCourier } from '../../src/http/courier.ts'
import { envelope, environment, secrets, startBreakers, timingOf } from './fixture.ts'

courierContract('http', async (deps) => {
  const world = new World()
  const receiver = await startStandIn({ world, log: silentLog })
  const line = await openLink(receiver.endpoint)
  const { breakers, stop } = await startBreakers()
  const tellOwner = async () => {}
  const config = httpConfig(environment(receiver.endpoint))
  return {
    world,
    line,
    build: (deadlineMs) => buildHttpCourier(config, { ...deps, breakers, tellOwner }, timingOf(deadlineMs)),
    address: (i) => `http://127.0.0.1:${line.port}/${i}`,
    envelope,
    eachIsProvider: 'not-taken',
    secrets,
    async stop() {
      await line.close()
      await receiver.stop()
      await stop()
    },
  }
})
