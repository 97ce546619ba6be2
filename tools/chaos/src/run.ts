/**
 * A run: rounds of traffic and faults, each followed by time to mend. The oracle watches from outside and judges at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLineOf } from './command-line.ts'
import { createExpectations } from './expectations.ts'
import { freezeReader } from './faults/freeze-reader.ts'
import type { FaultDeps, FaultName, Planned } from './faults/index.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type ChaosOptions, faultsOn, withAllChannels } from './options.ts'
import { atOnce } from './oracle/at-once.ts'
import { createOracle, type Oracle } from './oracle/index.ts'
import { planRounds } from './plan.ts'
import { seededRandom } from './random.ts'
import type { RedisKind } from './redis/index.ts'
import { type Verdict, violationText } from './report.ts'
import { createShapedMessages } from './shaped-messages.ts'
import { createClient } from './traffic/client.ts'
import { createPeople, createTraffic, type Traffic } from './traffic/index.ts'
import type { Called, WithNextPhone } from './traffic/population.ts'
import { createShapedTraffic, type ShapedTraffic } from './traffic/shaped.ts'
import { createShapedPeople, urlsOf } from './traffic/shaped-people.ts'

export interface ChaosReport extends Verdict {
  readonly seed: string
  readonly redis: RedisKind
  readonly rounds: number
  readonly kills: number
  /** how often each fault happened */
  readonly faults: Readonly<Partial<Record<FaultName, number>>>
  /** by number, how many were killed just there; others did not come by in time and were killed wherever they were */
  readonly killedAt: Readonly<Record<number, number>>
  /** SMS that may be under way in one process, and so unknown after one kill */
  readonly smsWindow: number
  /** a window for every time that a fault may have left the SMS of one process in doubt */
  readonly maxUnknownSms: number
  /** from the end of a round's last fault until everything due had settled */
  readonly maxRecoveryMs: number
  /** errors of Lua scripts in the logs of the processes */
  readonly scriptErrors: readonly string[]
  /** what was found of rules that count, and of budgets: more than there may be, or less and nobody knows why */
  readonly rules: readonly string[]
  /** of shards that did not grow */
  readonly growth: readonly string[]
  /** processes that did not stop by themselves, or with an error, when told to; and those that ended by themselves */
  readonly badEnds: readonly string[]
  readonly seconds: number
}

export interface ChaosDeps {
  /** an empty folder for the data and logs of the fleet */
  readonly dir: string
  readonly redisServer: string
  readonly onProgress: (text: string) => void
}

/** short, so that a run of many kills takes minutes: what is said holds for any lease */
const leaseMs = 3000
const smsWindow = 10
/** everything must have settled this long after the last fault: providers that never answer are given up after 20 s, the rest is a busy machine's */
const settleMs = 180_000
/** the fleet answers for good this long after its start: replicas that are late are waited for */
const startMs = 60_000

/** As many for each channel; VK, where most people are, has those that are left over. */
function spread(couriers: number) {
  const each = Math.floor(couriers / 4)
  return { telegram: each, vk: couriers - 3 * each, sms: each, http: each }
}

/** What has happened so far. */
interface Tally {
  rounds: number
  smsDoubts: number
  maxRecoveryMs: number
  readonly faults: Partial<Record<FaultName, number>>
}

