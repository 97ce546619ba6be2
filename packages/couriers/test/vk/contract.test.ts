import { silentLog } from '@courier-fleet/process'
import { startVkApi, World } from '@courier-fleet/sandbox'
import { courierContract } from '@courier-fleet/testkit'
import { createVkCourier } from '../../src/vk/index.ts'

courierContract('vk', async (deps) => {
  const world = new World()
  const vk = await startVkApi({ world, token: 'vk1.a.a-token-of-the-contract', log: silentLog })
  const deadlineMs = 1500
  const env = {
    VK_TOKEN: vk.endpoint.token,
    VK_API_BASE_URL: vk.endpoint.apiBaseUrl,
    VK_TARGET: 'sandbox',
    VK_CALLS_PER_SECOND: 'off',
    VK_DEADLINE_MS: String(deadlineMs),
  }
  return {
    world,
    courier: createVkCourier(env, deps),
    restart: async () => createVkCourier(env, deps),
    address: (i) => String(1_000_000 + i),
    deadlineMs,
    secrets: [vk.endpoint.token],
    stop: () => vk.stop(),
  }
})
