import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/sms'
import { courierContract } from '@courier-fleet/testkit'
import { smsConfig } from '../../src/sms/config.ts'
import { buildSmsCourier } from '../../src/sms/courier.ts'
import { environment, password, phone, quickTiming } from './fixture.ts'

for (const transport of ['SMPP', 'HTTP'] as const)
  courierContract(`SMS by ${transport}`, async (deps) => {
    const world = new World()
    const smsc = await startStandIn({ world, password, log: silentLog })
    const config = smsConfig(await environment(transport, smsc.endpoint))
    const build = () => buildSmsCourier(config, deps, quickTiming)
    return {
      world,
      courier: build(),
      restart: async () => build(),
      address: phone,
      deadlineMs: quickTiming.deadlineMs,
      secrets: [password],
      stop: () => smsc.stop(),
    }
  })
