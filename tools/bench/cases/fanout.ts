/** One message to very many people, without limits and near the limits of the providers. */
import type { Bench, Case } from '../case.ts'
import { textOf } from '../messages.ts'
import { type FanOut, fanOut } from '../ours/fan-out.ts'
import { startFleet } from '../ours/fleet.ts'
import { smppProtocol, vkProtocol } from '../ours/line.ts'
import { countPauses } from '../ours/pauses.ts'
import { number } from '../report/number.ts'

const people = { vk: 1_000_000, telegram: 3000, sms: 20_000 }
const vk = { callsPerSecond: 20, peopleACall: 2500 }
const telegramPerSecond = 30
const sms = { window: 50, answerMs: 50 }
/** one segment */
const smsText = 'Пара перенесена в 305'
const mega = 2 ** 20

const rss = (name: string) => `VK without limits: memory of ${name}`

async function withoutLimits(bench: Bench): Promise<void> {
  const { server, record, size } = bench
  const count = size(people.vk)
  const fleet = await startFleet({ server, couriers: { vk: 1 } })
  try {
    await fleet.probes.watch()
    const { seconds, trouble, progress } = await fanOut(fleet, { channel: 'vk', people: count, text: textOf(1) })
    const reports = await fleet.probes.report()
    record.ours('VK without limits', count / seconds)
    for (const [name, { rssBytes }] of reports) record.ours(rss(name.replace(/-1$/, '')), rssBytes / mega)
    record.ours(rss('Redis'), (await server.figures()).rssBytes / mega)
    record.series({ plot: 'fanout', name: 'people served', points: progress })
    if (trouble) record.spoil('ours', trouble, ['VK without limits'])
  } finally {
    await fleet.stop()
  }
}

/** Share of the limit that was used, and of calls that were told to slow down. */
function recordShare({ record }: Bench, name: string, fan: FanOut, share: number, throttled: number): void {
  record.ours(name, share)
  record.ours(`${name}: throttling answers`, throttled)
  if (fan.trouble) record.spoil('ours', fan.trouble, [name])
}

async function vkAtItsLimit(bench: Bench): Promise<void> {
  const { server, size } = bench
  const count = size(people.vk)
  const fleet = await startFleet({
    server,
    couriers: { vk: 1 },
    env: { VK_CALLS_PER_SECOND: String(vk.callsPerSecond) },
    limits: { vk: { callsPerSecond: vk.callsPerSecond } },
    lines: { vk: { protocol: vkProtocol } },
  })
  try {
    const fan = await fanOut(fleet, { channel: 'vk', people: count, text: textOf(2) })
    const { calls, throttles } = fleet.line('vk').count()
    const limit = vk.callsPerSecond * vk.peopleACall
    recordShare(bench, 'VK at 20 calls/s', fan, (100 * count) / fan.seconds / limit, (100 * throttles) / calls)
  } finally {
    await fleet.stop()
  }
}

async function telegramAtItsLimit(bench: Bench): Promise<void> {
  const { server, size } = bench
  const count = size(people.telegram)
  const fleet = await startFleet({
    server,
    couriers: { telegram: 1 },
    env: { TELEGRAM_RATE_PER_SECOND: String(telegramPerSecond) },
    limits: { telegram: { perSecond: telegramPerSecond, perChatPerSecond: 1 } },
  })
  const pauses = await countPauses(server)
  try {
    const fan = await fanOut(fleet, { channel: 'telegram', people: count, text: textOf(3) })
    const share = (100 * count) / fan.seconds / telegramPerSecond
    recordShare(bench, 'Telegram at 30/s', fan, share, (100 * (await pauses.stop())) / count)
  } finally {
    await fleet.stop()
  }
}

async function smsAtItsLimit(bench: Bench): Promise<void> {
  const { server, size } = bench
  const count = size(people.sms)
  const fleet = await startFleet({
    server,
    couriers: { sms: 1 },
    env: { SMS_WINDOW: String(sms.window) },
    limits: { sms: { window: sms.window, perSecond: null } },
    lines: { sms: { answerMs: sms.answerMs, protocol: smppProtocol } },
  })
  try {
    const fan = await fanOut(fleet, { channel: 'sms', people: count, text: smsText })
    const { calls, throttles, answeredMs } = fleet.line('sms').count()
    const limit = sms.window / (sms.answerMs / 1000)
    bench.record.ours('SMPP, window 50: answer of the SMS centre after', answeredMs)
    recordShare(bench, 'SMPP, window 50', fan, (100 * count) / fan.seconds / limit, (100 * throttles) / calls)
  } finally {
    await fleet.stop()
  }
}

const share = { unit: '% of the limit', target: { least: 95 } }
const throttling = { unit: '% of calls', target: { most: 1 } }

export const fanout: Case = {
  name: 'fanout',
  title: 'One message to very many',
  about: `One message to ${number(people.vk)} people on VK, one courier process: with the stand-in's limits off, and at VK's own ${vk.callsPerSecond} calls a second of ${number(vk.peopleACall)} people; one to
${number(people.telegram)} people on Telegram at ${telegramPerSecond} a second; one to ${number(people.sms)} people by SMPP with a window of ${sms.window} and an SMS centre that answers after ${sms.answerMs} ms (a line before
the stand-in holds each answer until so long after the submit has reached it), so that the window allows ${sms.window / (sms.answerMs / 1000)} a second. Taken from the start to the last receipt. Throttling answers are counted on the wire; on Telegram's
encrypted one by the pauses they cause. Memory is the highest of each process while it sends without limits; the targets are for ours, the stand-in and Redis
keep everything they were given. BullMQ has nothing like it.`,
  maxRuns: 2,
  population: [people.vk, people.telegram, people.sms],
  metrics: {
    'VK without limits': { unit: 'people/s', target: { least: 200_000 } },
    'VK at 20 calls/s': share,
    'VK at 20 calls/s: throttling answers': throttling,
    'Telegram at 30/s': share,
    'Telegram at 30/s: throttling answers': { ...throttling, note: 'pauses' },
    'SMPP, window 50': share,
    'SMPP, window 50: throttling answers': throttling,
    'SMPP, window 50: answer of the SMS centre after': { unit: 'ms, p50' },
    [rss('queue')]: { unit: 'MiB', target: { most: 110 } },
    [rss('timekeeper')]: { unit: 'MiB', target: { most: 150 } },
    [rss('courier-vk')]: { unit: 'MiB', target: { most: 110 } },
    [rss('sandbox')]: { unit: 'MiB' },
    [rss('Redis')]: { unit: 'MiB' },
  },
  plots: [{ file: 'fanout', kind: 'curves', title: 'VK without limits: people served', x: 's', y: 'people' }],
  async measure(bench) {
    await bench.populate()
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`VK without limits, run ${run} of ${bench.runs}`)
      await withoutLimits(bench)
    }
    bench.say('VK at 20 calls a second')
    await vkAtItsLimit(bench)
    bench.say('SMPP with a window of 50')
    await smsAtItsLimit(bench)
    bench.say('Telegram at 30 a second')
    await telegramAtItsLimit(bench)
  },
}
