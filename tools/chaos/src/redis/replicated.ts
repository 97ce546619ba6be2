/** A Redis Cluster, or a Redis with replicas and Sentinels: all that is said to a node goes through a line before it, which knows who speaks. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connectRedis, reachRedis } from '@courier-fleet/store'
import type { Line, Link } from '@courier-fleet/testkit/link'
import { openBusLink, openRedisLine, toReplicas, withMember, withThose } from '@courier-fleet/testkit/redis-line'
import { until } from '@courier-fleet/testkit/until'
import type { Redis as OneRedis } from 'ioredis'
import { freePorts } from '../../../../scripts/free-port.mjs'
import {
  clusterUrl,
  describe,
  formCluster,
  moveSlot,
  moveSlotsWhole,
  nodeSettings,
  untilWhole,
} from '../../../../scripts/redis-cluster.mjs'
import { redisCommand, untilPong } from '../../../../scripts/redis-process.mjs'
import {
  failOver as haveFailedOver,
  replicatedCommand,
  sentinelCommand,
  sentinelUrl,
  untilReplicated,
  untilWatched,
  writeReplicated,
  writeSentinel,
} from '../../../../scripts/redis-sentinel.mjs'
import { joinLines } from './join-lines.ts'
import {
  adminPassword,
  connectAdmin,
  connectSentinel,
  type RedisDeps,
  type RedisServer,
  type ReplicatedMember,
  type Replication,
  redisSettings,
} from './redis-server.ts'

const clusterMasters = 3
const clusterNodes = 6
const replicatedNodes = 3
const sentinels = 3
/** how long a node may be silent before the others call it down: short, so that a run of many fail-overs takes minutes */
const silentMs = 2000
const loadMs = 60_000

/** Spread evenly: a master and its replica never have the same. */
const aheadMs = ({ skewMs }: RedisDeps, index: number, nodes: number) =>
  Math.round(skewMs * (index / (nodes - 1) - 0.5))

/** A node behind its lines. */
interface Node extends ReplicatedMember {
  readonly link: Link
}

export async function startRedisCluster(deps: RedisDeps): Promise<RedisServer> {
  const ports = await freePorts(2 * clusterNodes)
  const buses: Link[] = []
  const nodes: Node[] = []
  const ids: string[] = []
  for (let index = 0; index < clusterNodes; index += 1) {
    const [port, busPort] = [ports[2 * index] as number, ports[2 * index + 1] as number]
    const link = await openRedisLine(port, aheadMs(deps, index, clusterNodes))
    const bus = await openBusLink(busPort)
    const announced = { port: link.port, busPort: bus.port }
    buses.push(bus)
    const node = await startNode(deps, { index, port, link }, (dir) => {
      const settings = { ...redisSettings, ...nodeSettings({ busPort, nodeTimeoutMs: silentMs, announced }) }
      return redisCommand({ server: deps.executable, dir, port, settings })
    })
    const cutOff = () => {
      const others = buses.filter((each) => each !== bus).map((each) => withMember(each, () => ids[index] as string))
      return [bus, ...others, node.toReplicas]
    }
    nodes.push({ ...node, isolate: () => refuse(cutOff()) })
  }
  const places = nodes.map(({ link }, index) => ({ port: link.port, busPort: (buses[index] as Link).port }))
  await formCluster(places, clusterMasters)
  for (const { admin } of nodes) ids.push(String(await admin.cluster('MYID')))
  const failOver = async (master: ReplicatedMember) => {
    const [replica] = await replicasOf(nodes, master)
    await replica?.admin.cluster('FAILOVER')
  }
  return server(deps, {
    kind: 'cluster',
    url: clusterUrl(places),
    nodes,
    links: buses,
    failOver,
    reshard: (key, isWhole) => reshard(nodes, key, isWhole),
    ready: () => untilWhole(places),
  })
}

