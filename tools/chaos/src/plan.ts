/** Which faults meet in which round: decided by the seed alone, before anything runs. */
import type { Channel } from './expectations.ts'
import { draws, type FaultName, killAt, killFirstAt, type Planned } from './faults/index.ts'
import { counting, type Point } from './points.ts'
import type { Random } from './random.ts'

export interface PlanOptions {
  /** SIGKILLs of processes over the whole run */
  readonly kills: number
  /** what happens beside the kills */
  readonly faults: readonly FaultName[]
  /** where all who are killed are */
  readonly point?: Point | undefined
  /** with a point: what the couriers send that are killed there, in turn */
  readonly channels?: readonly Channel[] | undefined
}

/** faults of a round begin within this, ms */
const windowMs = 1500
const maxKills = 10
const maxOthers = 3
/** those that hold up a round for long come less often */
const shares: Readonly<Partial<Record<FaultName, number>>> = {
  freeze: 0.5,
  'redis-away': 0.5,
  'redis-kill': 0.5,
  'provider-hang': 0.15,
  'provider-slow': 0.3,
  'rolling-restart': 0.1,
  upgrade: 0.1,
  caps: 0.1,
  budgets: 0.3,
  'no-replica': 0.3,
  'start-in-fail-over': 0.3,
  growth: 0.3,
}
/** rounds when nobody is killed */
const killlessRounds = 20

/** each sets a rule of the whole fleet, judges by it once all has settled, and takes it back */
const ruling: readonly FaultName[] = ['caps', 'budgets']

/** A round has one of these once: what one takes back another would still judge by. */
function apart(names: readonly FaultName[], round: number): readonly FaultName[] {
  const drawn = names.filter((name, index) => !ruling.includes(name) || names.indexOf(name) === index)
  if (!drawn.includes('caps') || !drawn.includes('budgets')) return drawn
  return drawn.filter((name) => name !== (round % 2 === 0 ? 'budgets' : 'caps'))
}

/** @returns for each round what goes wrong in it, in the order in which it begins */
export function planRounds({ kills, faults, point, channels }: PlanOptions, random: Random): Planned[][] {
  const rounds: Planned[][] = []
  const others = faults.filter((name) => name !== 'kill')
  // faults named one by one belong to every round: they are what the run is about
  const always = others.length <= maxOthers
  // where it is about rules that count, every second kill is dealt to the points of these, one after the other
  const areCounted = always && !point && others.includes('caps')
  let dealt = 0
  const killOf = (index: number) => {
    if (point) return killAt(point, channels?.[dealt++ % channels.length])
    return areCounted && index % 2 === 0 ? killFirstAt(counting[dealt++ % counting.length] as Point) : draws.kill
  }
  let left = kills
  while (kills > 0 ? left > 0 : rounds.length < killlessRounds) {
    const of = random.fork(`round ${rounds.length}`)
    const killed = Math.min(left, of.between(Math.min(4, left), maxKills))
    left -= killed
    const planned = Array.from({ length: killed }, (_, index) => killOf(index)(of, of.between(0, windowMs)))
    const drawn = always
      ? others
      : Array.from({ length: of.between(1, maxOthers) }, () => of.pick(others)).filter((name) =>
          of.chance(shares[name] ?? 1),
        )
    for (const name of apart(drawn, rounds.length)) planned.push(draws[name](of, always ? 0 : of.between(0, windowMs)))
    rounds.push(planned.toSorted((a, b) => a.at - b.at))
  }
  return rounds
}
