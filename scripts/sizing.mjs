/**
 * `npm run sizing -- --people 100000 --peak 100`: how many processes, how much Redis. Computed from what `npm run bench` has measured
 * (tools/bench/results.json) and from the shares below, which are choices; docs/sizing.md says which is which.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** of a core: more, and whoever asks waits too long behind others */
const busyShare = { redis: 0.6, process: 0.7 }
/** of each: nobody waits for a lease when a machine dies */
const least = 2
/** what Redis needs beside its data while it writes them anew, and for those who are connected */
const room = 1.5
/** of one master with that: it is copied whole to a replica, and read whole when it starts */
const masterBytes = 32 * 2 ** 30
/** of each master where another Redis is to have what it has: one is left when the other has taken over */
const replicas = 2
/** where the replicas are waited for before somebody is sent to */
const waiting = ['sms', 'mail']
/** what accounts are usually allowed, people a second; see .env.example */
const allowed = { telegram: 30, vk: 50_000, sms: 100, mail: 10 }
/** measured as another is */
const measuredAs = { mail: 'sms', http: 'sms' }
const fanOut = { vk: 'VK', telegram: 'Telegram', sms: 'SMPP' }
const channels = [...Object.keys(fanOut), ...Object.keys(measuredAs)]

const levels = ['master', 'replica', 'all']

const mega = 2 ** 20
const daySeconds = 86_400

/**
 * @param {Record<string, { figures: { metric: string, ours: number }[], remarks?: { heading: string, text: string }[] }>} results of the bench
 * @throws {Error} that names what is missing
 */
export function readCosts(results) {
  const figure = (of, metric) => {
    const found = results[of]?.figures.find((each) => each.metric === metric)?.ours
    if (typeof found !== 'number')
      throw new Error(`the bench has not measured "${of}: ${metric}": npm run bench -- ${of}`)
    return found
  }
  /** CPU of a process, µs a message or person; its name may have a number behind it */
  const cpu = (heading, process) => {
    const { text = '' } = results.costs?.remarks?.find((each) => each.heading === heading) ?? {}
    const found = new RegExp(`^\\| \\*\\*${process}(?:-\\d+)?\\*\\* \\| ([\\d.]+) \\|$`, 'm').exec(text)?.[1]
    if (found === undefined)
      throw new Error(`the bench has not measured ${process} in "${heading}": npm run bench -- costs`)
    return Number(found)
  }
  const toMany = Object.fromEntries(
    Object.entries(fanOut).map(([channel, name]) => [
      channel,
      {
        redis: figure('costs', `to very many by ${name}: Redis`),
        courier: cpu(`To very many by ${name}, one person`, `courier-${channel}`),
      },
    ]),
  )
  const sent = figure('memory', 'everything sent')
  return {
    accept: { redis: figure('costs', 'accepting: Redis'), timekeeper: cpu('Accepting, one message', 'timekeeper') },
    perSecond: { put: figure('accept', 'PUT'), bulk: figure('accept', 'bulk') },
    deliver: {
      redis: figure('costs', 'delivering: Redis'),
      courier: cpu('Delivering, one message', 'courier-vk'),
      timekeeper: cpu('Delivering, one message', 'timekeeper'),
    },
    toMany,
    bytes: {
      pending: figure('memory', 'pending message'),
      evidence: figure('memory', 'evidence'),
      receipt: figure('memory', 'receipt'),
      sent,
      // a million people with one contact, and one message to them
      person: (figure('fanout', 'VK without limits: memory of Redis') * mega) / 1e6 - sent,
    },
    // of one Redis all is known without it
    ...(results.cluster && {
      cluster: {
        work: figure('cluster', 'CPU of Redis, 6 masters') / figure('cluster', 'CPU of Redis, one Redis'),
        busiest: figure('cluster', 'busiest node, 6 masters'),
        confirmed:
          figure('cluster', 'CPU of masters, SMS at replica') / figure('cluster', 'CPU of masters, SMS at master'),
      },
    }),
    processMb: {
      queue: figure('fanout', 'VK without limits: memory of queue'),
      timekeeper: figure('fanout', 'VK without limits: memory of timekeeper'),
      courier: figure('fanout', 'VK without limits: memory of courier-vk'),
    },
  }
}

/**
 * @param {ReturnType<typeof readCosts>} costs
 * @param {object} wish
 * @param {number} wish.people in the directory
 * @param {number} wish.peak messages for one person each, accepted and delivered a second
 * @param {number} wish.minutes within which a message to everybody is to be out, on every channel
 * @param {number} wish.daily messages for one person each, a day
 * @param {number} wish.toAll messages to everybody, a day
 * @param {number} wish.days they are kept
 * @param {readonly string[]} wish.channels each person has, and each message goes out on
 * @param {boolean} wish.bulk they are accepted by many a call
 * @param {'master' | 'replica' | 'all'} [wish.durability] REDIS_DURABILITY; absent: by what Redis has to be
 */
