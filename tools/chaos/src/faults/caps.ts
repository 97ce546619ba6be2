/**
 * Messages of a type that rules count, many at once to a few people who may have a few of them, while other things go wrong and while
 * that number is lowered and raised. Judged by what the stand-ins have accepted and by what counts: nobody has more than they may at any
 * moment, and fewer in the end only where a count is contested or nobody knows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../fleet.ts'
import { type Api, connectApi, followAccepted } from '../oracle/api.ts'
import type { Random } from '../random.ts'
import { createClient } from '../traffic/client.ts'
import type { Draw } from './fault.ts'
import { type Bounds, type Cap, type Had, judgeCaps } from './judge-caps.ts'
import { whenUsed } from './set-rules.ts'
import { settleMs, untilSettled } from './until-settled.ts'

/** sent while the number is lowered, when it is lowered everywhere and while it is raised, and when it is raised everywhere */
const parts = [80, 40, 80] as const
const messages = parts.reduce((sum, part) => sum + part, 0)
const people = [0, 1, 2]
/** with dozens of processes on few cores the API is slow to answer; what was not accepted tests nothing */
const patienceMs = 120_000
/** of a person whom VK refuses, without a word that would switch VK off for them */
const refused = { channel: 'vk', kind: 'reject', code: '7', count: 30 } as const

const everywhere = ['telegram', 'vk', 'sms'] as const
type Capping = (typeof everywhere)[number]
/** beyond those of the traffic */
const firstAddress: Readonly<Record<Capping, number>> = { telegram: 90_000_000, vk: 900_000_000, sms: 79_900_000_000 }

/** What the seed decides. */
interface Plan {
  /** tells this round's people, messages and type from others */
  readonly round: number
  /** how many somebody may have: at first, lowered, raised */
  readonly numbers: readonly [first: number, lowered: number, raised: number]
  /** after how much of the sending it is changed, ms */
  readonly changesAfterMs: readonly [lowered: number, raised: number]
  /** of each message */
  readonly channels: readonly (readonly Capping[])[]
}

interface Sent {
  /** by history key, which message it is */
  readonly keys: ReadonlyMap<string, number>
  /** what those that were not accepted were answered, each once */
  readonly refusals: ReadonlySet<string>
  readonly bounds: Bounds
}

const personOf = (round: number, person: number) => `capped-${round}-${person}`
const typeOf = (round: number) => `capped-${round}`
const addressOf = (channel: Capping, round: number, person: number) =>
  `${channel === 'sms' ? '+' : ''}${firstAddress[channel] + round * people.length + person}`
const textOf = (round: number, message: number) => `capped ${round} number ${message}.`

function drawPlan(random: Random): Plan {
  const round = random.between(0, 100_000)
  const first = random.between(4, 6)
  const numbers = [first, random.between(1, first - 1), random.between(first + 1, first + 4)] as const
  const changesAfterMs = [random.between(0, 1500), random.between(0, 1500)] as const
  const drawn = Array.from({ length: messages }, () => everywhere.filter(() => random.chance(0.6)))
  return { round, numbers, changesAfterMs, channels: drawn.map((some) => (some.length > 0 ? some : ['vk'])) }
}

export const caps: Draw = (random, at) => {
  const plan = drawPlan(random)
  const [first, lowered, raised] = plan.numbers
  let sent: Sent | undefined
  return {
    name: 'caps',
    what: `${messages} messages to ${people.length} people who may have ${first}, then ${lowered}, then ${raised}`,
    at,
    async happen({ fleet, leaseMs }) {
      await prepare(fleet, plan)
      sent = await send(fleet, plan, 3 * leaseMs)
    },
    async undo({ fleet, onRuleBroken }) {
      if (sent) for (const what of await judge(fleet, plan, sent)) onRuleBroken(what)
    },
  }
}

const put = (fleet: Fleet, path: string, body: unknown) =>
  createClient(fleet).send({ method: 'PUT', path: `/v1/${path}`, body }, patienceMs)

async function prepare(fleet: Fleet, { round }: Plan): Promise<void> {
  for (const person of people) {
    const id = personOf(round, person)
    await put(fleet, `people/${id}`, { name: id, role: 'student', timeZone: 'Europe/Moscow', language: 'ru' })
    for (const channel of everywhere)
      await put(fleet, `contacts/${channel}/${id}`, { address: addressOf(channel, round, person) })
  }
  // what is refused is given back
  await fleet.sandbox.phones([{ channel: 'telegram', address: addressOf('telegram', round, 0), state: 'blocked' }])
  await fleet.sandbox.fault({ ...refused, addresses: [addressOf('vk', round, 1)] })
}

/** As an operator does: the type is put with another number. */
async function setCap(fleet: Fleet, round: number, n: number): Promise<Cap> {
  const askedMs = Date.now()
  const name = { ru: 'С пределом', en: 'Capped' }
  const { answer } = await put(fleet, `types/${typeOf(round)}`, { name, caps: [{ n, per: 'P1D' }] })
  if (answer && answer.status >= 400) throw new Error(`a type was answered ${JSON.stringify(answer)}`)
  // unanswered it may hold, and may not
  return { n, askedMs, usedMs: answer ? await whenUsed(connectApi(fleet)) : Number.POSITIVE_INFINITY }
}

