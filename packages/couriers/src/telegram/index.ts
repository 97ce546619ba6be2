/** Telegram: a bot over MTProto. The library is tamed in @courier-fleet/gramjs. */
import type { Courier, CourierDeps } from '../courier.ts'
import { buildTelegramCourier } from './courier.ts'
import { readTelegramSettings } from './settings.ts'

/** @throws Error naming the variable that is missing or wrong */
export function createCourier(env: NodeJS.ProcessEnv, deps: CourierDeps): Courier {
  return buildTelegramCourier(readTelegramSettings(env), deps)
}
