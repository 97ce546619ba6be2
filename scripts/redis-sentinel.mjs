/** Starts a Redis with replicas on loopback, and the Sentinels that watch it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { onFreePort, redisSettings } from './redis-process.mjs'

/** what Sentinels call the master they watch */
export const masterName = 'fleet'
const pollMs = 20
const patienceMs = 60_000

/**
 * A master, its replicas, and an odd number of Sentinels. Resolves when every replica is in step and every Sentinel knows all.
 * @param {object} options
 * @param {string} options.server
 * @param {string} options.dir for the data of all
 * @param {number} [options.replicas]
 * @param {number} [options.sentinels]
 * @param {number} [options.downAfterMs] how long the master may be silent before a Sentinel calls it down
 * @param {import('./redis-process.mjs').Settings} [options.settings] of master and replicas
 * @param {(place: { port: number }, index: number) => Promise<{ port: number }>} [options.announce] puts something before a node's port and says
 *   where that listens
 */
export async function startRedisSentinel(options) {
  const { server, dir, replicas = 2, sentinels = 3, downAfterMs = 5000, settings, announce } = options
  const started = []
  const stop = async () => void (await Promise.all(started.map((each) => each.stop())))
  const keep = (each) => {
    started.push(each)
    return each
  }
  const startNode = async (index, master) => {
    const own = join(dir, `node-${index}`)
    let place
    const node = await onFreePort(own, async (port) => {
      place = (await announce?.({ port }, index)) ?? { port }
      return nodeCommand({ server, dir: own, port, announced: place.port, master, settings })
    })
    return Object.assign(keep(node), { place })
  }
  const startSentinel = (index, master) => {
    const own = join(dir, `sentinel-${index}`)
    const command = (port) => sentinelCommand({ server, dir: own, port, master, sentinels, downAfterMs })
    return onFreePort(own, command).then(keep)
  }
  try {
    const master = await startNode(0)
    const others = Array.from({ length: replicas }, (_, index) => startNode(1 + index, master.place.port))
    const nodes = [master, ...(await Promise.all(others))]
    const watching = Array.from({ length: sentinels }, (_, index) => startSentinel(index, master.place.port))
    const watchers = await Promise.all(watching)
    await untilWatched({ nodes, sentinels: watchers })
    return { url: sentinelUrl(watchers), nodes, sentinels: watchers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param {readonly { port: number }[]} sentinels */
export function sentinelUrl(sentinels) {
  return `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${masterName}`
}

/**
 * Its settings in a file, which the Sentinels have it rewrite: started again it is what it was made, a replica or the master.
 * @param {{ server: string, dir: string, port: number, announced?: number, master?: number, settings?: import('./redis-process.mjs').Settings }} options
 *   master: the port of the one it replicates
 */
export function nodeCommand({ server, dir, port, announced = port, master, settings }) {
  const file = join(dir, 'redis.conf')
  const more = {
    appendonly: 'yes',
    'repl-diskless-sync-delay': 0, // a replica that returns has its master's data at once
    ...(announced !== port && { 'replica-announce-ip': '127.0.0.1', 'replica-announce-port': announced }),
    ...(master && { replicaof: ['127.0.0.1', master] }),
    ...settings,
  }
  writeSettings(file, redisSettings({ dir, port, settings: more }))
  return { file: server, args: [file] }
}

/** @param {{ server: string, dir: string, port: number, master: number, sentinels: number, downAfterMs: number }} options */
export function sentinelCommand({ server, dir, port, master, sentinels, downAfterMs }) {
  const file = join(dir, 'sentinel.conf')
  const majority = Math.floor(sentinels / 2) + 1
  writeSettings(file, [
    ['bind', '127.0.0.1'],
    ['port', String(port)],
    ['dir', dir],
    ['sentinel', 'monitor', masterName, '127.0.0.1', String(master), String(majority)],
    ['sentinel', 'down-after-milliseconds', masterName, String(downAfterMs)],
    ['sentinel', 'failover-timeout', masterName, String(2 * downAfterMs)],
    ['sentinel', 'parallel-syncs', masterName, '1'],
  ])
  return { file: server, args: [file, '--sentinel'] }
}

function writeSettings(file, settings) {
  const quoted = (value) => (/^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value))
  const lines = settings.map(([name, ...values]) => [name, ...values.map(quoted)].join(' '))
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
}

/**
 * Resolves when one node is master, the others are in step with it, and every Sentinel knows it and all the others.
 * @param {{ nodes: readonly { port: number }[], sentinels: readonly { port: number }[] }} all
 */
export async function untilWatched({ nodes, sentinels }) {
  const connections = [...nodes, ...sentinels].map(({ port }) => connect(port))
  const servers = connections.slice(0, nodes.length)
  const watchers = connections.slice(nodes.length)
  const isWatched = async () => {
    const roles = await Promise.all(servers.map((server) => server.info('replication')))
    const masters = roles.filter((role) => role.includes('role:master'))
    const online = masters[0]?.match(/state=online/g)?.length ?? 0
    if (masters.length !== 1 || online !== nodes.length - 1) return false
    const views = await Promise.all(watchers.map((watcher) => watcher.info('sentinel')))
    const whole = `status=ok,address=`
    const counts = `slaves=${nodes.length - 1},sentinels=${sentinels.length}`
    return views.every((view) => view.includes(whole) && view.includes(counts))
  }
  try {
    for (const giveUpAt = performance.now() + patienceMs; !(await isWatched()); await sleep(pollMs))
      if (performance.now() > giveUpAt)
        throw new Error(
          `Redis Sentinel: waited ${patienceMs / 1000} s in vain until all replicas and Sentinels are there`,
        )
  } finally {
    for (const connection of connections) connection.disconnect()
  }
}

function connect(port) {
  const redis = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 1 })
  redis.on('error', () => {}) // told by the command that fails
  return redis
}
