/** What Redis needs of CPU on several masters, what waiting for a replica costs, and how late messages start on a cluster. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis, RedisNode } from '@courier-fleet/store'
import { arrivalsOf, numbers, troubleOf } from '../arrivals.ts'
import type { Bench, Case } from '../case.ts'
import type { Metric } from '../figures.ts'
import { messagesFor, numberIn, textOf } from '../messages.ts'
import { fanOut } from '../ours/fan-out.ts'
import { type Fleet, type FleetOptions, startFleet } from '../ours/fleet.ts'
import { sendOnTime } from '../ours/on-time.ts'
import { outstandingCount } from '../ours/outstanding.ts'
import { loadPeople } from '../ours/people.ts'
import { number } from '../report/number.ts'
import { type Cluster, startCluster } from '../server/cluster.ts'
import { readFigures } from '../server/info.ts'
import { percentile } from '../statistics.ts'

const sizes = [1, 3, 6]
/** and as many people */
const messages = 6_000
/** so that every script is known to every node before it counts */
const warmUp = 1_000
const idleMs = 3_000
const lookEveryMs = 250
const patienceMs = 60_000
const smsPeople = 2_000
/** each beside another of the other level, first the one and then the other */
const turns = ['master', 'replica', 'replica', 'master', 'master', 'replica'] as const
/** a second 200 */
const onTime = 1_000
const smsCourier = 'courier-sms-1'

type Level = (typeof turns)[number]

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)

/** ms of CPU that each has taken so far */
const cpuOf = (nodes: readonly RedisNode[]) =>
  Promise.all(nodes.map(async (node) => readFigures(await node.info('everything')).cpuMs))

/** ms of CPU that each takes meanwhile, and how long that is */
async function taken(nodes: readonly RedisNode[], action: () => Promise<unknown>) {
  const [before, startedAt] = [await cpuOf(nodes), performance.now()]
  await action()
  const ms = performance.now() - startedAt
  const after = await cpuOf(nodes)
  return { cpuMs: after.map((each, index) => each - (before[index] as number)), ms }
}

/** All at once, and until the last is recorded. @throws Error when one is lost or doubled */
async function deliver(fleet: Fleet, redis: Redis, { count, first }: { count: number; first: number }): Promise<void> {
  await fleet.sandbox.forget()
  await fleet.api.sendMany(messagesFor({ count, first, people: count, channels: ['vk'] }))
  for (const giveUpAt = performance.now() + patienceMs; (await outstandingCount(redis)) > 0; await sleep(lookEveryMs))
    if (performance.now() > giveUpAt) throw new Error('they were not all delivered')
  const trouble = troubleOf(
    numbers(count, first),
    await arrivalsOf(fleet.sandbox.acceptedRows(), ({ text }) => numberIn(text)),
  )
  if (trouble) throw new Error(trouble)
}

const mastersText = (masters: number) => `${masters} ${masters === 1 ? 'master' : 'masters'}`
const cpuName = (where: string) => `CPU of Redis, ${where}`
const idleName = (where: string) => `CPU of Redis with nothing to do, ${where}`
const busiestName = (masters: number) => `busiest node, ${mastersText(masters)}`
const growthName = (masters: number) => `growth, ${mastersText(masters)}`
const oneRedis = 'one Redis'

/** @returns what the busiest needs for a message, µs of CPU */
async function takeCpu(
  { record, size, say }: Bench,
  server: FleetOptions['server'],
  nodes: readonly RedisNode[],
  where: string,
): Promise<number> {
  await loadPeople(server.redis, [size(messages)], say)
  const fleet = await startFleet({ server, couriers: { vk: 1 }, durability: 'master' })
  try {
    const count = size(messages)
    await deliver(fleet, server.redis, { count: size(warmUp), first: count })
    const idle = await taken(nodes, () => sleep(idleMs))
    const work = await taken(nodes, () => deliver(fleet, server.redis, { count, first: 0 }))
    record.ours(cpuName(where), (1000 * sum(work.cpuMs)) / count)
    record.ours(idleName(where), (100 * sum(idle.cpuMs)) / idle.ms)
    if (nodes.length > 1) record.ours(busiestName(nodes.length), busiestShare(work.cpuMs))
    return (1000 * Math.max(...work.cpuMs)) / count
  } finally {
    await fleet.stop()
  }
}

/** times the mean */
export const busiestShare = (cpuMs: readonly number[]) => (Math.max(...cpuMs) * cpuMs.length) / sum(cpuMs)

async function takeSizes(bench: Bench): Promise<void> {
  const { server, record, say } = bench
  say(oneRedis)
  await bench.clear()
  const alone = await takeCpu(bench, server, [server.redis], oneRedis)
  for (const masters of sizes) {
    say(mastersText(masters))
    const cluster = await startCluster({ masters, replicas: 0, say })
    try {
      const busiest = await takeCpu(bench, cluster, cluster.masters, mastersText(masters))
      record.ours(growthName(masters), alone / busiest)
    } finally {
      await cluster.stop()
    }
  }
}

