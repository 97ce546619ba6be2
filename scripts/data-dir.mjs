/** Where this checkout's fleet keeps what it must not lose: `.data`, unless FLEET_DATA names another folder. */
import { join, resolve } from 'node:path'

export const dataDir = resolve(process.env.FLEET_DATA ?? join(import.meta.dirname, '..', '.data'))
/** Written once everything is up: apiUrl, apiKey, redisUrl, sandboxUrl, processes. */
export const fleetFile = join(dataDir, 'fleet.json')
