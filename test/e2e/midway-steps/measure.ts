/**
 * `npm run measure -- steps`: 10 000 people are sent messages in two steps, in VK and half a minute later by SMS to whoever has not read it, three times. They read at random
 * around the time of the second step, while an SMS courier is killed; they have all read it long before; nobody reads, and the courier of the first step is killed.
 */
import type { HistoryView, SettingsView } from '@courier-fleet/api-types'
import { parseHistoryKey } from '@courier-fleet/api-types'
import { sleep } from '@courier-fleet/process'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { keys } from '@courier-fleet/store'
import { freshRedis, generatedAddress, randomNumbers, until } from '@courier-fleet/testkit'
import { inParallel } from '../coupon/asking.ts'
import { type Fleet, startFleet } from '../fleet.ts'
import { startInbound } from '../inbound.ts'
import { followReceipts, type ReceiptOrder } from '../receipt-order.ts'
import { importPeople } from '../sent-once.ts'
import { type Facts, judge, type Verdict } from './judge.ts'

/** fewer are taken: some have an address of the demo */
const people = 10_300
const shortSeconds = 30
const neverShare = 0.1
/** before the second step begins for the first, and after */
const aroundMs = { before: 10_000, after: 16_000 }
/** of a courier that is killed: the in-flight window */
const window = 50
const patienceSeconds = 240
const lookEveryMs = 1000

type Say = (text: string) => void

/** Starts a fleet of its own; what it says is progress, and then the result. @returns what does not hold, in words */
export async function measureSteps(say: Say): Promise<readonly string[]> {
  const own = await freshRedis()
  const fleet = await startFleet({
    redis: { url: own.url, redis: () => own.redis },
    couriers: { telegram: 0, vk: 1, sms: 2 },
    env: { VK_CALLS_PER_SECOND: '16', SMS_PER_SECOND: '500', SMS_WINDOW: String(window), LEASE_MS: '3000' },
  })
  const inbound = await startInbound(fleet, 'vk-inbound')
  let order: ReceiptOrder | undefined
  try {
    await fleet.sandbox.limits(noLimits())
    await tellWhoReads(fleet)
    const indexes = await importPeople(fleet, people)
    say(`${indexes.length} people`)
    order = await followReceipts(own, indexes.length)
    const scene: Scene = { fleet, indexes, order, say }
    const troubles = [...(await readAroundTheStep(scene)), ...(await readBefore(scene)), ...(await readByNobody(scene))]
    for (const trouble of troubles) say(`WRONG: ${trouble}`)
    if (troubles.length === 0) say('nobody who was known to have read it was sent an SMS; everybody else was, once')
    return troubles
  } finally {
    order?.stop()
    await inbound
      .stop()
      .finally(() => fleet.stop())
      .finally(() => own.stop())
  }
}

interface Scene {
  readonly fleet: Fleet
  /** of the people */
  readonly indexes: readonly number[]
  readonly order: ReceiptOrder
  readonly say: Say
}

async function tellWhoReads({ api }: Fleet): Promise<void> {
  const { version } = await api.get<SettingsView>('/v1/settings')
  const { status } = await api.call('PATCH', '/v1/settings', { tellRead: ['vk'] }, { 'if-match': `"${version}"` })
  if (status !== 200) throw new Error(`the settings were answered ${status}`)
  await until(async () => {
    const { use } = await api.get<SettingsView>('/v1/settings')
    return use.using === use.of
  }, 'every process uses the settings')
}

const sendInSteps = (fleet: Fleet, text: string, afterSeconds: number) =>
  fleet.api.send({
    to: ['cohort:everyone'],
    text,
    steps: [{ channels: ['vk'] }, { channels: ['sms'], after: `PT${afterSeconds}S`, unless: 'read' }],
  })

async function readAroundTheStep(scene: Scene): Promise<readonly string[]> {
  const { fleet, indexes, say } = scene
  const random = randomNumbers(1)
  say('1. They read at random around the time of the second step; an SMS courier is killed, and stays away.')
  const text = 'Экзамен в понедельник'
  const key = await sendInSteps(fleet, text, shortSeconds)
  const dueMs = await until(async () => {
    const at = (await fleet.api.history(key)).steps?.[1]?.at
    return at !== undefined && Date.parse(at)
  }, 'the first wait for the second step')
  const readers = indexes
    .filter(() => random() >= neverShare)
    .map((index) => ({
      index,
      atMs: dueMs - aroundMs.before + random() * (aroundMs.before + aroundMs.after),
    }))
    .sort((one, other) => one.atMs - other.atMs)
  const reading = inParallel(readers, async ({ index, atMs }) => {
    await sleep(Math.max(0, atMs - Date.now()))
    await look(fleet, index)
  })
  const killing = (async () => {
    await until(async () => sentBy((await fleet.api.history(key)).steps, 1) > people / 20, 'SMS go out')
    await fleet.kill('courier-sms-1')
    say(`courier-sms-1 is killed: ${describeSteps(await fleet.api.history(key))}`)
  })()
  const settled = await untilSettled(scene, key)
  await Promise.all([reading, killing])
  const afterMs = Date.parse(settled?.settledAt ?? '') - dueMs
  if (settled)
    say(`settled ${seconds(afterMs)} after the step began, the last having read it ${aroundMs.after / 1000} s after`)
  const verdict = await judgeMessage(scene, { key, text, mayBeUnknown: window })
  await fleet.start('courier-sms-1')
  return [...verdict.troubles, ...(settled ? [] : ['it did not settle'])]
}

