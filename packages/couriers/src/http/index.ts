/**
 * Calls of URLs, signed as Standard Webhooks 1.0.0 has it. Settings:
 *
 * - `FLEET_SECRET` opens the secrets that messages are signed with; the same in all processes
 * - `HTTP_ALLOW_PLAIN` http://, too · `HTTP_ALLOW_NETS` networks of your own that may be called · `HTTP_DNS_SERVERS`
 * - `HTTP_PER_SECOND` calls a second over all processes, `off` when absent · `HTTP_RETRY_SCALE` of the pauses between tries
 * - `HTTP_TARGET` sandbox, or real when absent
 */
import type { Courier } from '../courier.ts'
import type { ProcessDeps } from '../registry.ts'
import { httpConfig } from './config.ts'
import { buildHttpCourier } from './courier.ts'
import { productionTiming } from './timing.ts'

/** @throws Error in one line when a setting is wrong */
export function createCourier(env: NodeJS.ProcessEnv, deps: ProcessDeps): Courier {
  return buildHttpCourier(httpConfig(env), deps, productionTiming)
}
