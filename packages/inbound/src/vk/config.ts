import { apiUrlOf, required } from '../settings.ts'

export interface VkInboundConfig {
  readonly apiUrl: string
  readonly apiKey: string
  /** of the community */
  readonly token: string
  /** without a trailing slash; VK's own when absent */
  readonly apiBaseUrl: string | undefined
  /** where it notes how far it has read */
  readonly dataDir: string
}

/** @throws Error in one line that names the variable and hides its value */
export function readConfig(env: Readonly<Record<string, string | undefined>>): VkInboundConfig {
  const apiBaseUrl = env.VK_API_BASE_URL?.replace(/\/+$/, '') || undefined
  if (apiBaseUrl && !URL.canParse(apiBaseUrl)) throw new Error('VK_API_BASE_URL is no URL')
  return {
    apiUrl: apiUrlOf(env.FLEET_API_URL),
    apiKey: required(env, 'VK_INBOUND_API_KEY'),
    token: required(env, 'VK_TOKEN'),
    apiBaseUrl,
    dataDir: env.VK_INBOUND_DATA_DIR || '.data/vk-inbound',
  }
}
