/**
 * SMS of two senders under a budget of their day and of the fleet's month, while other things go wrong. Judged by what the SMS centre has taken: never more
 * than either allows; and once everything has settled, and more was asked for than is left, all of it, but for what nobody knows.
 */
import type { Fleet } from '../fleet.ts'
import { connectApi, followAccepted } from '../oracle/api.ts'
import { atOnce } from '../oracle/at-once.ts'
import type { State } from '../oracle/states.ts'
import type { Random } from '../random.ts'
import { createClient } from '../traffic/client.ts'
import type { Draw } from './fault.ts'
import { type BudgetLimits, judgeBudgets, type Spent } from './judge-budgets.ts'
import { setRules, whenUsed } from './set-rules.ts'
import { settleMs, untilSettled } from './until-settled.ts'

const type = 'budgeted'
/** of the other messages */
const generalType = 'general'
const senders = ['budget-a', 'budget-b'] as const
type Sender = (typeof senders)[number]
const noBudgets = { month: null, day: {}, exempt: [] }
/** what may have been paid for, by its receipt */
const mayBePaid: readonly State[] = ['sent', 'delivered', 'read', 'confirmed', 'unknown', 'failed']
/** of a sender's message */
const people = 8
const messages = 5
/** more than is ever left of a budget */
const lastPeople = 60
const maxLastTries = 3
const maxPuts = 8
/** beyond those of the other traffic */
const firstAddress = 79_920_000_000
const patienceMs = 120_000
/** where the days and months of the fleet begin */
const zone = 'Europe/Moscow'

interface Plan {
  readonly round: number
  /** what each round adds to what was spent before it */
  readonly more: BudgetLimits
}

/** What a fleet has spent in the rounds before, and who may. */
interface Account {
  readonly keys: ReadonlyMap<Sender, string>
  /** those of the newest round */
  limits: BudgetLimits
  /** the day on which it began */
  readonly since: string
  /** history keys, and whose they are */
  readonly sent: Map<string, Sender>
}

const accounts = new WeakMap<Fleet, Account>()

const today = () => new Date().toLocaleDateString('sv', { timeZone: zone })
const personOf = (place: number) => `budgeted-${String(place).padStart(2, '0')}`

/** The month allows more than one sender in a day, and less than both. */
function drawPlan(random: Random): Plan {
  const day = random.between(12, 24)
  return { round: random.between(0, 100_000), more: { day, month: day + random.between(1, day - 1) } }
}

export const budgets: Draw = (random, at) => {
  const plan = drawPlan(random)
  let isUsed = false
  return {
    name: 'budgets',
    what: `SMS of two senders, ${plan.more.day} more for each and ${plan.more.month} for both`,
    at,
    async happen({ fleet }) {
      const account = accounts.get(fleet) ?? (await open(fleet))
      accounts.set(fleet, account)
      isUsed = await raise(fleet, account, plan)
      if (!isUsed) return
      const wanted = { round: plan.round, people, count: messages, name: 'first' }
      await Promise.all(senders.map((sender) => send(fleet, account, { ...wanted, sender })))
    },
    async undo({ fleet, onRuleBroken }) {
      const account = accounts.get(fleet)
      if (account && isUsed) for (const what of await judge(fleet, account, plan)) onRuleBroken(what)
      await setRules(fleet.redis.admin, () => ({ budgets: noBudgets }))
    },
  }
}

async function open(fleet: Fleet): Promise<Account> {
  const client = createClient(fleet)
  const put = (path: string, body: unknown) => client.send({ method: 'PUT', path: `/v1/${path}`, body }, patienceMs)
  await put(`types/${type}`, { name: { ru: 'На бюджет', en: 'Budgeted' } })
  await atOnce(maxPuts, [...Array(lastPeople).keys()], async (place) => {
    const id = personOf(place)
    await put(`people/${id}`, { name: id, role: 'student', timeZone: zone, language: 'ru' })
    await put(`contacts/sms/${id}`, { address: `+${firstAddress + place}` })
  })
  const keys = await Promise.all(
    senders.map(async (owner): Promise<[Sender, string]> => {
      const body = { owner, role: 'admin', label: 'fault suite' }
      const { answer } = await client.send({ method: 'POST', path: '/v1/api-keys', body }, patienceMs)
      return [owner, String(answer?.body.apiKey)]
    }),
  )
  return { keys: new Map(keys), limits: { day: 0, month: 0 }, since: today(), sent: new Map() }
}