async function send(fleet: Fleet, plan: Plan, slackMs: number): Promise<Sent> {
  const { round, numbers, changesAfterMs } = plan
  const first = await setCap(fleet, round, numbers[0])
  const change = async (which: 0 | 1) => {
    await sleep(changesAfterMs[which])
    return setCap(fleet, round, numbers[which === 0 ? 1 : 2])
  }
  const [one, lowered] = await Promise.all([sendPart(fleet, plan, 0), change(0)])
  // from then on there is no room for anybody who has as many
  await sleep(slackMs)
  const [two, raised] = await Promise.all([sendPart(fleet, plan, 1), change(1)])
  const lastMs = Date.now()
  const three = await sendPart(fleet, plan, 2)
  const answers = [one, two, three].flatMap(({ accepted }) => [...accepted])
  // an SMS is refused to nobody here
  const reach = [...three.accepted.values()].filter((message) => plan.channels[message]?.includes('sms')).length
  const enoughFromMs = reach >= raised.n ? lastMs : Number.POSITIVE_INFINITY
  return {
    keys: new Map(answers),
    refusals: new Set([one, two, three].flatMap(({ refusals }) => refusals)),
    bounds: { caps: [first, lowered, raised], slackMs, enoughFromMs },
  }
}

/** In one call: dozens that are repeated while the API is away would keep it from coming back. */
async function sendPart(fleet: Fleet, { round, channels }: Plan, part: 0 | 1 | 2) {
  const from = parts.slice(0, part).reduce((sum, size) => sum + size, 0)
  const lines = channels.slice(from, from + parts[part]).map((some, index) => ({
    to: people.map((person) => `user:${personOf(round, person)}`),
    text: textOf(round, from + index),
    type: typeOf(round),
    channels: some,
  }))
  const { answers } = await createClient(fleet).sendBulk(lines, `capped-${round}-${part}`, patienceMs)
  const accepted = new Map<string, number>()
  const refusals: string[] = []
  for (const [index, answer] of answers.entries())
    if (typeof answer?.body.key === 'string') accepted.set(answer.body.key, from + index)
    else refusals.push(answer ? `${answer.status} ${answer.body.code}` : 'nothing')
  return { accepted, refusals }
}

/** @returns what is wrong, in words */
async function judge(fleet: Fleet, { round }: Plan, { keys, refusals, bounds }: Sent): Promise<string[]> {
  if (keys.size === 0)
    return [`caps: none of ${messages} messages was accepted; answered was ${[...refusals].join(', ')}`]
  const late = await untilSettled(connectApi(fleet), [...keys.keys()])
  const open = late > 0 ? { ...bounds, enoughFromMs: Number.POSITIVE_INFINITY } : bounds
  const had = await readHad(fleet, round, keys)
  return [
    ...(late > 0 ? [`caps: ${late} of ${keys.size} messages have not settled in ${settleMs / 1000} s`] : []),
    ...had.flatMap((each) => judgeCaps(each, open)),
  ]
}

async function readHad(fleet: Fleet, round: number, keys: ReadonlyMap<string, number>): Promise<Had[]> {
  const api = connectApi(fleet)
  const got = await acceptedBy(fleet, round)
  const doubts = await readDoubts(api, keys)
  return Promise.all(
    people.map(async (number) => {
      const person = personOf(round, number)
      const entries = (await api.diary(person)).map(({ key, at, contested }) => {
        return { message: keys.get(key) ?? Number.NaN, atMs: Date.parse(at), contested }
      })
      return { person, got: got.get(number) ?? new Set<number>(), entries, unknown: new Set(doubts.get(person)) }
    }),
  )
}

/** By person: which messages the stand-ins have accepted for them, on whatever channel. */
async function acceptedBy({ sandbox }: Fleet, round: number): Promise<Map<number, Set<number>>> {
  const got = new Map<number, Set<number>>()
  await followAccepted(sandbox.url).read(({ channel, address, text }) => {
    const [, of, message] = /capped (\d+) number (\d+)\./.exec(text) ?? []
    if (Number(of) !== round) return
    const person = people.find((each) => addressOf(channel as Capping, round, each) === address)
    if (person === undefined) return
    got.set(person, (got.get(person) ?? new Set()).add(Number(message)))
  })
  return got
}

/** By person: messages of which nobody knows whether they have them. */
async function readDoubts(api: Api, keys: ReadonlyMap<string, number>): Promise<Map<string, number[]>> {
  const doubts = new Map<string, number[]>()
  for (const [key, message] of keys)
    for await (const page of api.receipts(key))
      for (const { person, channels } of page)
        if (Object.values(channels).some(({ state }) => state === 'unknown'))
          doubts.set(person, [...(doubts.get(person) ?? []), message])
  return doubts
}
