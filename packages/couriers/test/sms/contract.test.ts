import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/sms'
import { courierContract, openLink } from '@courier-fleet/testkit'
import { smsConfig } from '../../src/sms/config.ts'
import { buildSmsCourier } from '../../src/sms/courier.ts'
import { environment, password, phone, quickTiming } from './fixture.ts'

for (const transport of ['SMPP', 'HTTP'] as const)
  courierContract(`SMS by ${transport}`, async (deps) => {
    const world = new World()
    const smsc = await startStandIn({ world, password, log: silentLog })
    const { host, port, sendsmsUrl } = smsc.endpoint
    const line = await openLink({ host, port: transport === 'SMPP' ? port : Number(new URL(sendsmsUrl).port) })
    const through = { ...smsc.endpoint, port: line.port, sendsmsUrl: sendsmsUrl.replace(/:\d+/, `:${line.port}`) }
    const config = smsConfig(await environment(transport, through))
    return {
      world,
      line,
      build: (deadlineMs) => buildSmsCourier(config, deps, { ...quickTiming, deadlineMs }),
      address: phone,
      secrets: [password],
      async stop() {
        await line.close()
        await smsc.stop()
      },
    }
  })
