/** How much work a fleet has by what one message costs, and how many are to do it. The shares below are choices. */
import { allowed, measuredFor } from './channels.mjs'
import { mega } from './costs.mjs'

/** of a core: more, and whoever asks waits too long behind others */
export const busyShare = { redis: 0.6, process: 0.7 }
/** of each: nobody waits for a lease when a machine dies */
const least = 2
/** what Redis needs beside its data while it writes them anew, and for those who are connected */
const room = 1.5
/** of one master with that: it is copied whole to a replica, and read whole when it starts */
export const masterBytes = 32 * 2 ** 30
/** of each master where another Redis is to have what it has: one is left when the other has taken over */
const replicas = 2
/** where the replicas are waited for before somebody is sent to */
const waiting = ['sms', 'mail', 'push']

/**
 * @typedef {object} Wish
 * @property {number} people in the directory
 * @property {number} peak messages for one person each, accepted and delivered a second
 * @property {number} minutes within which a message to everybody is to be out, on every channel
 * @property {number} daily messages for one person each, a day
 * @property {number} toAll messages to everybody, a day
 * @property {number} days they are kept
 * @property {readonly string[]} channels each person has, and each message goes out on
 * @property {boolean} bulk they are accepted by many a call
 * @property {'master' | 'replica' | 'all'} [durability] REDIS_DURABILITY; absent: by what Redis has to be
 *
 * @typedef {ReturnType<typeof import('./costs.mjs').readCosts>} Costs
 */

/**
 * @param {Costs} costs
 * @param {Wish} wish
 */
export function sizeOf(costs, wish) {
  const data = dataOf(costs, wish)
  const redisBytes = sumOf(Object.values(data)) * room
  const { cores: ofRedis, ...redis } = redisFor(costs, wish, redisBytes)
  const cores = { redis: ofRedis, ...coresFor(costs, wish) }
  const names = ['queue', 'timekeeper', ...wish.channels.map((each) => `courier-${each}`)]
  const count = (name) => Math.max(least, Math.ceil(cores[name] / busyShare.process))
  const processes = Object.fromEntries(names.map((name) => [name, count(name)]))
  const mbOf = (name) => costs.processMb[name] ?? costs.processMb.courier
  return {
    cores,
    data,
    ...redis,
    redisBytes,
    processes,
    processBytes: sumOf(Object.entries(processes).map(([name, many]) => many * mbOf(name) * mega)),
    everybodyAfter: everybodyAfter(wish),
  }
}

/**
 * What a channel takes of Redis or of its courier at the peak, while a message to everybody goes out, µs a second.
 * @param {Costs} costs
 * @param {Wish} wish
 * @param {string} channel
 * @param {'redis' | 'courier'} part
 */
function workOn(costs, { people, peak, minutes }, channel, part) {
  const cost = costs.toMany[measuredFor(channel)][part]
  /** beside what the channel itself costs, which was measured apart, and of VK is in it */
  const own = costs.deliver[part] - costs.toMany.vk[part]
  return peak * (own + cost) + (people / (minutes * 60)) * cost
}

/**
 * Cores' worth of work of processes.
 * @param {Costs} costs
 * @param {Wish} wish
 */
function coresFor(costs, wish) {
  const { peak, channels, bulk } = wish
  return {
    queue: peak / (bulk ? costs.perSecond.bulk : costs.perSecond.put),
    timekeeper: (peak * (costs.accept.timekeeper + costs.deliver.timekeeper)) / 1e6,
    ...Object.fromEntries(channels.map((each) => [`courier-${each}`, workOn(costs, wish, each, 'courier') / 1e6])),
  }
}

/**
 * How many masters, for work or for memory: several are a cluster, where work is more, and not quite the same on each of them.
 * @param {Costs} costs
 * @param {Wish} wish
 * @param {number} redisBytes
 */
function redisFor(costs, wish, redisBytes) {
  /** cores, where a channel's work is so many times as much */
  const workOf = (factorOf) =>
    (wish.peak * costs.accept.redis +
      sumOf(wish.channels.map((each) => factorOf(each) * workOn(costs, wish, each, 'redis')))) /
    1e6
  const mastersFor = (cores) => Math.max(1, Math.ceil(cores / busyShare.redis), Math.ceil(redisBytes / masterBytes))
  const isCluster = mastersFor(workOf(() => 1)) > 1
  const durability = wish.durability ?? (isCluster ? 'replica' : 'master')
  const factors = costs.cluster ?? { work: 1, busiest: 1, confirmed: 1 }
  const confirmed = durability === 'master' ? 1 : factors.confirmed
  const [work, busiest] = isCluster ? [factors.work, factors.busiest] : [1, 1]
  const cores = work * workOf((channel) => (waiting.includes(channel) ? confirmed : 1))
  return {
    cores,
    masters: mastersFor(cores * busiest),
    replicas: durability === 'master' ? 0 : replicas,
    durability,
    /** whether what several masters and waiting for replicas cost is in it */
    isMeasured: costs.cluster !== undefined || (!isCluster && durability === 'master'),
  }
}

/**
 * Bytes in Redis.
 * @param {Costs} costs
 * @param {Wish} wish
 */
function dataOf({ bytes }, { people, daily, toAll, days, channels }) {
  return {
    people: people * (bytes.person + (channels.length - 1) * bytes.evidence),
    // as when they were pending, and on every channel what became of them
    single: daily * days * (bytes.pending + channels.length * (bytes.receipt + bytes.evidence)),
    toAll: toAll * days * people * channels.length * bytes.sent,
  }
}

/**
 * By what an account is usually allowed, s.
 * @param {Wish} wish
 */
const everybodyAfter = ({ people, channels }) =>
  Object.fromEntries(channels.flatMap((each) => (allowed[each] ? [[each, people / allowed[each]]] : [])))

/** @param {readonly number[]} numbers */
const sumOf = (numbers) => numbers.reduce((total, each) => total + each, 0)
