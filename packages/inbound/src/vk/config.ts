import { apiUrl, type Env, optional, readSettings, text } from '@courier-fleet/process'

export interface VkConfig {
  /** of the community */
  readonly token: string
  /** without a trailing slash; VK's own when absent */
  readonly apiBaseUrl: string | undefined
}

const fields = {
  VK_TOKEN: text('the access token of the community'),
  VK_API_BASE_URL: optional(apiUrl('https://api.vk.com/method')),
}

/** @throws Error in one line that names the variable and hides its value */
export function readConfig(env: Env): VkConfig {
  const { VK_TOKEN: token, VK_API_BASE_URL: apiBaseUrl } = readSettings(env, fields)
  return { token, apiBaseUrl }
}