/** A key that MIGRATE has moved is gone where it was before the other master's replica has it: a fail-over may come after that only. */
async function reshard(nodes: readonly Node[], key: string, isWhole: boolean): Promise<void> {
  const [{ admin }] = nodes as readonly [Node]
  const slot = Number(await admin.cluster('KEYSLOT', key))
  const masters = (await describe(admin)).filter(({ flags, slots }) => flags.includes('master') && slots.length > 0)
  const from = masters.find(({ slots }) => slots.some(([first, last]) => first <= slot && slot <= last))
  const to = masters.find((master) => master !== from)
  if (!from || !to) throw new Error(`slot ${slot} of ${key} cannot go anywhere`)
  const [{ port: fromPort }, { port: toPort }] = [from, to]
  if (isWhole && (await moveSlotsWhole({ ranges: [[slot, slot]], from: fromPort, to: toPort }))) return
  const found: string[] = []
  for await (const moved of moveSlot({ slot, from: fromPort, to: toPort })) if (moved) found.push(moved)
  const target = nodes.find(({ link }) => link.port === toPort) as Node
  const info = await target.admin.info('replication')
  const offset = Number(/master_repl_offset:(\d+)/.exec(info)?.[1])
  await until(
    async () => replicaOffsets(await target.admin.info('replication')).some((each) => each >= offset),
    `a replica has the ${found.length} keys of slot ${slot}`,
    loadMs,
  )
}

const replicaOffsets = (info: string): number[] =>
  [...info.matchAll(/^slave\d+:.*offset=(\d+)/gm)].map(([, offset]) => Number(offset))

export async function startRedisSentinel(deps: RedisDeps): Promise<RedisServer> {
  const ports = await freePorts(replicatedNodes + sentinels)
  const nodes: Node[] = []
  for (const [index, port] of ports.slice(0, replicatedNodes).entries()) {
    const link = await openRedisLine(port, aheadMs(deps, index, replicatedNodes))
    const node = await startNode(deps, { index, port, link }, (dir) => {
      const master = nodes[0]?.link.port
      writeReplicated({ dir, port, announced: link.port, ...(master ? { master } : {}), settings: redisSettings })
      return replicatedCommand({ server: deps.executable, dir })
    })
    const lines = [node.toReplicas, withThose(link, (name) => name.startsWith('sentinel-'))]
    nodes.push({ ...node, isolate: () => refuse(lines) })
  }
  const places = nodes.map(({ link }) => ({ port: link.port }))
  await untilReplicated(places)
  const watchers = ports.slice(replicatedNodes).map((port) => ({ port }))
  const user = { name: 'admin', password: adminPassword }
  for (const [index, { port }] of watchers.entries()) {
    const dir = folder(deps, `redis-sentinel-${index + 1}`)
    writeSentinel({ dir, port, master: (places[0] as { port: number }).port, sentinels, downAfterMs: silentMs, user })
    deps.processes.run(`redis-sentinel-${index + 1}`, { ...sentinelCommand({ server: deps.executable, dir }), env: {} })
    await untilPong(port, () => undefined)
  }
  const ready = () => untilWatched({ nodes: places, sentinels: watchers })
  await ready()
  const watcher = connectSentinel((watchers[0] as { port: number }).port)
  const failOver = async () => void (await haveFailedOver(watcher))
  return server(deps, { kind: 'sentinel', url: sentinelUrl(watchers), nodes, watcher, links: [], failOver, ready })
}

function folder({ dir }: RedisDeps, name: string): string {
  const own = join(dir, name)
  mkdirSync(own)
  return own
}

async function startNode(
  deps: RedisDeps,
  { index, port, link }: { index: number; port: number; link: Link },
  commandIn: (dir: string) => { file: string; args: string[] },
): Promise<Omit<Node, 'isolate'>> {
  const name = `redis-${index + 1}`
  const member = deps.processes.run(name, { ...commandIn(folder(deps, name)), env: {} })
  await untilPong(port, () => undefined)
  return { member, admin: connectAdmin(port), link, toReplicas: toReplicas(link) }
}

