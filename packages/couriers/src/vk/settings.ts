/** What the VK courier reads from its environment. */
export type Environment = Readonly<Record<string, string | undefined>>

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

/** @throws Error naming the variable that is missing or wrong; values are not repeated, for one of them is the token */
export function readVkSettings(env: Environment): VkSettings {
  const token = env.VK_TOKEN
  if (!token) throw new Error('VK_TOKEN is missing: the access token of the community')
  const target = env.VK_TARGET === 'sandbox' ? 'sandbox' : 'real'
  const apiBaseUrl = env.VK_API_BASE_URL?.replace(/\/+$/, '')
  if (target === 'sandbox' && !apiBaseUrl) throw new Error('VK_API_BASE_URL is missing: where the sandbox listens')
  if (apiBaseUrl && !URL.canParse(apiBaseUrl)) throw new Error('VK_API_BASE_URL is no URL')
  return {
    token,
    target,
    apiBaseUrl,
    callsPerSecond: env.VK_CALLS_PER_SECOND === 'off' ? undefined : positive(env, 'VK_CALLS_PER_SECOND', 20),
    deadlineMs: positive(env, 'VK_DEADLINE_MS', 19_000),
  }
}

function positive(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a positive number`)
  return value
}
