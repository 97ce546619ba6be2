/**
 * A week of life in five minutes: very many messages are put, sent and forgotten while couriers are restarted; afterwards
 * nothing of them may be left, in Redis or at the providers twice. The fleet is one of its own, started with
 *   RETENTION_DAYS=0.0003 TELEGRAM_RATE_PER_SECOND=off VK_CALLS_PER_SECOND=off SMS_PER_SECOND=off FLEET_DEMO=off npm start
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCensus } from './census.mjs'
import { startGauge } from './gauge.mjs'
import { restartCouriers } from './restart-couriers.mjs'
import { progress } from './running-fleet.mjs'
import { audience, cohort, paced, traffic } from './week-traffic.mjs'

const restartEveryMs = 20_000
/** what Redis may keep beyond what it had before and what lapses by itself: tables and buffers that have grown */
const marginBytes = 8 * 1024 * 1024
/** while nothing is forgotten for so long, something is wrong */
const patienceMs = 120_000
/** for buffers to be given back, and processes to come to rest */
const restMs = 60_000

/** @returns {Promise<boolean>} whether everyone got it once, and nothing of it is kept */
export async function measureWeek(fleet, values) {
  const { noLimits } = await import('@courier-fleet/sandbox/limits')
  const histories = Number(values.histories)
  const perMs = histories / (Number(values.minutes) * 60_000)
  await fleet.importPeople(audience, { cohort, groupSize: audience })
  const limits = await fleet.sandboxLimits()
  await fleet.setSandboxLimits(noLimits())
  await fleet.resetSandbox()
  try {
    return await fleet.withRedis((redis) => live({ fleet, redis, histories, perMs }))
  } finally {
    await fleet.setSandboxLimits(limits)
  }
}

async function live({ fleet, redis, histories, perMs }) {
  const { lines, wanted } = await traffic(histories)
  const census = createCensus(redis)
  const gauge = await startGauge(redis)
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)

  const restarts = restartCouriers(restartEveryMs)
  let put = 0
  for await (const _line of fleet.bulk(paced(lines, perMs))) {
    put += 1
    if (put % 1000 === 0) progress(`${seconds()} s: put ${put} of ${histories}`)
  }
  const restarted = restarts.stop()
  const putSeconds = seconds()
  await untilForgotten(census, (left) => progress(`${seconds()} s: ${left} are still to be sent, or kept`))
  const forgottenSeconds = seconds()
  progress(`${forgottenSeconds} s: coming to rest`)
  await sleep(restMs)

  const left = await census.take()
  const { processes, redis: memory } = await gauge.stop()
  const accepted = await countAccepted(fleet)
  progress('')
  const keptBytes = memory.after - memory.before - left.lapsing.bytes
  const inStreams = `${left.entries} entries and ${left.pending} claims in streams`
  console.log(
    `histories           ${histories}, put in ${putSeconds} s; all sent and forgotten after ${forgottenSeconds} s`,
  )
  console.log(`courier restarts    ${restarted}`)
  for (const [channel, count] of Object.entries(wanted))
    console.log(`${`taken by ${channel}`.padEnd(20)}${accepted[channel]} of ${count}`)
  console.log(`${'MB'.padEnd(20)}${['before', 'highest', 'after'].map((word) => word.padStart(9)).join('')}`)
  for (const [name, figures] of [...processes, ['Redis used_memory', memory]]) console.log(row(name, figures))
  console.log(`left of messages    ${left.ofMessages} keys, ${inStreams}; consumers ${left.consumers}`)
  console.log(
    `left to lapse       ${left.lapsing.keys} keys of about ${megabytes(left.lapsing.bytes)} MB: ${left.lapsing.kinds}`,
  )
  console.log(`kept by Redis       ${megabytes(keptBytes)} MB besides, allowed are ${megabytes(marginBytes)} MB`)
  return (
    Object.entries(wanted).every(([channel, count]) => accepted[channel] === count) &&
    left.ofMessages + left.entries + left.pending === 0 &&
    keptBytes <= marginBytes
  )
}

/** @throws Error when nothing is forgotten any more */
async function untilForgotten(census, say) {
  let least = Number.POSITIVE_INFINITY
  let leastAt = Date.now()
  for (;;) {
    const left = await census.alive()
    if (left === 0) return
    say(left)
    if (left < least) {
      least = left
      leastAt = Date.now()
    } else if (Date.now() - leastAt > patienceMs) {
      throw new Error(`${left} messages are not forgotten: was the fleet started with RETENTION_DAYS=0.0003?`)
    }
    await sleep(1000)
  }
}

async function countAccepted(fleet) {
  const counts = { telegram: 0, vk: 0, sms: 0 }
  for await (const { channel } of fleet.accepted(0)) counts[channel] += 1
  return counts
}

const megabytes = (bytes) => (bytes / 1024 / 1024).toFixed(1)
const row = (name, { before, highest, after }) =>
  `${name.padEnd(20)}${[before, highest, after].map((bytes) => megabytes(bytes).padStart(9)).join('')}`
