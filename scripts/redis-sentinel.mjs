/** Starts a Redis with replicas on loopback, and the Sentinels that watch it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { onFreePort, redisSettings } from './redis-process.mjs'

/** what Sentinels call the master they watch */
export const masterName = 'fleet'
const pollMs = 20
const patienceMs = 120_000

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
      writeReplicated({ dir: own, port, announced: place.port, master, settings })
      return replicatedCommand({ server, dir: own })
    })
    return Object.assign(keep(node), { place })
  }
  const startSentinel = (index, master) => {
    const own = join(dir, `sentinel-${index}`)
    return onFreePort(own, (port) => {
      writeSentinel({ dir: own, port, master, sentinels, downAfterMs })
      return sentinelCommand({ server, dir: own })
    }).then(keep)
  }
  try {
    const master = await startNode(0)
    const others = Array.from({ length: replicas }, (_, index) => startNode(1 + index, master.place.port))
    const nodes = [master, ...(await Promise.all(others))]
    await untilReplicated(nodes.map(({ place }) => place))
    const watching = Array.from({ length: sentinels }, (_, index) => startSentinel(index, master.place.port))
    const watchers = await Promise.all(watching)
    await untilWatched({ nodes: nodes.map(({ place }) => place), sentinels: watchers })
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
 * The settings of a master or replica, in a file which the Sentinels have it rewrite: started again it is what it was made.
 * @param {{ dir: string, port: number, announced?: number, master?: number, settings?: import('./redis-process.mjs').Settings }} options
 *   master: the port of the one it replicates
 */
export function writeReplicated({ dir, port, announced = port, master, settings }) {
  const more = {
    appendonly: 'yes',
    'repl-diskless-sync-delay': 0, // a replica that returns has its master's data at once
    ...(announced !== port && { 'replica-announce-ip': '127.0.0.1', 'replica-announce-port': announced }),
    ...(master && { replicaof: ['127.0.0.1', master] }),
    ...settings,
  }
  writeSettings(join(dir, 'redis.conf'), redisSettings({ dir, port, settings: more }))
}

/** @param {{ server: string, dir: string }} options */
export function replicatedCommand({ server, dir }) {
  return { file: server, args: [join(dir, 'redis.conf')] }
}

/**
 * @param {{ dir: string, port: number, master: number, sentinels: number, downAfterMs: number, user?: { name: string, password: string } }} options
 *   user: as whom it speaks to the nodes
 */
export function writeSentinel({ dir, port, master, sentinels, downAfterMs, user }) {
  const majority = Math.floor(sentinels / 2) + 1
  writeSettings(join(dir, 'sentinel.conf'), [
    ['bind', '127.0.0.1'],
    ['port', String(port)],
    ['dir', dir],
    ['sentinel', 'monitor', masterName, '127.0.0.1', String(master), String(majority)],
    ['sentinel', 'down-after-milliseconds', masterName, String(downAfterMs)],
    ['sentinel', 'failover-timeout', masterName, String(2 * downAfterMs)],
    ['sentinel', 'parallel-syncs', masterName, '1'],
    ...(user
      ? [
          ['sentinel', 'auth-user', masterName, user.name],
          ['sentinel', 'auth-pass', masterName, user.password],
        ]
      : []),
  ])
}

/** @param {{ server: string, dir: string }} options */
export function sentinelCommand({ server, dir }) {
  return { file: server, args: [join(dir, 'sentinel.conf'), '--sentinel'] }
}

function writeSettings(file, settings) {
  const quoted = (value) => (/^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value))
  const lines = settings.map(([name, ...values]) => [name, ...values.map(quoted)].join(' '))
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
}

/**
 * Resolves when one node is master and the others are in step with it. Sentinels that begin sooner would learn of the others
 * only ten seconds later.
 * @param {readonly { port: number }[]} nodes
 */
export function untilReplicated(nodes) {
  return until('all replicas are in step', nodes, isReplicated)
}

