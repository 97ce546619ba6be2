/** From a user's environment to the variables of a channel's processes. */
import type { ChannelDescriptor } from './descriptor.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Whether the user's environment has what this channel's real service needs.
 * @throws Error when it has only a part of it
 */
export function isReal({ settings }: ChannelDescriptor, env: Env): boolean {
  const chosen = settings.real.find(([first]) => env[first])
  const missing = chosen?.filter((name) => !env[name]) ?? []
  if (missing.length > 0) throw new Error(`${chosen?.[0]} is set, but not ${missing.join(' and ')}`)
  return chosen !== undefined
}