async function refuse(lines: readonly Line[]): Promise<() => Promise<void>> {
  await Promise.all(lines.map((line) => line.refuse()))
  return async () => void (await Promise.all(lines.map((line) => line.restore())))
}

interface Parts {
  readonly kind: 'cluster' | 'sentinel'
  readonly url: string
  readonly nodes: readonly Node[]
  /** asked to fail over, where that is a Sentinel's to do */
  readonly watcher?: OneRedis
  /** beside those of the nodes */
  readonly links: readonly Link[]
  readonly failOver: Replication['failOver']
  readonly reshard?: NonNullable<Replication['reshard']>
  readonly ready: () => Promise<void>
}

async function server({ lagMs }: RedisDeps, parts: Parts): Promise<RedisServer> {
  const { kind, url, nodes, watcher, links, failOver, reshard } = parts
  const ready = async () => {
    await Promise.all(nodes.map(untilLoaded)) // one that was killed may not listen yet
    await parts.ready()
  }
  for (const { link } of nodes) toReplicas(link).delay(lagMs)
  const admin = connectRedis(url, { name: 'fault-suite' })
  await reachRedis({ warn() {} }, admin)
  const lines = new Map<string, Line>()
  let last = Promise.resolve()
  return {
    kind,
    url,
    admin,
    nodes,
    replication: {
      masters: async () => (await rolesOf(nodes)).filter(({ role }) => role === 'master').map(({ node }) => node),
      replicasOf: (master) => replicasOf(nodes, master),
      failOver,
      ...(reshard && { reshard }),
      alone(fail) {
        last = last.then(async () => {
          await ready()
          await fail()
          await ready()
        })
        return last
      },
    },
    urlOf: async () => url,
    lineOf(name) {
      const isIts = (each: string) => each.startsWith(name) && !/^\d/.test(each.slice(name.length))
      const line = lines.get(name) ?? joinLines(nodes.map(({ link }) => withThose(link, isIts)))
      lines.set(name, line)
      return line
    },
    ready,
    async close() {
      admin.disconnect()
      watcher?.disconnect()
      for (const node of nodes) node.admin.disconnect()
      await Promise.all([...nodes.map(({ link }) => link), ...links].map((link) => link.close()))
    },
  }
}

/** A replica loads its data at its start, and again when it takes over those of another master. */
const untilLoaded = async ({ admin }: Node): Promise<void> =>
  void (await until(async () => (await admin.ping().catch(isLoading)) === 'PONG', 'Redis has loaded its data', loadMs))

/** @throws what else is wrong */
function isLoading(error: Error): undefined {
  if (!error.message.startsWith('LOADING ')) throw error
}

interface Role {
  readonly node: Node
  readonly role: 'master' | 'slave'
  readonly masterPort: number
}

/** What each says of itself; those that do not answer soon are left out. */
async function rolesOf(nodes: readonly Node[]): Promise<Role[]> {
  const roles = await Promise.all(
    nodes.map(async (node) => {
      const info = await soon(node.admin.info('replication'))
      const role = /role:(master|slave)/.exec(info)?.[1] as Role['role'] | undefined
      return role ? [{ node, role, masterPort: Number(/master_port:(\d+)/.exec(info)?.[1]) }] : []
    }),
  )
  return roles.flat()
}

async function replicasOf(nodes: readonly Node[], master: ReplicatedMember): Promise<Node[]> {
  const port = nodes.find(({ member }) => member === master.member)?.link.port
  return (await rolesOf(nodes))
    .filter((each) => each.role === 'slave' && each.masterPort === port)
    .map(({ node }) => node)
}

const soon = (answer: ReturnType<OneRedis['info']>): Promise<string> =>
  Promise.race([answer, new Promise<string>((resolve) => setTimeout(resolve, 1000, '').unref())])