export async function runChaos(options: ChaosOptions, deps: ChaosDeps): Promise<ChaosReport> {
  const { onProgress } = deps
  const startedAt = Date.now()
  onProgress('starting the fleet')
  const fleet = await startFleet({ ...deps, ...options, couriers: spread(options.couriers), leaseMs, smsWindow })
  try {
    const { apiUrl, apiKey, sandbox, killInbound } = fleet
    const people = createPeople({ everyone: options.people, first: withAllChannels, callsUrl: fleet.callsUrl })
    const expectations = createExpectations(people, options.skewMs)
    const shaped = createShapedMessages(createShapedPeople(fleet.callsUrl))
    const traffic = createTraffic({ apiUrl, apiKey, people, expectations })
    const shapedTraffic = createShapedTraffic({
      apiUrl,
      apiKey,
      shaped,
      sandbox,
      killInbound,
      freezeReader: (reading, meanwhile) => freezeReader(fleet, reading, meanwhile),
    })
    const oracle = createOracle({
      apiUrl,
      apiKey,
      sandboxUrl: sandbox.url,
      expectations,
      shaped,
      failFast: options.failFast,
      until: options.until,
      askCommandLine: commandLineOf(fleet),
    })
    await sandbox.phones(traffic.phones)
    await importRoster(fleet, traffic)
    await importRoster(fleet, shapedTraffic)
    await shapedTraffic.prepare()
    await linkUrls(fleet, [...people.called, ...urlsOf(shaped.people)])
    await linkNextPhones(fleet, people.nextPhones)
    onProgress('started')

    const badEnds: string[] = []
    const found = { rules: [] as string[], growth: [] as string[] }
    const killedAt: Record<number, number> = {}
    const faultDeps: FaultDeps = {
      fleet,
      leaseMs,
      onBadStop: (what) => badEnds.push(what),
      onRuleBroken: (what) => found.rules.push(what),
      onNotGrown: (what) => found.growth.push(what),
      onKilledAt: (point) => (killedAt[point] = (killedAt[point] ?? 0) + 1),
    }
    const { rounds, faults, smsDoubts, maxRecoveryMs } = await runRounds(options, {
      ...deps,
      traffic,
      shapedTraffic,
      oracle,
      faultDeps,
    })
    await shapedTraffic.finish()
    onProgress('looking at everything once more')
    const verdict = await oracle.verdict()
    badEnds.push(...(await fleet.stop()), ...fleet.watched.ownEnds)
    return {
      seed: options.seed,
      redis: options.redis,
      rounds,
      kills: faults.kill ?? 0,
      faults: Object.fromEntries(faultsOn(options.redis).map((name) => [name, faults[name] ?? 0])),
      ...verdict,
      killedAt,
      smsWindow,
      maxUnknownSms: smsDoubts * smsWindow,
      maxRecoveryMs,
      scriptErrors: fleet.watched.scriptErrors,
      ...found,
      badEnds,
      seconds: Math.round((Date.now() - startedAt) / 1000),
    }
  } finally {
    await fleet.stop()
  }
}

interface RoundsDeps {
  readonly traffic: Traffic
  readonly shapedTraffic: ShapedTraffic
  readonly oracle: Oracle
  readonly faultDeps: FaultDeps
  readonly onProgress: (text: string) => void
}

async function runRounds(options: ChaosOptions, deps: RoundsDeps): Promise<Tally> {
  const { traffic, shapedTraffic, oracle, faultDeps, onProgress } = deps
  const random = seededRandom(options.seed)
  const plan = planRounds(options, random.fork('plan'))
  const endAt = options.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.minutes * 60_000
  const tally: Tally = { rounds: 0, smsDoubts: 0, maxRecoveryMs: 0, faults: {} }
  let told = 0
  for (const [index, planned] of plan.entries()) {
    if (Date.now() > endAt || (await oracle.isEnough())) break
    const isLast = plan.length > 1 && index === plan.length - 1
    const talking = Promise.all([
      traffic.round(index, random.fork(`traffic ${index}`)),
      shapedTraffic.round(index, random.fork(`shaped ${index}`), isLast),
    ])
    const healedAt = await strike(planned, faultDeps)
    await talking
    for (const { name, smsDoubts } of planned) {
      tally.faults[name] = (tally.faults[name] ?? 0) + 1
      tally.smsDoubts += smsDoubts?.(faultDeps.fleet.targets) ?? 0
    }
    const recoveryMs = (await oracle.untilSettled(healedAt, settleMs)) ?? settleMs
    for (const { undo } of planned) await undo?.(faultDeps)
    tally.maxRecoveryMs = Math.max(tally.maxRecoveryMs, recoveryMs)
    tally.rounds += 1
    onProgress(roundText({ tally, of: plan.length, recoveryMs, oracle, planned }))
    const { violations } = oracle.soFar()
    for (const violation of violations.slice(told, told + maxToldOfARound)) onProgress(violationText(violation))
    told = violations.length
  }
  return tally
}

/** of a round, as soon as it is over: the run may take long, or be broken off */
const maxToldOfARound = 5

