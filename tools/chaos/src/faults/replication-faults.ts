/** Nodes of a replicated Redis that die, freeze, lose their replicas or each other, or hand over: one failure at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@courier-fleet/testkit/until'
import type { ReplicatedMember, Replication } from '../redis/index.ts'
import { type Draw, drawTarget, type FaultDeps, type Planned, smsAmong } from './fault.ts'
import { setEvents } from './redis-faults.ts'

/** a replica takes over after node timeout and election, a few seconds on a busy machine */
const takeOverMs = 45_000
/** two masters at once, or none that hears of the other */
const asideMs = 1000
const withoutReplicaMs = 10_000

type Failure = (master: ReplicatedMember, replication: Replication, deps: FaultDeps) => Promise<void>

/** What befalls one of the masters. */
const ofMaster =
  (name: Planned['name'], what: string, fail: Failure): Draw =>
  (random, at) => {
    const number = drawTarget(random)
    return {
      name,
      what,
      at,
      smsDoubts: (targets) => smsAmong(...targets),
      async happen(deps) {
        const { replication } = deps.fleet.redis
        if (!replication) throw new Error(`${name}: one Redis has no replica`)
        await replication.alone(async () => {
          const masters = await replication.masters()
          await fail(masters[number % masters.length] as ReplicatedMember, replication, deps)
        })
      },
    }
  }

/** Does this to a master, and waits until one of its replicas has taken over. */
async function untilTakenOver(master: ReplicatedMember, replication: Replication, strike: () => Promise<void>) {
  const replicas = await replication.replicasOf(master)
  await strike()
  await until(
    async () => (await replication.masters()).some((now) => replicas.some(({ member }) => member === now.member)),
    'a replica has taken over',
    takeOverMs,
  )
}

/** SIGKILL; started again once a replica has taken over. */
export const masterKill = ofMaster('master-kill', 'a master killed', async (master, replication) => {
  await untilTakenOver(master, replication, async () => void (await master.member.stop('SIGKILL')))
  master.member.start()
})

/** SIGSTOP until a replica has taken over, then SIGCONT: it goes on as a master until it hears otherwise. */
export const masterFreeze = ofMaster('master-freeze', 'a master frozen', async (master, replication) => {
  await untilTakenOver(master, replication, async () => master.member.freeze())
  master.member.thaw()
})

/** Every process of the fleet dies with it, and starts while nobody serves, or while a replica takes over. */
export const startInFailOver = ofMaster(
  'start-in-fail-over',
  'all processes start while a master is frozen',
  async (master, replication, { fleet }) => {
    await untilTakenOver(master, replication, async () => {
      master.member.freeze()
      for (const { member } of fleet.targets) member.kill()
    })
    master.member.thaw()
  },
)

/** By agreement with the master. */
export const failOver = ofMaster('fail-over', 'a replica takes over', (master, replication) =>
  untilTakenOver(master, replication, () => replication.failOver(master)),
)

/** Processes of the fleet still reach it, nobody else does: two masters at once. */
export const partition = ofMaster('partition', 'a master on its own', async (master, replication) => {
  let restore = async () => {}
  await untilTakenOver(master, replication, async () => {
    restore = await master.isolate()
  })
  await sleep(asideMs)
  await restore()
})

/** It has nobody to take over for a while, and says so. */
export const noReplica = ofMaster('no-replica', 'a master without a replica', async (master) => {
  await master.toReplicas.refuse()
  await sleep(withoutReplicaMs)
  await master.toReplicas.restore()
})

const startAgain = ofMaster(
  'without-events',
  'a node is back without events, and master',
  async (master, replication, { fleet: { redis } }) => {
    const replicas = await replication.replicasOf(master)
    for (const { member, admin } of replicas) {
      await member.stop('SIGKILL')
      member.start()
      const setBack = async () => (await admin.config('SET', 'notify-keyspace-events', '').catch(() => '')) === 'OK'
      await until(setBack, 'it is back', takeOverMs)
    }
    await redis.ready()
    await untilTakenOver(master, replication, () => replication.failOver(master))
  },
)

/** Replicas were started again with the settings of their file, not those that somebody had made since, and one takes over: the others still tell. */
export const withoutEvents: Draw = (random, at) => ({
  ...startAgain(random, at),
  undo: ({ fleet: { redis } }) => setEvents(redis, 'Ex'),
})

/**
 * The slot of a shard, or of a bucket of people, goes to another master: whole, or key by key, when what is in it waits until all has
 * arrived. An engine that cannot move it whole moves it key by key.
 */
export const reshard: Draw = (random, at) => {
  const number = drawTarget(random)
  const isWhole = random.chance(0.5)
  return {
    name: 'reshard',
    what: `a slot moved${isWhole ? ' whole' : ''}`,
    at,
    // claims of the slot are not renewed meanwhile
    smsDoubts: (targets) => smsAmong(...targets),
    async happen({ fleet: { redis, tags } }: FaultDeps) {
      const { replication } = redis
      if (!replication?.reshard) throw new Error('reshard: only a cluster has slots')
      const { reshard } = replication
      await replication.alone(() => reshard(`{${tags[number % tags.length]}}`, isWhole))
    },
  }
}
