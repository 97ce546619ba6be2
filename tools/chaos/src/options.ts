/** `npm run chaos -- …` */
import { parseArgs } from 'node:util'
import { type Channel, channels } from './expectations.ts'
import { clusterFaultNames, type FaultName, faultNames, replicationFaultNames } from './faults/index.ts'
import { type Point, points } from './points.ts'
import { type RedisKind, redisKinds } from './redis/index.ts'

export interface ChaosOptions {
  readonly kills: number
  readonly seed: string
  readonly faults: readonly FaultName[]
  /** courier processes, of all channels together */
  readonly couriers: number
  readonly people: number
  /** where all processes that are killed are; undefined: anywhere */
  readonly point: Point | undefined
  /** what the couriers send that are killed at the point, in turn; undefined: anything */
  readonly channels: readonly Channel[] | undefined
  /** ends with what was found by then; undefined: when the kills are done */
  readonly minutes: number | undefined
  readonly redis: RedisKind
  /** how much later a replica hears what its master has done */
  readonly lagMs: number
  /** how far apart the clocks of the nodes are */
  readonly skewMs: number
  /** REDIS_DURABILITY of every process; undefined: as they decide themselves */
  readonly durability: string | undefined
  readonly json: boolean
  /** ends at the first violation, or call that is another than the one it repeats */
  readonly failFast: boolean
  /** ends once each of them has been found: `<kind> <channel> <what>` of a violation, `-` where it has no channel */
  readonly until: readonly RegExp[]
}

/** the first of the people; the others have VK */
export const withAllChannels = 3000

const durabilities = ['master', 'replica', 'all']

export const usage = `usage: npm run chaos -- [--kills 60] [--seed 1] [--faults a,b,…] [--couriers N] [--people N] [--point N [--channel C]] [--minutes M] [--redis one|cluster|sentinel] [--lag MS] [--skew MS] [--durability D] [--fail-fast] [--until PATTERN]… [--json]
  --kills N       SIGKILLs of processes, over as many rounds as that takes
  --seed S        the same seed plans the same faults and the same traffic
  --faults a,b    what else goes wrong, instead of everything: ${faultNames.filter((name) => name !== 'kill').join(', ')};
                  none: nothing but the kills
  --couriers N    courier processes, spread over the channels: 9 unless said otherwise, at least 4
  --people N      who there is to send to: 50000 unless said otherwise, at least 3000
  --point N       kill couriers only, and only at this point of their way, 1 to ${points.length} (docs/faults.md)
  --channel C     of them those only that send by ${channels.join(', ')}; of several, as in vk,sms, one after the other
  --minutes M     end after so many minutes, whatever was done by then
  --redis R       ${redisKinds.join(', ')}: what the fleet lives on, one Redis unless said otherwise; with replicas there are more faults:
                  ${replicationFaultNames.join(', ')}; on a cluster ${clusterFaultNames.join(', ')}, too
  --lag MS        a replica hears so much later what its master has done
  --skew MS       the clocks of the nodes of Redis are so far apart
  --durability D  ${durabilities.join(', ')}: what REDIS_DURABILITY is for every process
  --fail-fast     end at the first violation, or at the first call that is another than the one it repeats
  --until PATTERN end once this has been found, a regular expression for "<kind> <channel> <what>" of a violation; said several times: once all have
  --json          print the report as JSON on standard output, and nothing else there`

export class UsageError extends Error {}

/** @throws UsageError in one line */
export function parseOptions(argv: readonly string[]): ChaosOptions {
  const { values } = parse(argv)
  const redis = oneOf('redis', values.redis, redisKinds) ?? 'one'
  const lagMs = count('lag', values.lag, 0)
  const skewMs = count('skew', values.skew, 0)
  if (skewMs > 0 && redis === 'one')
    throw new UsageError('--skew: one Redis has one clock; choose --redis cluster or sentinel')
  if (lagMs > 0 && redis === 'one')
    throw new UsageError('--lag: one Redis has no replica; choose --redis cluster or sentinel')
  if (values.channel !== undefined && values.point === undefined)
    throw new UsageError('--channel: say with --point where its couriers are killed')
  return {
    kills: count('kills', values.kills, 60),
    seed: values.seed ?? '1',
    faults: faultsOf(values.faults, redis),
    couriers: couriersOf(values.couriers),
    people: peopleOf(values.people),
    point: pointOf(values.point),
    channels: channelsOf(values.channel),
    minutes: values.minutes === undefined ? undefined : positive('minutes', values.minutes),
    redis,
    lagMs,
    skewMs,
    durability: oneOf('durability', values.durability, durabilities),
    json: values.json ?? false,
    failFast: values['fail-fast'] ?? false,
    until: (values.until ?? []).map(patternOf),
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        kills: { type: 'string' },
        seed: { type: 'string' },
        faults: { type: 'string' },
        couriers: { type: 'string' },
        people: { type: 'string' },
        point: { type: 'string' },
        channel: { type: 'string' },
        minutes: { type: 'string' },
        redis: { type: 'string' },
        lag: { type: 'string' },
        skew: { type: 'string' },
        durability: { type: 'string' },
        json: { type: 'boolean' },
        'fail-fast': { type: 'boolean' },
        until: { type: 'string', multiple: true },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** What can go wrong on it. */
export const faultsOn = (redis: RedisKind): readonly FaultName[] => [
  ...faultNames,
  ...(redis === 'one' ? [] : replicationFaultNames),
  ...(redis === 'cluster' ? clusterFaultNames : []),
]

function faultsOf(text: string | undefined, redis: RedisKind): readonly FaultName[] {
  const names = faultsOn(redis)
  if (text === undefined) return names
  if (text === 'none') return []
  return text.split(',').map((name) => {
    const known = names.find((each) => each === name)
    if (!known) throw new UsageError(`--faults ${name}: there is no such fault; there are ${names.join(', ')}, none`)
    return known
  })
}

function oneOf<T extends string>(name: string, text: string | undefined, known: readonly T[]): T | undefined {
  const found = known.find((each) => each === text)
  if (text !== undefined && !found) throw new UsageError(`--${name} ${text}: there are ${known.join(', ')}`)
  return found
}

function channelsOf(text: string | undefined): Channel[] | undefined {
  return text?.split(',').map((name) => oneOf('channel', name, channels) as Channel)
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text)
  } catch {
    throw new UsageError(`--until ${text}: a regular expression is needed`)
  }
}

function couriersOf(text: string | undefined): number {
  const number = count('couriers', text, 9)
  if (number < 4) throw new UsageError(`--couriers ${text}: each of the four channels needs one`)
  return number
}

function peopleOf(text: string | undefined): number {
  const number = count('people', text, 50_000)
  if (number < withAllChannels)
    throw new UsageError(`--people ${text}: ${withAllChannels} have all channels, so there are as many`)
  return number
}

function pointOf(text: string | undefined): Point | undefined {
  if (text === undefined) return undefined
  const point = points.find(({ number }) => String(number) === text)
  if (!point) throw new UsageError(`--point ${text}: there are the points 1 to ${points.length}`)
  return point
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} ${text}: a whole number is needed, 0 or more`)
  return Number(text)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new UsageError(`--${name} ${text}: a number above 0 is needed`)
  return value
}