/** @returns when the last fault was over, Unix ms */
async function strike(planned: readonly Planned[], faultDeps: FaultDeps): Promise<number> {
  await Promise.all(
    planned.map(async ({ at, happen }) => {
      await sleep(at)
      await happen(faultDeps)
    }),
  )
  await faultDeps.fleet.sandbox.clearFaults()
  return Date.now()
}

/** An import may be repeated: it is while the answer is "try again soon", a minute at most. */
export async function importRoster(
  { apiUrl, apiKey }: Pick<Fleet, 'apiUrl' | 'apiKey'>,
  { roster }: Pick<Traffic, 'roster'>,
): Promise<Record<string, unknown>> {
  const giveUpAt = Date.now() + startMs
  for (;;) {
    const response = await fetch(`${apiUrl}/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/csv' },
      body: roster,
    })
    if (response.ok) return (await response.json()) as Record<string, unknown>
    const text = await response.text()
    const again = response.headers.get('retry-after')
    if (response.status !== 503 || again === null || Date.now() > giveUpAt)
      throw new Error(`the roster was answered ${response.status}: ${text}`)
    await sleep(Number(again) * 1000)
  }
}

const linkedAtOnce = 8

/** Each receiver is told the secret that its calls are signed with, and takes no others from then on. */
export async function linkUrls(
  { apiUrl, apiKey, sandbox }: Pick<Fleet, 'apiUrl' | 'apiKey' | 'sandbox'>,
  called: readonly Called[],
): Promise<void> {
  const client = createClient({ apiUrl, apiKey })
  await atOnce(linkedAtOnce, called, async ({ id, url }) => {
    const path = `/v1/contacts/http/${id}`
    const linked = await client.send({ method: 'PUT', path, body: { address: url } }, startMs)
    // the answer with the secret was lost: a secret is told once
    const isTold = linked.answer?.status !== 204
    const { answer } = isTold ? linked : await client.send({ method: 'POST', path: `${path}:rotate` }, startMs)
    const secret = answer?.body.secret
    if (typeof secret !== 'string') throw new Error(`${path} was answered ${JSON.stringify(answer)}`)
    await sandbox.say('http', url, secret)
  })
}

/** Each stands behind the phone that the roster has brought. */
export async function linkNextPhones(
  { apiUrl, apiKey }: Pick<Fleet, 'apiUrl' | 'apiKey'>,
  phones: readonly WithNextPhone[],
): Promise<void> {
  const client = createClient({ apiUrl, apiKey })
  await atOnce(linkedAtOnce, phones, async ({ id, address }) => {
    const path = `/v1/contacts/sms/${id}`
    const { answer } = await client.send({ method: 'POST', path, body: { address } }, startMs)
    if (answer?.status !== 204) throw new Error(`${path} was answered ${JSON.stringify(answer)}`)
  })
}

function roundText(facts: {
  tally: Tally
  of: number
  recoveryMs: number
  oracle: Oracle
  planned: readonly Planned[]
}): string {
  const { messages, violations, unknown } = facts.oracle.soFar()
  const others = facts.planned.filter(({ name }) => name !== 'kill').map(({ what }) => what)
  return [
    `round ${facts.tally.rounds}/${facts.of}`,
    `kills ${facts.tally.faults.kill ?? 0}`,
    `messages ${messages}`,
    `violations ${violations.length}`,
    `unknown ${unknown}`,
    `recovered in ${(facts.recoveryMs / 1000).toFixed(1)} s`,
    ...(others.length > 0 ? [others.join(', ')] : []),
  ].join(' · ')
}

/** @returns whether the run found nothing that must not be */
export function isClean(report: ChaosReport): boolean {
  const wrong = [report.lost, report.toldFalsely, report.ledgerImbalances, report.calls.changed]
  const complaints = [...report.scriptErrors, ...report.rules, ...report.growth, ...report.badEnds]
  return (
    [...wrong, ...Object.values(report.duplicated)].every((count) => count === 0) &&
    complaints.length === 0 &&
    isUnknownBounded(report)
  )
}

/** @returns whether no more SMS are unknown than the faults account for */
export const isUnknownBounded = ({ unknown, maxUnknownSms }: ChaosReport) => unknown.sms <= maxUnknownSms
