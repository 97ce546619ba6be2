import { type Field, field, withDefault } from '@courier-fleet/process'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** What a URL says of where Redis is, and as whom to speak to it. */
export interface RedisAddress {
  readonly kind: 'one' | 'sentinel' | 'cluster'
  /** of the Redis, of the Sentinels, or of nodes of the cluster by which the others are found */
  readonly endpoints: readonly Endpoint[]
  /** of the master, as the Sentinels know it */
  readonly masterName?: string
  /** database, 0 on a cluster */
  readonly db: number
  readonly isEncrypted: boolean
  readonly user?: string
  readonly password?: string
}

const example = 'redis://127.0.0.1:6379'
/** what stands behind "must be" */
export const rightUrl = [
  `a URL such as ${example}`,
  'rediss://user:password@host:6380/1 (TLS)',
  'redis+sentinel://host:26379,host2:26379/name-of-the-master',
  'or redis+cluster://host:6379,host2:6379',
].join(', ')

const form = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?#@]+)(?:\/([^/?#]*))?(?:\/(\d+))?$/
const defaultPorts = { one: 6379, sentinel: 26_379, cluster: 6379 }

/** Undefined where the text is no address of a Redis. */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  const [, tls, kind = 'one', login = '', hosts = '', path = '', second] = form.exec(text) ?? []
  if (tls === undefined) return undefined
  const which = kind as RedisAddress['kind']
  const endpoints = hosts.split(',').map((host) => parseEndpoint(host, defaultPorts[which]))
  const who = parseLogin(login)
  const place = parsePlace(which, path, second)
  if (!who || !place || endpoints.includes(undefined) || (which === 'one' && endpoints.length > 1)) return undefined
  return { kind: which, endpoints: endpoints as Endpoint[], isEncrypted: tls === 's', ...place, ...who }
}

function parseEndpoint(text: string, defaultPort: number): Endpoint | undefined {
  const [, bracketed, plain, given] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = given === undefined ? defaultPort : Number(given)
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port }
}

/** What stands before the `@`: `user:password`, or `:password` for the user that Redis calls default. */
function parseLogin(text: string): Pick<RedisAddress, 'user' | 'password'> | undefined {
  const at = text.indexOf(':')
  const [user, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  const who = { user: decoded(user as string), password: decoded(password as string) }
  if (who.user === undefined || who.password === undefined) return undefined
  return { ...(user ? { user: who.user } : {}), ...(password ? { password: who.password } : {}) }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function parsePlace(
  kind: RedisAddress['kind'],
  path: string,
  second: string | undefined,
): Pick<RedisAddress, 'db' | 'masterName'> | undefined {
  if (kind === 'sentinel') {
    const masterName = decoded(path)
    return masterName ? { masterName, db: Number(second ?? 0) } : undefined
  }
  if (second !== undefined || !/^\d*$/.test(path) || (kind === 'cluster' && Number(path) !== 0)) return undefined
  return { db: Number(path) }
}

/** Where it is, without who asks: for a sentence or a log. */
export const placeOf = ({ kind, endpoints, masterName }: RedisAddress): string => {
  const where = endpoints.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', ')
  if (kind === 'sentinel') return `Redis "${masterName}" of the Sentinels at ${where}`
  return kind === 'cluster' ? `the Redis Cluster at ${where}` : `Redis at ${where}`
}

/** REDIS_URL; a Redis of this machine when it is missing. */
export const redisUrl: Field<string> = withDefault(
  field(rightUrl, (given) => (parseRedisUrl(given) ? given : undefined)),
  example,
)