/** @returns people a second */
async function takeSms({ record, size }: Bench, fleet: Fleet, cluster: Cluster, level: Level, turn: number) {
  await fleet.restart(smsCourier, { REDIS_DURABILITY: level })
  const count = size(smsPeople)
  let speed = Number.NaN
  await fleet.probes.watch()
  const work = await taken([...cluster.masters, ...cluster.replicas], async () => {
    const { seconds, trouble } = await fanOut(fleet, {
      channel: 'sms',
      people: count,
      text: textOf(turn),
      everyMs: 250,
    })
    if (trouble) record.spoil('ours', trouble, [smsName(level), shareName])
    speed = count / seconds
  })
  const courier = (await fleet.probes.report()).get(smsCourier)
  const ofMasters = work.cpuMs.slice(0, cluster.masters.length)
  record.ours(smsName(level), speed)
  record.ours(smsCpuName('the courier', level), (1000 * (courier?.cpuMs ?? Number.NaN)) / count)
  record.ours(smsCpuName('masters', level), (1000 * sum(ofMasters)) / count)
  record.ours(smsCpuName('replicas', level), (1000 * (sum(work.cpuMs) - sum(ofMasters))) / count)
  return speed
}

const smsName = (level: Level) => `SMS at ${level}`
const shareName = 'SMS at replica, of that at master'
const smsCpuName = (nodes: string, level: Level) => `CPU of ${nodes}, SMS at ${level}`
const startName = (p: string) => `start ${p}`
const acceptName = (p: string) => `accept ${p}`

async function takeReplicated(bench: Bench): Promise<void> {
  const { record, size, say } = bench
  const cluster = await startCluster({ masters: 3, replicas: 1, say })
  try {
    await loadPeople(cluster.redis, [size(smsPeople)], say)
    const fleet = await startFleet({ server: cluster, couriers: { vk: 1, sms: 1 } })
    try {
      say('on time')
      await deliver(fleet, cluster.redis, { count: size(warmUp), first: size(onTime) })
      await takeOnTime(bench, fleet)
      const speeds: number[] = []
      for (const [turn, level] of turns.entries()) {
        say(`SMS at ${level}`)
        speeds.push(await takeSms(bench, fleet, cluster, level, turn))
        if (turn % 2 === 0) continue
        const [ofTurn, before] = [speeds[turn] as number, speeds[turn - 1] as number]
        record.ours(shareName, level === 'replica' ? ofTurn / before : before / ofTurn)
      }
    } finally {
      await fleet.stop()
    }
  } finally {
    await cluster.stop()
  }
}

async function takeOnTime({ record, size }: Bench, fleet: Fleet): Promise<void> {
  const count = size(onTime)
  const { starts, accepts, trouble } = await sendOnTime(fleet, { count, people: size(smsPeople), channels: ['vk'] })
  for (const [p, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    record.ours(startName(p), percentile(starts, share))
    record.ours(acceptName(p), percentile(accepts, share))
  }
  if (trouble)
    record.spoil(
      'ours',
      trouble,
      ['p50', 'p99'].flatMap((p) => [startName(p), acceptName(p)]),
    )
}

const wheres = [oneRedis, ...sizes.map(mastersText)]
const levels: readonly Level[] = ['master', 'replica']
const computed = `computed: what one Redis needs of CPU for a message, over what the busiest of the masters needs. Nobody has seen so many messages: all of them stood on one machine`

const metrics: { [metric: string]: Metric } = Object.fromEntries<Metric>([
  ...wheres.map((where): [string, Metric] => [cpuName(where), { unit: 'µs/message' }]),
  ...wheres.map((where): [string, Metric] => [idleName(where), { unit: '% of a core' }]),
  ...sizes
    .slice(1)
    .map((masters): [string, Metric] => [busiestName(masters), { unit: '× the mean', target: { most: 1.15 } }]),
  ...sizes.map((masters): [string, Metric] => [growthName(masters), { unit: '× one Redis', note: computed }]),
  ...levels.map((level): [string, Metric] => [smsName(level), { unit: 'people/s' }]),
  [shareName, { unit: '', target: { least: 0.8 } }],
  ...levels.flatMap((level) =>
    ['the courier', 'masters', 'replicas'].map((nodes): [string, Metric] => [
      smsCpuName(nodes, level),
      { unit: 'µs/person' },
    ]),
  ),
  ...['p50', 'p99'].map((p): [string, Metric] => [
    startName(p),
    { unit: 'ms', ...(p === 'p99' ? { target: { most: 10 } } : {}) },
  ]),
  ...['p50', 'p99'].map((p): [string, Metric] => [acceptName(p), { unit: 'ms' }]),
])

export const cluster: Case = {
  name: 'cluster',
  title: 'Several masters',
  about: `Redis Cluster, all nodes on this machine, each with an append-only file. *CPU*: ${number(messages)} messages for one person each, accepted in bulk and delivered on VK, at durability
\`master\`; the CPU of every node as INFO says it, until the last is recorded, those who poll and look included; on one Redis, and on clusters of ${sizes.join(', ')} masters without replicas. *SMS*: one message to
${number(smsPeople)} people by SMPP without limits on three masters with a replica each, at durability \`master\` and \`replica\` in turn in the same fleet; the share is that of neighbours. *start*, *accept*: ${number(onTime)}
messages on VK due over 5 s on the same cluster at \`replica\`, as in \`lateness\`.`,
  maxRuns: 1,
  metrics,
  plots: [],
  async measure(bench) {
    await takeSizes(bench)
    await takeReplicated(bench)
  },
}
