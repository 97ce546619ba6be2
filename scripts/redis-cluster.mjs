/** Starts a Redis Cluster on loopback, and joins nodes that run into one. No redis-cli. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.mjs'
import { onFreePort, redisCommand } from './redis-process.mjs'

const slots = 16_384
const loopback = '127.0.0.1'
const pollMs = 20
const patienceMs = 60_000
/** keys of a slot under way that are asked for at once */
const movedTogether = 100

/**
 * What makes a Redis a node of a cluster.
 * @param {{ busPort: number, nodeTimeoutMs: number, announced?: { port: number, busPort: number } }} options busPort: for
 *   nodes among themselves; announced: where others find the node when something stands before its ports
 */
export function nodeSettings({ busPort, nodeTimeoutMs, announced }) {
  return {
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-node-timeout': nodeTimeoutMs,
    'repl-diskless-sync-delay': 0, // a replica that returns has its master's data at once
    ...(announced && {
      'cluster-announce-ip': '127.0.0.1',
      'cluster-announce-port': announced.port,
      'cluster-announce-bus-port': announced.busPort,
    }),
  }
}

/** @typedef {{ host?: string, port: number, busPort: number }} Place where a node listens, for clients and for other nodes; `host`: an
 *   address, 127.0.0.1 when absent */

/**
 * Masters with the slots in equal ranges, each with as many replicas. Resolves when every node serves and every replica is in step.
 * @param {object} options
 * @param {string} options.server
 * @param {string} options.dir for the data of all
 * @param {number} [options.masters]
 * @param {number} [options.replicas] of each master
 * @param {number} [options.nodeTimeoutMs] how long a node may be silent before the others call it down
 * @param {import('./redis-process.mjs').Settings} [options.settings] of every node
 * @param {(place: Place, index: number) => Promise<Place>} [options.announce] puts something before a node's ports and says
 *   where that listens
 */
export async function startRedisCluster(options) {
  const { server, dir, masters = 3, replicas = 1, nodeTimeoutMs = 5000, settings, announce } = options
  const places = []
  const started = await Promise.allSettled(
    Array.from({ length: masters * (1 + replicas) }, (_, index) => {
      const own = join(dir, `node-${index}`)
      return onFreePort(own, async (port) => {
        const place = { port, busPort: await freePort() }
        const announced = await announce?.(place, index)
        places[index] = announced ?? place
        const node = nodeSettings({ busPort: place.busPort, nodeTimeoutMs, announced })
        return redisCommand({ server, dir: own, port, settings: { appendonly: 'yes', ...node, ...settings } })
      })
    }),
  )
  const nodes = started.filter(({ status }) => status === 'fulfilled').map(({ value }) => value)
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())))
  try {
    for (const { status, reason } of started) if (status === 'rejected') throw reason
    await formCluster(places, masters)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: clusterUrl(places), nodes: nodes.map((node, index) => ({ ...node, place: places[index] })), stop }
}

