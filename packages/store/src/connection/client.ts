/** What the fleet speaks to: one Redis, the master that Sentinels name, or a cluster. Which of them, only this folder knows. */
import { type ChainableCommander, Cluster, Command, type Redis as OneRedis, type RedisCommander } from 'ioredis'

type Commands = RedisCommander<{ type: 'default'; mapping: 'resp2' }>

/** What a cluster answers for one of its nodes alone, and not for all that it holds: asked by `everyNode` or `mastersOf`. */
type OfOneNode =
  | 'acl'
  | 'client'
  | 'cluster'
  | 'config'
  | 'dbsize'
  | 'flushall'
  | 'flushdb'
  | 'info'
  | 'keys'
  | 'latency'
  | 'memory'
  | 'psubscribe'
  | 'randomkey'
  | 'role'
  | 'scan'
  | 'script'
  | 'select'
  | 'slowlog'
  | 'time'
  | 'wait'
  | 'waitaof'

export interface Redis extends Omit<Commands, OfOneNode> {
  readonly status: string
  /** a transaction on keys of one slot */
  multi(): ChainableCommander
  on(event: 'message', listener: (channel: string, message: string) => void): this
  on(event: 'error', listener: (error: Error) => void): this
  // biome-ignore lint/suspicious/noExplicitAny: as EventEmitter has it, of which both clients are
  on(event: string | symbol, listener: (...args: any[]) => void): this
  // biome-ignore lint/suspicious/noExplicitAny: the same
  once(event: string | symbol, listener: (...args: any[]) => void): this
  // biome-ignore lint/suspicious/noExplicitAny: the same
  off(event: string | symbol, listener: (...args: any[]) => void): this
  disconnect(): void
}

/** One Redis, or one node of a cluster: here every command is allowed. */
export type RedisNode = OneRedis

const asCluster = (redis: Redis): Cluster | undefined => (redis instanceof Cluster ? redis : undefined)

export const isCluster = (redis: Redis): boolean => asCluster(redis) !== undefined

/** Number of the database that it uses; a cluster has one. */
export const databaseOf = (redis: Redis): number => (isCluster(redis) ? 0 : ((redis as RedisNode).options.db ?? 0))

/** Who serves the slots, in their order; undefined for one that is away. */
export function mastersOf(redis: Redis): (RedisNode | undefined)[] {
  const cluster = asCluster(redis)
  if (!cluster) return [redis as RedisNode]
  const known = new Map(cluster.nodes('master').map((node) => [nameOf(node), node]))
  const serving = new Set(Array.from(cluster.slots, (nodes) => nodes?.[0]).filter((name) => name !== undefined))
  return [...serving].map((name) => known.get(name))
}

/** As the cluster calls it. */
export const nameOf = ({ options: { host, port } }: RedisNode) => `${host}:${port}`

/** Asks all at once, replicas of a cluster too: what is said to one node is not passed on to others. */
export function everyNode<T>(redis: Redis, ask: (node: RedisNode) => Promise<T>): Promise<T[]> {
  return Promise.all((asCluster(redis)?.nodes('all') ?? [redis as RedisNode]).map(ask))
}

/** Some keys of all that there are, and where to go on: `<cursor>`, on a cluster `<cursor>.<which master>`; undefined once all were looked at. */
export async function scanKeys(
  redis: Redis,
  cursor: string,
  pattern: string,
  count: number,
): Promise<{ readonly found: string[]; readonly next?: string }> {
  const [from = '0', index = '0'] = cursor.split('.')
  const masters = mastersOf(redis)
  const node = masters[Number(index)]
  if (!node) throw new Error('Connection is closed.')
  const [after, found] = await node.scan(from, 'MATCH', pattern, 'COUNT', count)
  if (after !== '0') return { found, next: Number(index) === 0 ? after : `${after}.${index}` }
  const another = Number(index) + 1
  return another < masters.length ? { found, next: `0.${another}` } : { found }
}

/** Unix ms by the clock that scripts on this key go by: nodes of a cluster have a clock each. */
export async function redisNow(redis: Redis, key: string): Promise<number> {
  const [seconds, micros] = await nodeOf(redis, key).time()
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}

export const slotOf = (key: string): number => new Command('get', [key]).getSlot() ?? 0

/** Whoever serves this key, as far as is known. */
function nodeOf(redis: Redis, key: string): RedisNode {
  const cluster = asCluster(redis)
  if (!cluster) return redis as RedisNode
  const masters = cluster.nodes('master')
  const name = cluster.slots[slotOf(key)]?.[0]
  const node = masters.find((each) => nameOf(each) === name) ?? masters[0]
  if (!node) throw new Error('Connection is closed.')
  return node
}
