/** The fleet's own Redis as several processes on this machine that replicate each other: on the ports of last time, with its data. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, writeAtomically } from './fleet-lock.mjs'
import { freePort, freePorts } from './free-port.mjs'
import { clusterUrl, formCluster, nodeSettings } from './redis-cluster.mjs'
import { redisCommand } from './redis-process.mjs'
import {
  replicatedCommand,
  sentinelCommand,
  sentinelUrl,
  untilReplicated,
  untilWatched,
  writeReplicated,
  writeSentinel,
} from './redis-sentinel.mjs'

const masters = 3
const clusterNodes = 6
const sentinelNodes = 3
const sentinels = 3
/** how long one may be silent before the others call it down */
const silentMs = 5000

/** Three masters, a replica each. @returns its URL, once every node serves */
export async function runCluster({ server, dir, run, say }) {
  const { ports } = await portsOf(dir, 2 * clusterNodes)
  const places = Array.from({ length: clusterNodes }, (_, index) => ({
    port: ports[2 * index],
    busPort: ports[2 * index + 1],
  }))
  const running = places.map(({ port, busPort }, index) => {
    const own = ownFolder(dir, `node-${index + 1}`)
    const settings = { appendonly: 'yes', ...nodeSettings({ busPort, nodeTimeoutMs: silentMs }) }
    const command = redisCommand({ server, dir: own, port, settings })
    return run({ name: `redis-${index + 1}`, port, command })
  })
  await Promise.all(running)
  keepPorts(dir, ports)
  await formCluster(places, masters)
  say(`Redis: a cluster of ${masters} masters and ${clusterNodes - masters} replicas, kept in ${dir}`)
  return clusterUrl(places)
}

/** A master, two replicas and three Sentinels. @returns its URL, once every Sentinel knows all */
export async function runSentinel({ server, dir, run, say }) {
  const { ports, isFirst } = await portsOf(dir, sentinelNodes + sentinels)
  const nodes = ports.slice(0, sentinelNodes).map((port, index) => {
    const own = ownFolder(dir, `node-${index + 1}`)
    const master = index === 0 ? undefined : ports[0]
    // later it is what the Sentinels have made of it
    if (isFirst) writeReplicated({ dir: own, port, master })
    return { name: `redis-${index + 1}`, port, command: replicatedCommand({ server, dir: own }) }
  })
  const watchers = ports.slice(sentinelNodes).map((port, index) => {
    const own = ownFolder(dir, `sentinel-${index + 1}`)
    if (isFirst) writeSentinel({ dir: own, port, master: ports[0], sentinels, downAfterMs: silentMs })
    return { name: `redis-sentinel-${index + 1}`, port, command: sentinelCommand({ server, dir: own }) }
  })
  await Promise.all(nodes.map(run))
  // one that was master when it was ended may be a second one now, until the Sentinels have made it a replica
  if (isFirst) await untilReplicated(nodes)
  await Promise.all(watchers.map(run))
  keepPorts(dir, ports)
  await untilWatched({ nodes, sentinels: watchers })
  say(`Redis: a master, ${sentinelNodes - 1} replicas and ${sentinels} Sentinels, kept in ${dir}`)
  return sentinelUrl(watchers)
}

function ownFolder(dir, name) {
  const own = join(dir, name)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  return own
}

const portsFile = (dir) => join(dir, 'ports.json')

/** They know each other by these: other ports would be other nodes. @throws Error when somebody has taken one */
async function portsOf(dir, count) {
  const kept = readJson(portsFile(dir))
  if (!kept) return { ports: await freePorts(count), isFirst: true }
  for (const port of kept)
    if ((await freePort(port)) !== port)
      throw new Error(
        `port ${port} is taken, on which the Redis in ${dir} ran before: end what listens there, or remove the folder and start with nothing`,
      )
  return { ports: kept, isFirst: false }
}

/** Once they run: what was begun on a port that somebody else took first is begun anew on others. */
function keepPorts(dir, ports) {
  writeAtomically(portsFile(dir), ports)
}