async function readBefore(scene: Scene): Promise<readonly string[]> {
  const { fleet, indexes, say } = scene
  say('2. Everybody has read it long before the second step, which is ten minutes later.')
  const text = 'Экзамен во вторник'
  const key = await sendInSteps(fleet, text, 600)
  await until(async () => sentBy((await fleet.api.history(key)).steps, 0) === indexes.length, 'everybody has it in VK')
  await inParallel(indexes, (index) => look(fleet, index))
  const lastMs = Date.now()
  const settled = await untilSettled(scene, key)
  if (settled)
    say(`settled ${seconds(Date.parse(settled.settledAt ?? '') - lastMs)} after the last has opened the chat`)
  const { troubles } = await judgeMessage(scene, { key, text, mayBeUnknown: 0 })
  return [...troubles, ...(settled ? [] : ['it did not settle when everybody had read it'])]
}

async function readByNobody(scene: Scene): Promise<readonly string[]> {
  const { fleet, indexes, say } = scene
  say('3. Nobody reads it, and the courier of the first step is killed during it.')
  const text = 'Экзамен в среду'
  // one call is not answered, so the courier is in the midst of it whenever it is killed
  await fleet.sandbox.fault({ channel: 'vk', kind: 'hang', count: 1 })
  const key = await sendInSteps(fleet, text, shortSeconds)
  await until(async () => sentBy((await fleet.api.history(key)).steps, 0) > 0, 'VK has begun')
  await fleet.kill('courier-vk-1')
  const answered = sentBy((await fleet.api.history(key)).steps, 0)
  say(`courier-vk-1 is killed: ${answered} have it in VK`)
  await until(
    async () => sentBy((await fleet.api.history(key)).steps, 1) >= answered,
    'whoever has it in VK is sent an SMS',
    patienceSeconds * 1000,
  )
  const early = (await smsOf(fleet, text)).size - answered
  say(`courier-vk-1 is still away: ${describeSteps(await fleet.api.history(key))}`)
  await fleet.start('courier-vk-1')
  const settled = await untilSettled(scene, key)
  if (settled) say(`settled: ${describeSteps(settled)}`)
  const { counts, troubles } = await judgeMessage(scene, { key, text, mayBeUnknown: 0 })
  return [
    ...troubles,
    ...(settled ? [] : ['it did not settle']),
    ...(answered < indexes.length ? [] : ['the first step was over before its courier was killed']),
    ...(early > 0 ? [`${early} were sent an SMS before VK had an answer for them`] : []),
    ...(counts.neverRead === indexes.length
      ? []
      : [`${counts.neverRead} of ${indexes.length} were sent the second step`]),
  ]
}

/** They open the chat with the community. */
const look = (fleet: Fleet, index: number) => fleet.sandbox.open('vk', generatedAddress.vk(index))

const sentBy = (steps: HistoryView['steps'], number: number) => steps?.[number]?.sent ?? 0

function describeSteps({ steps = [], channels }: HistoryView): string {
  const [first, second] = steps
  return `VK ${first?.sent}, of them read ${channels.vk?.read ?? 0}; SMS ${second?.sent}, spared ${second?.spared}, waiting ${second?.waiting}`
}

/** @returns as it settled, or nothing where it did not in time */
async function untilSettled({ fleet, say }: Scene, key: string): Promise<HistoryView | undefined> {
  const begunMs = Date.now()
  for (; Date.now() < begunMs + patienceSeconds * 1000; await sleep(lookEveryMs)) {
    const history = await fleet.api.history(key)
    say(`  ${seconds(Date.now() - begunMs)}: ${describeSteps(history)}`)
    if (history.state === 'settled') return history
  }
  return undefined
}

/** How often the centre took this text, by address. */
async function smsOf(fleet: Fleet, text: string): Promise<Map<string, number>> {
  const taken = new Map<string, number>()
  for await (const row of fleet.sandbox.acceptedRows())
    if (row.channel === 'sms' && row.text.endsWith(text)) taken.set(row.address, (taken.get(row.address) ?? 0) + 1)
  return taken
}

interface Message {
  readonly key: string
  readonly text: string
  readonly mayBeUnknown: number
}

async function judgeMessage({ fleet, order, say }: Scene, message: Message): Promise<Verdict> {
  const { key, text, mayBeUnknown } = message
  const ref = parseHistoryKey(key)
  const [vk, sms] = [keys.receipts(ref, 'vk'), keys.receipts(ref, 'sms')]
  const taken = await smsOf(fleet, text)
  const receipts = await fleet.api.receipts(key)
  await order.catchUp()
  const facts = receipts.map(
    ({ person, channels }, ordinal): Facts => ({
      readAt: order.first(vk, ordinal, 'r'),
      markedAt: order.first(sms, ordinal, 'a'),
      taken: taken.get(generatedAddress.sms(Number(person.slice(1)))) ?? 0,
      receipt: channels.sms,
    }),
  )
  const verdict = judge(facts, mayBeUnknown)
  const { spared, readTooLate, neverRead, unknown } = verdict.counts
  say(
    `by Redis's order: ${spared} had read it before and were spared; ${readTooLate} read it after they were to be sent an SMS, ${neverRead} did not read it; ${unknown} unknown`,
  )
  const { balanced } = await fleet.api.recount(key)
  return balanced ? verdict : { ...verdict, troubles: [...verdict.troubles, 'the ledger does not balance'] }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
