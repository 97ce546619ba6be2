/**
 * By which centre a message goes. It is decided for each recipient right before the hand-over, when they are marked: whoever is in
 * doubt after a crash is `unknown`, whichever centre it was. Another centre is asked only for what the one before has certainly not taken.
 */
import type { Item, Outcome } from '../courier.ts'
import type { Centre } from './centre.ts'
import type { SmsConfig } from './config.ts'
import type { SendLimits } from './send-message.ts'
import type { SmsTiming } from './timing.ts'

export type Carry = (item: Item, limits: SendLimits, signal: AbortSignal) => Promise<Outcome>

export function createCarry(
  centres: readonly Centre[],
  config: Pick<SmsConfig, 'takeOver'>,
  { awayMs }: Pick<SmsTiming, 'awayMs'>,
): Carry {
  const [only] = centres
  if (only && centres.length === 1) return (item, limits) => only.send(item, limits)
  const routeOf = createRoutes(centres, config)
  return async (item, limits, signal) => {
    const route = routeOf(item.address)
    const left = new Set(route)
    let before: Outcome | undefined
    for (let centre = nextOf(route, left); centre; centre = nextOf(route, left)) {
      left.delete(centre)
      const outcome = await sendBy(centre, item, limits, signal)
      const isForAnother =
        outcome.kind === 'not-sent' || (isTroubled(outcome) && centre.health.leftAlone() !== undefined)
      if (!isForAnother) return told(outcome, before, centre, route)
      before = told(outcome, before, centre, route)
    }
    return before?.kind === 'throttled' ? before : notConnected(centres, before, awayMs)
  }
}

const isTroubled = (outcome: Outcome) => outcome.kind === 'throttled' && !outcome.isOwn

async function sendBy(centre: Centre, item: Item, limits: SendLimits, signal: AbortSignal): Promise<Outcome> {
  const noteOutcome = centre.health.begin()
  const outcome = await centre.send(item, limits)
  // whoever ends the process says nothing of the centre
  noteOutcome(signal.aborted ? { kind: 'not-sent', why: 'the process ends' } : outcome)
  return outcome
}

/** Those it may go by, the first of them the one that is there for its number. */
export function createRoutes(
  centres: readonly Centre[],
  { takeOver }: Pick<SmsConfig, 'takeOver'>,
): (address: string) => readonly Centre[] {
  const isAmong = (address: string, prefixes: readonly string[]) =>
    prefixes.some((prefix) => address.startsWith(prefix))
  const routes = centres.map((own) => [own, ...centres.filter((each) => each !== own)])
  return (address) => {
    const named = centres.findIndex(({ config }) => isAmong(address, config.prefixes))
    const route = routes[Math.max(0, named)] as Centre[]
    return isAmong(address, takeOver) ? route : route.slice(0, 1)
  }
}

/** One that works; where none does, one that is at least there. */
function nextOf(route: readonly Centre[], left: ReadonlySet<Centre>): Centre | undefined {
  const there = route.filter((each) => left.has(each) && !each.readiness.notReady())
  return there.find(({ health }) => health.mayCarry()) ?? there[0]
}

/** As the runner has it where a courier has one account, and of several with which it was, and what another has of it. */
function told(outcome: Outcome, before: Outcome | undefined, centre: Centre, route: readonly Centre[]): Outcome {
  const { account, name } = centre.config
  if (outcome.kind === 'sent') return { ...outcome, by: { account: name, isTakenOver: centre !== route[0] } }
  const isPartlyTaken = before && 'isPartlyTaken' in before && before.isPartlyTaken
  const partly = isPartlyTaken && outcome.kind !== 'unknown' ? ({ isPartlyTaken } as const) : {}
  if (outcome.kind === 'throttled') return { ...outcome, ...partly, account }
  return { ...outcome, ...partly } as Outcome
}

/** Where all are away the courier is not ready, and hands back what it has. */
function notConnected(centres: readonly Centre[], before: Outcome | undefined, awayMs: number): Outcome {
  const isAnyThere = centres.some(({ readiness }) => !readiness.notReady())
  const partly = before?.kind === 'not-sent' && before.isPartlyTaken ? ({ isPartlyTaken: true } as const) : {}
  const why = before?.kind === 'not-sent' ? before.why : 'not connected to the SMS centre'
  if (!isAnyThere) return { kind: 'not-sent', ...partly, why }
  const reason = `no SMS centre that takes this number is there: ${why}`
  return { kind: 'throttled', retryAfterMs: awayMs, scope: 'recipient', isOwn: true, ...partly, reason }
}