/** The other traffic has types that no budget holds for. @returns whether every process goes by it */
async function raise(fleet: Fleet, account: Account, { more }: Plan): Promise<boolean> {
  const { day, month } = account.limits
  account.limits = { day: day + more.day, month: month + more.month }
  const limits = { month: { parts: account.limits.month }, day: { admin: { parts: account.limits.day } } }
  await setRules(fleet.redis.admin, ({ types = [] }) => {
    const others = types.map(({ id }) => id).filter((id) => id !== type)
    return { budgets: { ...limits, exempt: [generalType, ...others] } }
  })
  return Number.isFinite(await whenUsed(connectApi(fleet)))
}

interface Wanted {
  readonly round: number
  readonly sender: Sender
  readonly people: number
  readonly count: number
  /** tells these messages from others of the round */
  readonly name: string
}

/** @returns what those that were not accepted were answered */
async function send(fleet: Fleet, { keys, sent }: Account, wanted: Wanted): Promise<string[]> {
  const { round, sender, people: size, count, name } = wanted
  const to = Array.from({ length: size }, (_unused, place) => `user:${personOf(place)}`)
  const lines = Array.from({ length: count }, (_unused, message) => {
    return { to, type, channels: ['sms'], text: `budgeted by ${sender}: ${round}, ${name} ${message}.` }
  })
  const client = createClient({ ...fleet, apiKey: keys.get(sender) as string })
  const { answers } = await client.sendBulk(lines, `budgeted-${round}-${sender}-${name}`, patienceMs)
  for (const answer of answers) if (typeof answer?.body.key === 'string') sent.set(answer.body.key, sender)
  const refused = answers.filter((answer) => typeof answer?.body.key !== 'string')
  return refused.map((answer) => (answer ? `${answer.status} ${answer.body.code}` : 'nothing'))
}

/** More is asked for than is left, once nothing else goes wrong; again where somebody gave back meanwhile. @returns what is wrong, in words */
async function judge(fleet: Fleet, account: Account, { round }: Plan): Promise<string[]> {
  for (let tried = 1; ; tried += 1) {
    const last = { round, people: lastPeople, count: 1, name: `last-${tried}` }
    const refusals = await Promise.all(senders.map((sender) => send(fleet, account, { ...last, sender })))
    if (refusals.flat().length > 0) return [`budgets: was in order and answered ${refusals.flat().join(', ')}`]
    const late = await untilSettled(connectApi(fleet), [...account.sent.keys()])
    if (late > 0) return [`budgets: ${late} messages have not settled in ${settleMs / 1000} s`]
    // another day, and perhaps another month, has other budgets
    if (today() !== account.since) return []
    const wrong = judgeBudgets(await readSpent(fleet, account), account.limits)
    if (wrong.length === 0 || tried === maxLastTries) return wrong
  }
}

async function readSpent(fleet: Fleet, { sent }: Account): Promise<Spent[]> {
  const api = connectApi(fleet)
  const taken = new Map<Sender, number>()
  await followAccepted(fleet.sandbox.url).read(({ channel, text }) => {
    const [, name] = /^budgeted by ([a-z-]+):/.exec(text) ?? []
    const sender = senders.find((each) => each === name)
    if (channel === 'sms' && sender) taken.set(sender, (taken.get(sender) ?? 0) + 1)
  })
  const told = new Map<Sender, number>()
  for (const [key, sender] of sent)
    for await (const page of api.receipts(key)) {
      const paid = page.filter(({ channels: { sms } }) => sms && mayBePaid.includes(sms.state)).length
      told.set(sender, (told.get(sender) ?? 0) + paid)
    }
  return senders.map((sender) => {
    const [isTaken, isTold] = [taken.get(sender) ?? 0, told.get(sender) ?? 0]
    return { sender, taken: isTaken, doubtful: Math.max(0, isTold - isTaken) }
  })
}
