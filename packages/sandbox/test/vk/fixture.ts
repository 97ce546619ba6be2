import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { silentLog } from '@courier-fleet/process'
import { startStandIn } from '../../src/vk/index.ts'
import { World } from '../../src/world.ts'

export interface VkReply {
  readonly response?: unknown
  readonly execute_errors?: readonly { method: string; error_code: number; error_msg: string }[]
  readonly error?: { error_code: number; error_msg: string; request_params: { key: string; value: string }[] }
}

/** A VK without limits, and a plain HTTP client for it. */
export async function startFixture() {
  const world = new World()
  world.limits.vk.callsPerSecond = null
  const vk = await startStandIn({ world, log: silentLog })
  const post = (method: string, params: Record<string, string | number> = {}): Promise<Response> => {
    const all = { access_token: vk.endpoint.token, v: '5.199', ...params }
    const form = new URLSearchParams(Object.entries(all).map(([key, value]): [string, string] => [key, String(value)]))
    return fetch(`${vkApiUrl(vk.endpoint)}/${method}`, { method: 'POST', body: form })
  }
  const call = async (method: string, params?: Record<string, string | number>): Promise<VkReply> =>
    (await (await post(method, params)).json()) as VkReply
  return { world, vk, post, call }
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>
