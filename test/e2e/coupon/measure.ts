/**
 * Reminders of coupons, as a shop has them: very many people subscribe to what interests them, some take that back, some of them ask for it anew,
 * and all of it is due within a minute. What is near goes out as one. Meanwhile others have something that cannot wait.
 */
import { createClient } from '@courier-fleet/client'
import { sleep } from '@courier-fleet/process'
import { generatedAddress, generatePeople } from '@courier-fleet/testkit'
import { startFleet } from '../fleet.ts'
import { askForAll } from './asking.ts'
import { judge, type Taken, type Verdict } from './judge.ts'
import { checkLedgers, countSent } from './ledgers.ts'
import { type CouponOptions, type CouponPlan, planCoupons } from './plan.ts'
import { startUrgent } from './urgent.ts'

const lookEveryMs = 1000
/** after the last is due */
const patienceMs = 120_000
const urgentSenders = ['dean', 'library', 'doctor']

export interface CouponReport {
  /** what does not hold, in words; nothing where all does */
  readonly troubles: readonly string[]
  readonly verdict: Verdict
}

type Say = (text: string) => void

/** Starts a fleet of its own; what it says is progress, and then the result. */
export async function measureCoupons(options: CouponOptions, say: Say): Promise<CouponReport> {
  const plan = planCoupons(options)
  const fleet = await startFleet({ couriers: { telegram: 0, vk: 1, sms: 1 }, withPriorities: true })
  try {
    const { apiUrl, apiKey, api, sandbox } = fleet
    const csv: Buffer[] = []
    for await (const chunk of generatePeople(options.people, { channels: ['vk', 'sms'] })) csv.push(chunk)
    const { status } = await api.call('POST', '/v1/imports', Buffer.concat(csv).toString())
    if (status !== 200) throw new Error(`the import was answered ${status}`)
    say(`${options.people} people; ${plan.asked.length} reminders, all due within ${options.seconds} s`)

    const operator = createClient({ apiUrl, apiKey })
    const clientOf = async (owner: string) => {
      const key = await operator.createApiKey({ owner, role: 'admin', label: 'measure' })
      return createClient({ apiUrl, apiKey: key.apiKey })
    }
    const shop = await clientOf('shop')
    const others = await Promise.all(urgentSenders.map(clientOf))
    const { beginsAt, keys } = await askForAll(shop, plan, say)
    await sleep(beginsAt - Date.now())
    const urgent = startUrgent(others, options.people)
    const isInTime = await untilSent(
      { plan, beginsAt, seconds: options.seconds, sent: async () => (await countSent(operator)).sent },
      say,
    )
    const urgentKeys = await urgent.stop()
    for (const key of urgentKeys) await operator.track(key, 60)

    const rows = { vk: [] as Taken[], sms: [] as Taken[] }
    for await (const row of sandbox.acceptedRows())
      if (row.channel === 'vk' || row.channel === 'sms') rows[row.channel].push(row)
    const { remaining, windowMs, messages } = plan
    const verdict = judge(rows.vk, { remaining, windowMs, messages, beginsAt, addressOf: generatedAddress.vk })
    const urgents = urgent.judge(rows.sms)
    describe(plan, verdict, urgents.lateMs, say)
    const wrong = await checkLedgers(operator, { plan, keys, urgent: urgentKeys, joined: verdict.joined })
    const late = isInTime ? [] : [`not all had gone out ${patienceMs / 1000} s after the last was due`]
    const lost = urgents.lateMs.filter((ms) => ms === Number.POSITIVE_INFINITY).length
    if (lost + urgents.twice > 0) wrong.push(`of the urgent ones ${lost} did not come, and ${urgents.twice} came twice`)
    const troubles = [...late, ...verdict.troubles, ...wrong]
    for (const trouble of troubles) say(`WRONG: ${trouble}`)
    if (troubles.length === 0)
      say('each came once, to whom it was for; nothing that was cancelled; what is near as one; every ledger balances')
    return { troubles, verdict }
  } finally {
    await fleet.stop()
  }
}

interface Progress {
  readonly plan: CouponPlan
  readonly beginsAt: number
  readonly seconds: number
  sent(): Promise<number>
}

/** @returns whether all went out in time */
async function untilSent({ plan, beginsAt, seconds, sent }: Progress, say: Say): Promise<boolean> {
  const { remaining } = plan
  const giveUpAt = beginsAt + seconds * 1000 + patienceMs
  for (let due = 0; ; await sleep(lookEveryMs)) {
    const count = await sent()
    const afterMs = Date.now() - beginsAt
    while (due < remaining.length && (remaining[due]?.afterMs as number) < afterMs) due += 1
    say(`${(afterMs / 1000).toFixed(0).padStart(4)} s: ${due} are due, ${count} of ${remaining.length} have gone out`)
    if (count >= remaining.length) return true
    if (Date.now() > giveUpAt) return false
  }
}

function describe(plan: CouponPlan, { textsIn, lateMs, joined }: Verdict, urgentMs: readonly number[], say: Say): void {
  const early = lateMs.filter((ms) => ms < 0)
  const along = joined.reduce((sum, numbers) => sum + numbers.length - 1, 0)
  say(`reminders, after they were due: ${spreadOf(lateMs.map((ms) => Math.max(0, ms)))}`)
  say(`urgent messages, from the call to the SMS centre: ${spreadOf(urgentMs)}, ${urgentMs.length} of them`)
  say(`messages at the stand-in: ${textsIn.length} for ${lateMs.length} reminders (${plan.messages} planned)`)
  say(
    `${along} went along with one that was due before, ${early.length} of them before their time, by ${secondsOf(-Math.min(0, ...smallest(early)))} at most`,
  )
}

/** Not spread into arguments: there are too many. */
const smallest = (values: readonly number[]) => values.toSorted((one, other) => one - other).slice(0, 1)
const secondsOf = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function spreadOf(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`
}
