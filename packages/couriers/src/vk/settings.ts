/** What the VK courier reads from its environment. */
import {
  apiUrl,
  type Env,
  limit,
  optional,
  parsePositive,
  positive,
  readSettings,
  target,
  text,
  withDefault,
} from '@courier-fleet/process'

export interface VkSettings {
  readonly token: string
  readonly target: 'sandbox' | 'real'
  /** without a trailing slash; VK's own when absent */
  readonly apiBaseUrl: string | undefined
  /** calls a second of one community token; undefined when the limit is lifted */
  readonly callsPerSecond: number | undefined
  /** one send() ends within this, ms */
  readonly deadlineMs: number
}

const ownApi = apiUrl('https://api.vk.com/method')
const fields = {
  VK_TOKEN: text('the access token of the community'),
  VK_TARGET: target,
  VK_CALLS_PER_SECOND: limit('a positive number', parsePositive, 20),
  VK_DEADLINE_MS: withDefault(positive, 19_000),
}

/** @throws Error naming the variable that is missing or wrong */
export function readVkSettings(env: Env): VkSettings {
  const { VK_TOKEN, VK_TARGET, VK_CALLS_PER_SECOND, VK_DEADLINE_MS } = readSettings(env, fields)
  const isSandbox = VK_TARGET === 'sandbox'
  const { VK_API_BASE_URL } = readSettings(env, { VK_API_BASE_URL: isSandbox ? ownApi : optional(ownApi) })
  return {
    token: VK_TOKEN,
    target: VK_TARGET,
    apiBaseUrl: VK_API_BASE_URL,
    callsPerSecond: VK_CALLS_PER_SECOND,
    deadlineMs: VK_DEADLINE_MS,
  }
}
