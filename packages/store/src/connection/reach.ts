import { type Log, steadyClock } from '@courier-fleet/process'
import { Cluster } from 'ioredis'
import { nameOf, type Redis, type RedisNode } from './client.ts'
import { placeOfRedis } from './connect.ts'
import { tellMoves } from './moves.ts'

/** a fail-over takes a few seconds more than the time after which a node counts as gone, 15 s as a cluster is made */
export const patienceMs = 60_000
const sayEveryMs = 5_000
/** a Redis that stands still for a moment, or whose machine does, is no reason to give up; one that refuses will go on refusing */
const silentPatienceMs = 10_000

/**
 * Resolves once all of these are ready, waiting while Redis loads its data, for a while where it says nothing, and, saying so, while a
 * fail-over is under way.
 * @throws Error in one line that says where, and why not
 */
export async function reachRedis(log: Pick<Log, 'warn'>, ...connections: readonly Redis[]): Promise<void> {
  try {
    await Promise.all(connections.map((redis) => reach(redis, log)))
  } catch (error) {
    for (const connection of connections) connection.disconnect()
    throw error
  }
}

function reach(redis: Redis, log: Pick<Log, 'warn'>): Promise<void> {
  const place = placeOfRedis(redis)
  // behind Sentinels and on a cluster somebody else takes over
  const mayComeBack = redis instanceof Cluster || (redis as RedisNode).options.sentinels != null
  const begun = steadyClock.now()
  const isPatient = (error?: Error) => isSilence(error) && steadyClock.now() - begun < silentPatienceMs
  let why = 'the connection was closed'
  let last: Error | undefined
  return new Promise((resolve, reject) => {
    const waiting = mayComeBack ? 'waiting for a fail-over' : 'trying again'
    const say = setInterval(() => log.warn({ why }, `${place} does not serve yet; ${waiting}`), sayEveryMs)
    const tooLong = setTimeout(() => fail(`does not serve after ${patienceMs / 1000} s`), patienceMs)
    const end = () => {
      clearInterval(say)
      clearTimeout(tooLong)
      for (const [event, listener] of Object.entries(listeners)) redis.off(event, listener)
    }
    const fail = (how: string) => {
      end()
      reject(new Error(`${place} ${how}: ${why}`))
    }
    const listeners = {
      error: (error: Error) => {
        why = reasonOf(error)
        last = error
        if (isNobody(error)) fail('cannot be reached')
      },
      ready: () => {
        end()
        resolve()
      },
      close: () => {
        if (!mayComeBack && !isPatient(last)) fail('cannot be reached')
        else if (redis instanceof Cluster) why = 'a part of its slots is not served'
      },
      // whoever waits for it has disconnected it
      end: () => fail('is waited for no more'),
    }
    for (const [event, listener] of Object.entries(listeners)) redis.on(event, listener)
    if (redis.status === 'ready') listeners.ready()
    else if (/^(disconnecting|end)$/.test(redis.status)) listeners.end()
    else if (redis.status === 'wait') (redis as RedisNode).connect().catch(() => {}) // told by the events
  })
}

/** Nobody there has answered, or none will: a node that is loading its data will. */
const isNobody = (error: Error) =>
  /^(Failed to refresh slots cache|All sentinels are unreachable)/.test(error.message) &&
  !/^LOADING /.test(reasonOf(error))

/** ioredis' words for a socket on which nothing was heard in time, before it was open or after. */
const isSilence = (error?: Error) => /^(Socket timeout|connect ETIMEDOUT)/.test(error?.message ?? '')

/** Says once that Redis, or a node of a cluster, is away, however often it is tried, and once that it is back; and the same of slots that move. */
export function tellOutages(redis: Redis, log: Log): void {
  if (redis instanceof Cluster) tellNodes(redis, log)
  tellMoves(redis, log)
  let awaySince: number | undefined
  let why = 'the connection was closed'
  redis.on('error', (error: Error) => {
    why = reasonOf(error)
  })
  redis.on('reconnecting', () => {
    if (awaySince === undefined) log.warn({ why }, 'Redis is away; trying again until it is back')
    awaySince ??= steadyClock.now()
  })
  redis.on('ready', () => {
    if (awaySince !== undefined) log.warn({ awayMs: Math.round(steadyClock.now() - awaySince) }, 'Redis is back')
    awaySince = undefined
    why = 'the connection was closed'
  })
}

/** Of nodes that serve slots: others take over for them, and meanwhile only some is not served. */
function tellNodes(cluster: Cluster, log: Log): void {
  const awaySince = new Map<string, number>()
  const whys = new Map<string, string>()
  const serves = (node: string) => cluster.slots.some((nodes) => nodes?.[0] === node)
  const tellEnd = (node: string, end: string) => {
    const since = awaySince.get(node)
    if (since === undefined) return
    awaySince.delete(node)
    log.warn({ node, awayMs: Math.round(steadyClock.now() - since) }, end)
  }
  cluster.on('node error', (error: Error, node: string) => whys.set(node, reasonOf(error)))
  cluster.on('-node', (gone: RedisNode) => {
    const node = nameOf(gone)
    if (cluster.status !== 'ready' || awaySince.has(node) || !serves(node)) return
    awaySince.set(node, steadyClock.now())
    const why = whys.get(node) ?? 'the connection was closed'
    log.warn({ node, why }, 'a node of Redis is away; what it serves waits until it is back or another has taken over')
  })
  cluster.on('refresh', () => {
    for (const node of awaySince.keys()) if (!serves(node)) tellEnd(node, 'another node of Redis has taken over')
  })
  cluster.on('+node', (made: RedisNode) => made.once('ready', () => tellEnd(nameOf(made), 'a node of Redis is back')))
}

/** A name that stands for several addresses fails with several errors and no message; a cluster with the error of a node in its own. */
function reasonOf(error: Error): string {
  const { lastNodeError } = error as { lastNodeError?: Error }
  if (lastNodeError) return reasonOf(lastNodeError)
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}
