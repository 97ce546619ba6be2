import { type Env, required } from '../settings.ts'

export interface VkConfig {
  /** of the community */
  readonly token: string
  /** without a trailing slash; VK's own when absent */
  readonly apiBaseUrl: string | undefined
}

/** @throws Error in one line that names the variable and hides its value */
export function readConfig(env: Env): VkConfig {
  const apiBaseUrl = env.VK_API_BASE_URL?.replace(/\/+$/, '') || undefined
  if (apiBaseUrl && !URL.canParse(apiBaseUrl)) throw new Error('VK_API_BASE_URL is no URL')
  return { token: required(env, 'VK_TOKEN'), apiBaseUrl }
}
