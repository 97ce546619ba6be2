/** What the bench has measured, as far as a size is computed from it: CPU in µs, bytes, and MiB of processes. */
import { measuredNames } from './channels.mjs'

export const mega = 2 ** 20

/**
 * @param {Record<string, { figures: { metric: string, ours: number }[], remarks?: { heading: string, text: string }[] }>} results of the bench
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