export function sizeOf(costs, wish) {
  const { people, peak, minutes, channels: on, bulk } = wish
  const perSecond = people / (minutes * 60)
  const costOf = (channel) => costs.toMany[measuredAs[channel] ?? channel]
  /** beside what the channel itself costs, which was measured apart, and of VK is in it */
  const own = (part) => costs.deliver[part] - costs.toMany.vk[part]
  const single = (channel, part) => own(part) + costOf(channel)[part]
  const sum = (of) => on.reduce((total, channel) => total + of(channel), 0)
  const ofRedis = (factorOf) =>
    (peak * (costs.accept.redis + sum((each) => factorOf(each) * single(each, 'redis'))) +
      perSecond * sum((each) => factorOf(each) * costOf(each).redis)) /
    1e6
  const bytesOf = dataOf(costs, wish)
  const redisBytes = Object.values(bytesOf).reduce((total, each) => total + each, 0) * room
  const redis = redisOf({ ofRedis, redisBytes, measured: costs.cluster, durability: wish.durability })
  const cores = {
    redis: redis.cores,
    queue: peak / (bulk ? costs.perSecond.bulk : costs.perSecond.put),
    timekeeper: (peak * (costs.accept.timekeeper + costs.deliver.timekeeper)) / 1e6,
    ...Object.fromEntries(
      on.map((channel) => [
        `courier-${channel}`,
        (peak * single(channel, 'courier') + perSecond * costOf(channel).courier) / 1e6,
      ]),
    ),
  }
  const { processMb } = costs
  const count = (name) => Math.max(least, Math.ceil(cores[name] / busyShare.process))
  const processes = Object.fromEntries(
    ['queue', 'timekeeper', ...on.map((each) => `courier-${each}`)].map((name) => [name, count(name)]),
  )
  const mbOf = (name) => processMb[name] ?? processMb.courier
  return {
    cores,
    data: bytesOf,
    masters: redis.masters,
    replicas: redis.replicas,
    durability: redis.durability,
    /** whether what several masters and waiting for replicas cost is in it */
    isMeasured: redis.isMeasured,
    redisBytes,
    processes,
    processBytes: Object.entries(processes).reduce((total, [name, many]) => total + many * mbOf(name) * mega, 0),
    /** by what an account is usually allowed, s */
    everybodyAfter: Object.fromEntries(on.flatMap((each) => (allowed[each] ? [[each, people / allowed[each]]] : []))),
  }
}

/** What Redis has to hold, bytes. */
function dataOf({ bytes }, { people, daily, toAll, days, channels: on }) {
  return {
    people: people * (bytes.person + (on.length - 1) * bytes.evidence),
    // as when they were pending, and on every channel what became of them
    single: daily * days * (bytes.pending + on.length * (bytes.receipt + bytes.evidence)),
    toAll: toAll * days * people * on.length * bytes.sent,
  }
}

/** How many masters, for work or for memory: several are a cluster, where work is more, and not quite the same on each of them. */
function redisOf({ ofRedis, redisBytes, measured, durability: given }) {
  const mastersFor = (cores) => Math.max(1, Math.ceil(cores / busyShare.redis), Math.ceil(redisBytes / masterBytes))
  const isCluster = mastersFor(ofRedis(() => 1)) > 1
  const durability = given ?? (isCluster ? 'replica' : 'master')
  const factors = measured ?? { work: 1, busiest: 1, confirmed: 1 }
  const confirmed = durability === 'master' ? 1 : factors.confirmed
  const [work, busiest] = isCluster ? [factors.work, factors.busiest] : [1, 1]
  const cores = work * ofRedis((channel) => (waiting.includes(channel) ? confirmed : 1))
  return {
    cores,
    durability,
    masters: mastersFor(cores * busiest),
    replicas: durability === 'master' ? 0 : replicas,
    isMeasured: measured !== undefined || (!isCluster && durability === 'master'),
  }
}

const number = (value) =>
  String(value >= 100 ? Math.round(value) : Number(value.toPrecision(2))).replace(
    /\B(?=(\d{3})+$)/g,
    value < 100 ? '' : ' ',
  )
const gigabytes = (value) => `${number(value / 2 ** 30)} GiB`
const timeOf = (seconds) => {
  if (seconds < 120) return `${number(seconds)} s`
  if (seconds < 7_200) return `${number(seconds / 60)} min`
  return seconds < 2 * daySeconds ? `${number(seconds / 3600)} h` : `${number(seconds / daySeconds)} days`
}

