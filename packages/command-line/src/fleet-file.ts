/** Where the fleet of this checkout is: what `npm start` wrote, unless the environment says otherwise. */
import { readFileSync } from 'node:fs'
import { UsageError } from './usage-error.ts'

export interface FleetAddress {
  readonly apiUrl: string
  readonly apiKey: string
}
type Written = FleetAddress & { readonly redisUrl: string }

/** @throws UsageError when neither says it */
export function findFleet(env: NodeJS.ProcessEnv, file: string | URL): FleetAddress {
  const { FLEET_API_URL, FLEET_API_KEY } = env
  const written = FLEET_API_URL && FLEET_API_KEY ? {} : read(file)
  const apiUrl = FLEET_API_URL ?? written.apiUrl
  const apiKey = FLEET_API_KEY ?? written.apiKey
  if (apiUrl && apiKey) return { apiUrl: anAddress(apiUrl), apiKey: aKey(apiKey) }
  throw new UsageError('no fleet is running here: run "npm start", or set FLEET_API_URL and FLEET_API_KEY')
}

/** @throws UsageError when nothing can be called there */
function anAddress(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new UsageError(`FLEET_API_URL is "${url}", and not an address such as http://127.0.0.1:8080`)
}

/** What cannot go into a header is no key: nothing would be asked. @throws UsageError, which does not show it */
function aKey(apiKey: string): string {
  if (/^[!-~]+$/.test(apiKey)) return apiKey
  throw new UsageError(
    'FLEET_API_KEY is no API key: there are blanks or other characters in it than a key has; copy it anew, or make one with "fleet keys create"',
  )
}

/** @throws UsageError when neither says it */
export function findRedis(env: NodeJS.ProcessEnv, file: string | URL): string {
  const url = env.REDIS_URL || read(file).redisUrl
  if (url) return url
  throw new UsageError('no fleet is running here: run "npm start", or set REDIS_URL')
}

function read(file: string | URL): Partial<Written> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Written>
  } catch {
    return {}
  }
}
