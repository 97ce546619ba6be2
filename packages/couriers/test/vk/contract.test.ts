import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/vk'
import { courierContract, openLink } from '@courier-fleet/testkit'
import { createCourier } from '../../src/vk/index.ts'

courierContract('vk', async (deps) => {
  const world = new World()
  const vk = await startStandIn({ world, token: 'vk1.a.a-token-of-the-contract', log: silentLog })
  const line = await openLink(vk.endpoint)
  const env = {
    VK_TOKEN: vk.endpoint.token,
    VK_API_BASE_URL: vkApiUrl({ ...vk.endpoint, port: line.port }),
    VK_TARGET: 'sandbox',
    VK_CALLS_PER_SECOND: 'off',
  }
  return {
    world,
    line,
    build: (deadlineMs) => createCourier({ ...env, VK_DEADLINE_MS: String(deadlineMs) }, deps),
    address: (i) => String(1_000_000 + i),
    secrets: [vk.endpoint.token],
    async stop() {
      await line.close()
      await vk.stop()
    },
  }
})
