/** What the bench has measured, as far as a size is computed from it: CPU in µs, bytes, and MiB of processes. */
import { allowed, measuredNames } from './channels.mjs'

export const mega = 2 ** 20

/**
 * @param {Readonly<Record<string, { readonly figures: readonly { readonly metric: string, readonly ours: number | null }[], readonly remarks?: readonly { readonly heading: string, readonly text: string }[] }>>} results of the bench
 * @throws {Error} that names what is missing
 */
export function readCosts(results) {
  const figure = (of, metric) => figureIn(results, of, metric)
  const cpu = (heading, process) => cpuIn(results, heading, process)
  const toMany = Object.fromEntries(Object.entries(measuredNames).map((each) => [each[0], costsToMany(results, each)]))
  return {
    accept: { redis: figure('costs', 'accepting: Redis'), timekeeper: cpu('Accepting, one message', 'timekeeper') },
    perSecond: { put: figure('accept', 'PUT'), bulk: figure('accept', 'bulk') },
    deliver: {
      redis: figure('costs', 'delivering: Redis'),
      courier: cpu('Delivering, one message', 'courier-vk'),
      timekeeper: cpu('Delivering, one message', 'timekeeper'),
    },
    toMany,
    bytes: bytesIn(results),
    // of one Redis all is known without it
    ...(results.cluster && { cluster: clusterIn(results) }),
    processMb: {
      queue: figure('fanout', 'VK without limits: memory of queue'),
      timekeeper: figure('fanout', 'VK without limits: memory of timekeeper'),
      courier: figure('fanout', 'VK without limits: memory of courier-vk'),
    },
  }
}

/**
 * The kinds of work of which the bench knows what they take of all processes together.
 * @param {Parameters<typeof readCosts>[0]} results
 * @returns {{ what: string, us: { all: number, redis: number }, account?: number }[]} CPU in µs; what an account may send a second
 * @throws {Error} that names what is missing
 */
export function readWorks(results) {
  const us = (work) => ({
    all: figureIn(results, 'costs', `${work}: all of ours with Redis`),
    redis: figureIn(results, 'costs', `${work}: Redis`),
  })
  const [accepting, delivering] = [us('accepting'), us('delivering')]
  return [
    {
      what: 'messages for one person each, accepted in bulk and delivered by VK',
      us: { all: accepting.all + delivering.all, redis: accepting.redis + delivering.redis },
    },
    ...Object.entries(measuredNames).map(([channel, name]) => ({
      what: `people of one message by ${name}`,
      account: allowed[channel],
      us: us(`to very many by ${name}`),
    })),
  ]
}

const costsToMany = (results, [channel, name]) => ({
  redis: figureIn(results, 'costs', `to very many by ${name}: Redis`),
  courier: cpuIn(results, `To very many by ${name}, one person`, `courier-${channel}`),
})

/** How much more work several masters are, and waiting for their replicas. */
function clusterIn(results) {
  const figure = (metric) => figureIn(results, 'cluster', metric)
  return {
    work: figure('CPU of Redis, 6 masters') / figure('CPU of Redis, one Redis'),
    busiest: figure('busiest node, 6 masters'),
    confirmed: figure('CPU of masters, SMS at replica') / figure('CPU of masters, SMS at master'),
  }
}

function bytesIn(results) {
  const sent = figureIn(results, 'memory', 'everything sent')
  return {
    pending: figureIn(results, 'memory', 'pending message'),
    evidence: figureIn(results, 'memory', 'evidence'),
    receipt: figureIn(results, 'memory', 'receipt'),
    sent,
    // a million people with one contact, and one message to them
    person: (figureIn(results, 'fanout', 'VK without limits: memory of Redis') * mega) / 1e6 - sent,
  }
}

function figureIn(results, of, metric) {
  const found = results[of]?.figures.find((each) => each.metric === metric)?.ours
  if (typeof found !== 'number')
    throw new Error(`the bench has not measured "${of}: ${metric}": npm run bench -- ${of}`)
  return found
}

/** CPU of a process, µs a message or person; its name may have a number behind it. */
function cpuIn(results, heading, process) {
  const { text = '' } = results.costs?.remarks?.find((each) => each.heading === heading) ?? {}
  const found = new RegExp(`^\\| \\*\\*${process}(?:-\\d+)?\\*\\* \\| ([\\d.]+) \\|$`, 'm').exec(text)?.[1]
  if (found === undefined)
    throw new Error(`the bench has not measured ${process} in "${heading}": npm run bench -- costs`)
  return Number(found)
}