function isReplicated(replications) {
  const masters = replications.filter((replication) => replication.includes('role:master'))
  const inStep = masters[0]?.match(/state=online/g)?.length ?? 0
  return masters.length === 1 && inStep === replications.length - 1
}

/**
 * Resolves when besides every Sentinel knows the master and all the others. It may know more replicas: whoever has fetched a backup as
 * `redis-cli --rdb` does is kept for one.
 * @param {{ nodes: readonly { port: number }[], sentinels: readonly { port: number }[] }} all
 */
export async function untilWatched({ nodes, sentinels }) {
  await untilReplicated(nodes)
  await until('every Sentinel knows all', [...nodes, ...sentinels], (answers) => {
    const [replications, views] = [answers.slice(0, nodes.length), answers.slice(nodes.length)]
    if (!isReplicated(replications)) return false
    const { port } = nodes[replications.findIndex((replication) => replication.includes('role:master'))]
    const all = new RegExp(`status=ok,address=127\\.0\\.0\\.1:${port},slaves=(\\d+),sentinels=${sentinels.length}\\b`)
    return views.every((view) => Number(view.match(all)?.[1] ?? 0) >= nodes.length - 1)
  })
}

/**
 * Has a Sentinel make another the master. One that was late gives it up, or refuses while it has not done with the one before: then it is told
 * again. @returns the port of the new master, once that is one
 * @param {Redis} sentinel
 * @param {number} [withinMs] of which time that counts in which it is at work
 */
export async function failOver(sentinel, withinMs = patienceMs) {
  const told = async () => fieldsOf(await sentinel.call('SENTINEL', 'MASTER', masterName))
  const { port: former } = await told()
  for (let giveUpAt = performance.now() + withinMs; performance.now() < giveUpAt; await sleep(pollMs)) {
    if (isTilted(await sentinel.info())) giveUpAt = performance.now() + withinMs
    const { port, flags } = await told()
    if (port !== former) return Number(port)
    if (!flags.includes('failover_in_progress')) {
      await sentinel.call('SENTINEL', 'FAILOVER', masterName).catch(isNotNow)
    } else {
      // it is named before the other replicas follow it
      const [, next] = await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)
      if (next !== former) return Number(next)
    }
  }
  throw new Error(`Redis Sentinel: waited ${withinMs / 1000} s in vain until another is master`)
}

/** @param {string[]} list name, value, name … */
const fieldsOf = (list) => Object.fromEntries(list.flatMap((name, at) => (at % 2 ? [] : [[name, list[at + 1]]])))

/** @param {Error} error @throws what else is wrong */
function isNotNow(error) {
  if (!/^(INPROG|NOGOODSLAVE) /.test(error.message)) throw error
}

/** A Sentinel that stood still for two seconds takes its clock for wrong, and does nothing for thirty. @param {string} info */
const isTilted = (info) => info.includes('sentinel_tilt:1')

/** What INFO says of master, replicas and Sentinels. @param {string} info */
const standingIn = (info) => `[${info.match(/^(role|master_\w*status|slave\d+|master\d+):.*$/gm) ?? []}]`

/** Asks each for INFO, again and again; while a Sentinel does nothing there is nothing to be waited for. */
async function until(what, places, isTrue) {
  const servers = places.map(({ port }) => connect(port))
  const answers = () => Promise.all(servers.map((server) => server.info()))
  try {
    let giveUpAt = performance.now() + patienceMs
    for (let told = await answers(); !isTrue(told); told = await answers()) {
      if (told.some(isTilted)) giveUpAt = performance.now() + patienceMs
      if (performance.now() > giveUpAt)
        throw new Error(`Redis Sentinel: waited ${patienceMs / 1000} s in vain until ${what}: ${told.map(standingIn)}`)
      await sleep(pollMs)
    }
  } finally {
    for (const server of servers) server.disconnect()
  }
}

function connect(port) {
  const redis = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 1 })
  redis.on('error', () => {}) // told by the command that fails
  return redis
}
