/**
 * SMS, by SMPP 3.4 or by an HTTP gateway of Kannel's shape. Settings:
 *
 * - `SMS_SMPP_URL` smpp://systemId:password@host:port (smpps for TLS), or
 * - `SMS_HTTP_URL` http://user:password@host:port/cgi-bin/sendsms with `SMS_HTTP_CALLBACK_URL` (where the gateway reaches
 *   this machine) and `SMS_HTTP_CALLBACK_PORT` (where the couriers listen for its delivery reports)
 * - `SMS_SENDER` number, short code or up to 11 letters · `SMS_WINDOW` unanswered submits at once in one process, 50
 * - `SMS_PER_SECOND` segments a second over all processes, 100, or `off` · `SMS_TARGET` sandbox, or real when absent
 */
import type { Courier, CourierDeps } from '../courier.ts'
import { smsConfig } from './config.ts'
import { buildSmsCourier } from './courier.ts'
import { productionTiming } from './timing.ts'

/** @throws Error in one line when a setting is wrong */
export function createCourier(env: NodeJS.ProcessEnv, deps: CourierDeps): Courier {
  return buildSmsCourier(smsConfig(env), deps, productionTiming)
}
