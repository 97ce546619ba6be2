/** How much work a fleet has by what one message costs, and how many are to do it. The shares below are choices. */
import { allowed, measuredFor } from './channels.mjs'
import { mega } from './costs.mjs'

/** of a core: more, and whoever asks waits too long behind others */
const busyShare = { redis: 0.6, process: 0.7 }
/** of each: nobody waits for a lease when a machine dies */
const least = 2
/** what Redis needs beside its data while it writes them anew, and for those who are connected */
const room = 1.5
/** of one master with that: it is copied whole to a replica, and read whole when it starts */
export const masterBytes = 32 * 2 ** 30

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
 *
 * @typedef {ReturnType<typeof import('./costs.mjs').readCosts>} Costs
 */

/**
 * @param {Costs} costs
 * @param {Wish} wish
 */
export function sizeOf(costs, wish) {
  const cores = coresFor(costs, wish)
  const data = dataOf(costs, wish)
  const redisBytes = sumOf(Object.values(data)) * room
  const names = ['queue', 'timekeeper', ...wish.channels.map((each) => `courier-${each}`)]
  const count = (name) => Math.max(least, Math.ceil(cores[name] / busyShare.process))
  const processes = Object.fromEntries(names.map((name) => [name, count(name)]))
  const mbOf = (name) => costs.processMb[name] ?? costs.processMb.courier
  return {
    cores,
    data,
    masters: Math.max(1, Math.ceil(cores.redis / busyShare.redis), Math.ceil(redisBytes / masterBytes)),
    redisBytes,
    processes,
    processBytes: sumOf(Object.entries(processes).map(([name, many]) => many * mbOf(name) * mega)),
    everybodyAfter: everybodyAfter(wish),
  }
}

/**
 * Cores' worth of work at the peak, while a message to everybody goes out.
 * @param {Costs} costs
 * @param {Wish} wish
 */
function coresFor(costs, { people, peak, minutes, channels, bulk }) {
  const perSecond = people / (minutes * 60)
  const costOf = (channel) => costs.toMany[measuredFor(channel)]
  /** beside what the channel itself costs, which was measured apart, and of VK is in it */
  const own = (part) => costs.deliver[part] - costs.toMany.vk[part]
  const onChannel = (channel, part) => peak * (own(part) + costOf(channel)[part]) + perSecond * costOf(channel)[part]
  return {
    redis: (peak * costs.accept.redis + sumOf(channels.map((each) => onChannel(each, 'redis')))) / 1e6,
    queue: peak / (bulk ? costs.perSecond.bulk : costs.perSecond.put),
    timekeeper: (peak * (costs.accept.timekeeper + costs.deliver.timekeeper)) / 1e6,
    ...Object.fromEntries(channels.map((each) => [`courier-${each}`, onChannel(each, 'courier') / 1e6])),
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