/** In words, a line each. */
export function sizeText(wish, size) {
  const { cores, data, masters, redisBytes, processes, processBytes, everybodyAfter } = size
  const line = (what, many, why) => `${what.padEnd(18)} ${many.padStart(9)}   ${why}`
  return [
    `${number(wish.people)} people; at the peak ${number(wish.peak)} messages a second for one person each, and one to everybody within ${number(wish.minutes)} min`,
    `(${number(wish.people / wish.minutes / 60)} people a second), all by ${wish.channels.join(' and ')}; ${number(wish.daily)} of the one and ${number(wish.toAll)} of the other a day, kept ${number(wish.days)} days`,
    '',
    line(
      'Redis masters',
      number(masters),
      `${number(cores.redis)} cores of work, and no more than ${gigabytes(masterBytes)} in one`,
    ),
    line(
      'their replicas',
      number(masters * size.replicas),
      `${number(size.replicas)} of each, as durability ${size.durability} has it, with as much memory`,
    ),
    ...(size.isMeasured ? [] : ['what a cluster costs beside that is not in it: npm run bench -- cluster']),
    line(
      'Redis memory',
      gigabytes(redisBytes),
      `${gigabytes(data.people)} of people, ${gigabytes(data.single)} and ${gigabytes(data.toAll)} of messages, and half as much again`,
    ),
    ...Object.entries(processes).map(([name, many]) =>
      line(name, number(many), `${number(cores[name])} cores of work`),
    ),
    line('all processes', gigabytes(processBytes), 'of memory'),
    ...Object.entries(everybodyAfter).map(([channel, seconds]) =>
      line(
        `everybody by ${channel}`,
        timeOf(seconds),
        `by one account that may send to ${number(allowed[channel])} a second`,
      ),
    ),
  ].join('\n')
}

const usage = `npm run sizing -- --people COUNT --peak COUNT [options]
  --people    in the directory
  --peak      messages for one person each, a second, accepted and delivered
  --minutes   within which a message to everybody is to be out; 10
  --daily     messages for one person each, a day; as many as people
  --to-all    messages to everybody, a day; 1
  --days      they are kept (RETENTION_DAYS); 90
  --channels  each person has, and each message goes out on, of ${channels.join(', ')}; vk
  --bulk      they are accepted by many a call, not one by one
  --durability  REDIS_DURABILITY: master, replica or all; master where one Redis does it, else replica
  --json      as JSON`

/** @throws {Error} that says what is wrong */
export function readWish(args) {
  const option = (name) => [name, { type: 'string' }]
  const names = ['people', 'peak', 'minutes', 'daily', 'to-all', 'days', 'channels', 'durability']
  const options = { ...Object.fromEntries(names.map(option)), bulk: { type: 'boolean' }, json: { type: 'boolean' } }
  const { values } = parseArgs({ args, options })
  const count = (name, otherwise) => {
    const given = values[name] ?? otherwise
    if (given === undefined) throw new Error(`say --${name}\n${usage}`)
    if (!/^\d+(\.\d+)?$/.test(given) || (name === 'minutes' && Number(given) === 0))
      throw new Error(`--${name} takes a number, not "${given}"`)
    return Number(given)
  }
  const on = (values.channels ?? 'vk').split(',')
  const strange = on.find((channel) => !channels.includes(channel))
  if (strange !== undefined) throw new Error(`--channels takes ${channels.join(', ')}, not "${strange}"`)
  const { durability } = values
  if (durability !== undefined && !levels.includes(durability))
    throw new Error(`--durability takes ${levels.join(', ')}, not "${durability}"`)
  const peak = count('peak')
  return {
    json: values.json === true,
    wish: {
      people: count('people'),
      peak,
      minutes: count('minutes', '10'),
      daily: count('daily', values.people),
      toAll: count('to-all', '1'),
      days: count('days', '90'),
      channels: [...new Set(on)],
      bulk: values.bulk === true,
      ...(durability && { durability }),
    },
  }
}

if (import.meta.filename === process.argv[1]) {
  try {
    const { wish, json } = readWish(process.argv.slice(2))
    const size = sizeOf(
      readCosts(JSON.parse(readFileSync(new URL('../tools/bench/results.json', import.meta.url), 'utf8'))),
      wish,
    )
    console.log(json ? JSON.stringify({ wish, ...size }, null, 2) : sizeText(wish, size))
  } catch (error) {
    console.error(`sizing: ${error.message}`)
    process.exitCode = 2
  }
}
