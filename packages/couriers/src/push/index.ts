/**
 * Web push: notifications in browsers (RFC 8030), encrypted for the browser (RFC 8291), from a fleet that its push service knows by a key
 * (RFC 8292). Settings:
 *
 * - `FLEET_SECRET` the key is made of it; the same in all processes
 * - `PUSH_CONTACT` mailto: or https://, whom a push service turns to
 * - `PUSH_PER_SECOND` notifications a second over all processes, `off` when absent
 * - `HTTP_ALLOW_PLAIN`, `HTTP_ALLOW_NETS`, `HTTP_DNS_SERVERS` as for all URLs that users give: a browser says where its service is
 * - `PUSH_TARGET` sandbox, or real when absent
 */
import type { Courier, CourierDeps } from '../courier.ts'
import { pushConfig } from './config.ts'
import { buildPushCourier } from './courier.ts'
import { productionTiming } from './timing.ts'

/** @throws Error in one line when a setting is wrong */
export function createCourier(env: NodeJS.ProcessEnv, deps: CourierDeps): Courier {
  return buildPushCourier(pushConfig(env), deps, productionTiming)
}