/** @param {readonly { port: number }[]} places */
export function clusterUrl(places) {
  return `redis+cluster://${places.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
}

/**
 * Joins nodes that answer into a cluster: the first `masters` get the slots, the others replicate them in turn. Nodes that form
 * one already stay as they are; one whose forming was cut short, and so has never served anybody, is formed anew.
 * Resolves when every node serves and every replica is in step.
 * @param {readonly Place[]} places
 * @param {number} masters
 * @param {{ username: string, password: string }} [user] who they are told by
 */
export async function formCluster(places, masters, user) {
  const nodes = places.map((place) => connect(place, user))
  try {
    if (!(await isFormed(nodes))) await assignSlots(nodes, masters)
    await meet(nodes, places)
    await replicate(nodes)
    await untilServed(nodes)
  } finally {
    for (const node of nodes) node.disconnect()
  }
}

/**
 * Resolves when every node serves and every replica is in step; all of them must run.
 * @param {readonly { port: number }[]} places
 */
export async function untilWhole(places) {
  const nodes = places.map((place) => connect(place))
  try {
    await untilServed(nodes)
  } finally {
    for (const node of nodes) node.disconnect()
  }
}

/** All slots have a master in the eyes of one of them. */
async function isFormed(nodes) {
  const infos = await Promise.all(nodes.map((node) => node.cluster('INFO')))
  return infos.some((info) => info.includes(`cluster_slots_assigned:${slots}`))
}

async function assignSlots(nodes, masters) {
  const edge = (index) => Math.floor((slots * index) / masters)
  for (const [index, node] of nodes.entries()) {
    await node.cluster('RESET', 'HARD') // refused where there are data
    await node.cluster('SET-CONFIG-EPOCH', index + 1)
    if (index < masters) await node.cluster('ADDSLOTSRANGE', edge(index), edge(index + 1) - 1)
  }
}

async function meet(nodes, places) {
  for (const node of nodes)
    for (const { host = loopback, port, busPort } of places) await node.cluster('MEET', host, port, busPort)
  await until('all nodes know each other', async () => {
    const known = await Promise.all(nodes.map((node) => describe(node)))
    return known.every(
      (list) =>
        list.length === nodes.length &&
        !list.some(({ flags }) => flags.includes('handshake')) &&
        list.flatMap(({ slots }) => slots).reduce((sum, [from, to]) => sum + 1 + to - from, 0) === slots,
    )
  })
}

/** Masters without a slot become replicas, each of the master that has the fewest. */
async function replicate(nodes) {
  const known = await describe(nodes[0])
  const replicas = new Map(known.filter(({ slots }) => slots.length > 0).map(({ id }) => [id, 0]))
  for (const { master } of known) if (replicas.has(master)) replicas.set(master, replicas.get(master) + 1)
  for (const node of nodes) {
    const own = (await describe(node)).find(({ flags }) => flags.includes('myself'))
    if (!own.flags.includes('master') || own.slots.length > 0) continue
    const [[fewest, count]] = [...replicas].sort(([, one], [, other]) => one - other)
    await node.cluster('REPLICATE', fewest)
    replicas.set(fewest, count + 1)
  }
}

/** Who has which slots, in the eyes of one node. */
const ownersIn = (known) =>
  known
    .map(({ id, slots }) => `${id} ${slots.join(' ')}`)
    .sort()
    .join('\n')

function untilServed(nodes) {
  return until('every node serves, of the same slots, and every replica is in step', async () => {
    const answers = await Promise.all(
      nodes.map((node) =>
        Promise.all([node.cluster('INFO'), node.info('replication'), describe(node)]).catch((error) => {
          if (!error.message.startsWith('LOADING ')) throw error // a replica that takes over all data of its master
        }),
      ),
    )
    return answers.every((answer) => {
      if (!answer) return false
      const [cluster, replication, known] = answer
      return (
        ownersIn(known) === ownersIn(answers[0][2]) &&
        cluster.includes('cluster_state:ok') &&
        !/master_link_status:down|state=(?!online)/.test(replication) &&
        known.every(({ slots, master }) => slots.length > 0 || master !== '-')
      )
    })
  })
}

/**
 * Moves a slot key by key, as `redis-cli --cluster reshard` does: meanwhile some of its keys are here and some there. What is not gone
 * through to the end leaves it under way.
 * @param {object} move
 * @param {number} move.slot
 * @param {number} move.from port of the master that has it
 * @param {number} move.to port of the master that is to have it
 * @param {number} [move.together] keys that move in one step; one, where somebody looks in between
 * @returns {AsyncGenerator<string | undefined, void>} yields undefined before the first key has moved, and each key when it has
 */
export async function* moveSlot({ slot, from, to, together = 1 }) {
  const [source, target] = [connect({ port: from }), connect({ port: to })]
  const others = []
  try {
    const [sourceId, targetId] = await Promise.all([source.cluster('MYID'), target.cluster('MYID')])
    await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId)
    await source.cluster('SETSLOT', slot, 'MIGRATING', targetId)
    yield undefined
    for (;;) {
      const keys = await source.cluster('GETKEYSINSLOT', slot, movedTogether)
      if (keys.length === 0) break
      for (let at = 0; at < keys.length; at += together) {
        const moved = keys.slice(at, at + together)
        await source.migrate(loopback, to, '', 0, patienceMs, 'KEYS', ...moved)
        yield* moved
      }
    }
    const known = await describe(target)
    const masters = known.filter(({ flags, port }) => isMaster(flags) && port !== from && port !== to)
    others.push(...masters.map(({ port }) => connect({ port })))
    // the one that has it first: nobody is sent to a node that does not know it yet
    for (const node of [target, source, ...others]) await node.cluster('SETSLOT', slot, 'NODE', targetId)
  } finally {
    for (const node of [source, target, ...others]) node.disconnect()
  }
}

/**
 * Moves slots whole: nobody notices, and a replica has them when it is done (Valkey ≥ 9).
 * @param {object} move
 * @param {readonly (readonly [first: number, last: number])[]} move.ranges
 * @param {number} move.from port of the master that has them
 * @param {number} move.to port of the master that is to have them
 * @returns {Promise<boolean>} whether the engine can; where it cannot, nothing has happened
 */
export async function moveSlotsWhole({ ranges, from, to }) {
  const [source, target] = [connect({ port: from }), connect({ port: to })]
  try {
    const id = await target.cluster('MYID')
    await source.call('CLUSTER', 'MIGRATESLOTS', 'SLOTSRANGE', ...ranges.flat(), 'NODE', id)
    await until('the slots have moved', async () => {
      const [newest] = await source.call('CLUSTER', 'GETSLOTMIGRATIONS')
      const [state, message] = ['state', 'message'].map((name) => newest[newest.indexOf(name) + 1])
      if (state === 'failed' || state === 'cancelled')
        throw new Error(`Redis Cluster: the slots did not move: ${message}`)
      return state === 'success'
    })
    return true
  } catch (error) {
    if (/unknown subcommand/i.test(error.message)) return false
    throw error
  } finally {
    for (const node of [source, target]) node.disconnect()
  }
}

const isMaster = (flags) => flags.includes('master') && !flags.includes('fail')

/**
 * What a node knows of itself and the others, as CLUSTER NODES says it.
 * @param {Redis} node
 * @returns {Promise<{ id: string, port: number, flags: string[], master: string, slots: [number, number][] }[]>} port: of the
 *   place where clients find it; master: its id, `-` for a master; slots: ranges, without those under way
 */
export async function describe(node) {
  const lines = String(await node.cluster('NODES'))
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [id, address, flags, master, , , , , ...owned] = line.split(' ')
    const ranges = owned.filter((range) => !range.startsWith('['))
    return {
      id,
      port: Number(/:(\d+)/.exec(address)[1]),
      flags: flags.split(','),
      master,
      slots: ranges.map((range) => [Number(range.split('-')[0]), Number(range.split('-').at(-1))]),
    }
  })
}

function connect({ host = loopback, port }, user) {
  const node = new Redis({ host, port, ...user, maxRetriesPerRequest: 1 })
  node.on('error', () => {}) // told by the command that fails
  return node
}

async function until(what, isTrue) {
  for (const giveUpAt = performance.now() + patienceMs; !(await isTrue()); await sleep(pollMs))
    if (performance.now() > giveUpAt)
      throw new Error(`Redis Cluster: waited ${patienceMs / 1000} s in vain until ${what}`)
}
