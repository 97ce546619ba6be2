/**
 * Messages of a type that rules count, many at once to a few people who may have a few of them, while other things go wrong. Judged by
 * what the stand-ins have accepted: nobody has more than they may, and fewer only where a count is contested or nobody knows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../fleet.ts'
import { connectApi, followAccepted } from '../oracle/api.ts'
import { createClient } from '../traffic/client.ts'
import type { Draw } from './fault.ts'

const cap = 5
const messages = 200
const people = [0, 1, 2]
/** who waits for what is on its way looks again after half a minute */
const settleMs = 150_000
const lookMs = 500
/** with dozens of processes on few cores the API is slow to answer; what was not accepted tests nothing */
const patienceMs = 120_000
/** every process looks at the settings every two seconds */
const knownMs = 3_000

const everywhere = ['telegram', 'vk', 'sms'] as const
type Capping = (typeof everywhere)[number]
/** beyond those of the traffic */
const firstAddress: Readonly<Record<Capping, number>> = { telegram: 90_000_000, vk: 900_000_000, sms: 79_900_000_000 }

interface Capped {
  /** tells this round's people and messages from others */
  readonly round: number
  /** by history key, which message it is */
  readonly keys: ReadonlyMap<string, number>
  /** what those that were not accepted were answered, each once */
  readonly refusals: ReadonlySet<string>
}

const personOf = (round: number, person: number) => `capped-${round}-${person}`
const addressOf = (channel: Capping, round: number, person: number) =>
  `${channel === 'sms' ? '+' : ''}${firstAddress[channel] + round * people.length + person}`
const textOf = (round: number, message: number) => `capped ${round} number ${message}.`

export const caps: Draw = (random, at) => {
  const round = random.between(0, 100_000)
  const channels = Array.from({ length: messages }, () => everywhere.filter(() => random.chance(0.6)))
  let sent: Capped | undefined
  return {
    name: 'caps',
    what: `${messages} messages to ${people.length} people who may have ${cap}`,
    at,
    async happen({ fleet }) {
      await prepare(fleet, round)
      sent = await send(fleet, round, channels)
    },
    async undo({ fleet, onViolation }) {
      if (sent) for (const what of await judge(fleet, sent)) onViolation(what)
    },
  }
}

const put = (fleet: Fleet, path: string, body: unknown) =>
  createClient(fleet).send({ method: 'PUT', path: `/v1/${path}`, body }, patienceMs)

/** Before anything goes wrong: from then on every process knows the rule. */
export async function makeCappedType(fleet: Fleet): Promise<void> {
  const name = { ru: 'С пределом', en: 'Capped' }
  await put(fleet, 'types/capped', { name, caps: [{ n: cap, per: 'P1D' }] })
  await sleep(knownMs)
}

async function prepare(fleet: Fleet, round: number): Promise<void> {
  for (const person of people) {
    const id = personOf(round, person)
    await put(fleet, `people/${id}`, { name: id, role: 'student', timeZone: 'Europe/Moscow', language: 'ru' })
    for (const channel of everywhere)
      await put(fleet, `contacts/${channel}/${id}`, { address: addressOf(channel, round, person) })
  }
  // what is refused is given back
  await fleet.sandbox.phones([{ channel: 'telegram', address: addressOf('telegram', round, 0), state: 'blocked' }])
}

/** In one call: two hundred that are repeated while the API is away would keep it from coming back. */
async function send(fleet: Fleet, round: number, channels: readonly (readonly Capping[])[]): Promise<Capped> {
  const lines = channels.map((some, message) => ({
    to: people.map((person) => `user:${personOf(round, person)}`),
    text: textOf(round, message),
    type: 'capped',
    channels: some.length > 0 ? some : ['vk'],
  }))
  const { answers } = await createClient(fleet).sendBulk(lines, `capped-${round}`, patienceMs)
  const keys = new Map<string, number>()
  const refusals = new Set<string>()
  for (const [message, answer] of answers.entries())
    if (typeof answer?.body.key === 'string') keys.set(answer.body.key, message)
    else refusals.add(answer ? `${answer.status} ${answer.body.code}` : 'nothing')
  return { round, keys, refusals }
}

/** @returns what is wrong, in words */
async function judge(fleet: Fleet, { round, keys, refusals }: Capped): Promise<string[]> {
  const wrong: string[] = []
  if (keys.size === 0)
    return [`caps: none of ${messages} messages was accepted; answered was ${[...refusals].join(', ')}`]
  const late = await untilSettled(fleet, [...keys.keys()])
  if (late > 0) wrong.push(`caps: ${late} of ${keys.size} messages have not settled in ${settleMs / 1000} s`)
  const got = await acceptedBy(fleet, round)
  const doubts = await readDoubts(fleet, keys)
  for (const person of people) {
    const id = personOf(round, person)
    const had = got.get(person) ?? new Set()
    if (had.size > cap) wrong.push(`caps: ${id} got ${had.size} messages, and may have ${cap}`)
    const entries = await diaryOf(fleet, id)
    const counted = new Map(entries.map(({ key, contested }) => [keys.get(key), contested]))
    for (const message of had)
      if (!counted.has(message)) wrong.push(`caps: ${id} got message ${message}, which does not count`)
    const contested = [...counted].filter(([message, is]) => is && !had.has(message ?? -1)).length
    const unknown = (doubts.get(id) ?? []).filter((message) => !had.has(message)).length
    if (late === 0 && keys.size > cap && had.size + contested + unknown < cap)
      wrong.push(`caps: ${id} got ${had.size} of ${cap}; ${contested} are contested, ${unknown} unknown`)
  }
  return wrong
}

async function untilSettled(fleet: Fleet, keys: readonly string[]): Promise<number> {
  const api = connectApi(fleet)
  const giveUpAt = Date.now() + settleMs
  for (let open = keys; ; await sleep(lookMs)) {
    const views = await Promise.all(open.map((key) => api.history(key)))
    open = open.filter((_key, index) => views[index]?.state !== 'settled')
    if (open.length === 0 || Date.now() > giveUpAt) return open.length
  }
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

interface Counted {
  readonly key: string
  readonly contested: boolean
}

async function diaryOf({ apiUrl, apiKey }: Fleet, person: string): Promise<readonly Counted[]> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${apiUrl}/v1/people/${person}/diary`, { headers })
  if (!response.ok) throw new Error(`the diary was answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { entries: Counted[] }).entries
}

/** By person: messages of which nobody knows whether they have them. */
async function readDoubts(fleet: Fleet, keys: ReadonlyMap<string, number>): Promise<Map<string, number[]>> {
  const api = connectApi(fleet)
  const doubts = new Map<string, number[]>()
  for (const [key, message] of keys)
    for await (const page of api.receipts(key))
      for (const { person, channels } of page)
        if (Object.values(channels).some(({ state }) => state === 'unknown'))
          doubts.set(person, [...(doubts.get(person) ?? []), message])
  return doubts
}
