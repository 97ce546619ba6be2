/** Redis that dies, goes away, publishes no events, or whose answers are lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptShas } from '@courier-fleet/launch'
import type { Line } from '@courier-fleet/testkit/link'
import { armAt, placeOf, trapMs } from '../points.ts'
import type { RedisServer } from '../redis/index.ts'
import { type Draw, drawTarget, smsAmong, target } from './fault.ts'

/** SIGKILL of all that Redis consists of; started again on its append-only files. */
export const redisKill: Draw = (_random, at) => ({
  name: 'redis-kill',
  what: 'Redis killed',
  at,
  smsDoubts: (targets) => smsAmong(...targets),
  async happen({ fleet: { redis } }) {
    const kill = async () => {
      const members = redis.nodes.map(({ member }) => ({ member, before: member.pid }))
      for (const { member } of members) member.kill()
      while (members.some(({ member, before }) => member.pid === before || member.pid === undefined)) await sleep(20)
      await redis.ready()
    }
    await (redis.replication ? redis.replication.alone(kill) : kill())
  },
})

/** Nobody reaches it: refused, or accepted and never answered. */
export const redisAway: Draw = (random, at) => {
  const silent = random.chance(0.5)
  const forMs = silent ? random.between(500, 8000) : random.between(300, 3000)
  return {
    name: 'redis-away',
    what: `Redis ${silent ? 'silent' : 'refused'} for ${forMs} ms`,
    at,
    smsDoubts: (targets) => smsAmong(...targets),
    async happen({ fleet: { targets } }) {
      const links = targets.map(({ redis }) => redis)
      await Promise.all(links.map(async (link: Line) => (silent ? link.silence() : link.refuse())))
      await sleep(forMs)
      await Promise.all(links.map((link) => link.restore()))
    },
  }
}

const queueScripts = ['upload', 'schedule', 'cancel', 'reschedule']
const courierScripts = [
  'wake',
  'split',
  'record',
  'defer',
  'renew',
  'index-ids',
  'note-reports',
  'clear-reports',
  'note-unread',
  'report',
  'pace',
  'reserve-slot',
  'allow',
  'contest',
  'give-back',
  'forget',
]

/** A script runs and its answer is lost: the connection is cut, and the client sends it again. */
export const replyLost: Draw = (random, at) => {
  const number = drawTarget(random)
  const script = random.pick([...queueScripts, ...courierScripts])
  const nth = random.between(1, 3)
  const role = queueScripts.includes(script) ? 'queue' : 'courier'
  return {
    name: 'reply-lost',
    what: `answer to ${script} lost`,
    at,
    smsDoubts: (targets) => smsAmong(target(targets, role, number)),
    async happen({ fleet: { targets } }) {
      const { redis } = target(targets, role, number)
      const disarm = armAt(placeOf({ moment: 'after', holds: scriptShas(script) }), redis, nth, () => {
        redis.cut()
        return 'drop'
      })
      await sleep(trapMs)
      disarm()
    },
  }
}

export const setEvents = async ({ nodes }: Pick<RedisServer, 'nodes'>, events: string) =>
  void (await Promise.all(nodes.map(({ admin }) => admin.config('SET', 'notify-keyspace-events', events))))

/** No expiry event is sent, until the round has settled. */
export const eventsOff: Draw = (_random, at) => ({
  name: 'events-off',
  what: 'expiry events off',
  at,
  happen: ({ fleet: { redis } }) => setEvents(redis, ''),
  undo: ({ fleet: { redis } }) => setEvents(redis, 'Ex'),
})

/** Every subscriber loses its connection, and what was published meanwhile. */
export const subscriberCut: Draw = (_random, at) => ({
  name: 'subscriber-cut',
  what: 'subscribers cut',
  at,
  async happen({ fleet: { redis } }) {
    await Promise.all(redis.nodes.map(({ admin }) => admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')))
  },
})
