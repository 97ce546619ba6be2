/** Processes that die, freeze, are restarted, or whose clocks are set. */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Member } from '@courier-fleet/launch'
import type { Channel } from '../expectations.ts'
import { badEnd, type Process } from '../fleet.ts'
import { armAt, countingTrapMs, narrow, onlyPointTrapMs, type Point, placeOf, points, trapMs } from '../points.ts'
import type { Random } from '../random.ts'
import { type Draw, drawTarget, type FaultDeps, type Planned, smsAmong, target } from './fault.ts'

/** Which process, and at which point of its way: anywhere when there is none, else at the nth request of this kind. */
interface Aim {
  readonly target: number
  readonly point: Point | undefined
  readonly nth: number
  /** among its couriers only */
  readonly channel?: Channel | undefined
  /** how long it may take to come by the point, ms */
  readonly trapMs: number
}

/** anywhere for some, at a numbered point of the send path for most, half of these where it is narrow */
function drawPoint(random: Random): Point | undefined {
  if (random.chance(0.3)) return undefined
  return random.pick(random.chance(0.5) ? narrow : points)
}

const drawAim = (random: Random): Aim => ({
  target: drawTarget(random),
  point: drawPoint(random),
  nth: random.between(1, 4),
  trapMs,
})

const aimedAt = (targets: readonly Process[], { point, channel, target: number }: Aim) =>
  target(channel ? targets.filter((each) => each.channel === channel) : targets, point && 'courier', number)

const whereOf = ({ point, nth }: Aim) => (point ? ` at ${point.number} (${point.name}, ${nth})` : '')

/**
 * Strikes whichever of them comes by the point first, or the first of them at once where there is no point. Where none has come by in
 * time the first is struck wherever it is.
 * @param caught whether the request, or the answer, that it is struck at still goes on its way
 * @returns whether it was struck at the point
 */
async function strikeAt(
  { point, nth, trapMs }: Pick<Aim, 'point' | 'nth' | 'trapMs'>,
  waitedFor: readonly [Process, ...Process[]],
  caught: 'forward' | 'drop',
  strike: (member: Member) => void,
): Promise<boolean> {
  const lineOf = ({ redis, provider }: Process) => (point?.link === 'provider' ? provider : redis)
  const [first] = waitedFor
  if (!point || !lineOf(first)) {
    strike(first.member)
    return false
  }
  return new Promise((resolve) => {
    const done = ({ member }: Process, isThere: boolean) => {
      clearTimeout(timer)
      for (const disarm of armed) disarm()
      strike(member)
      resolve(isThere)
    }
    const timer = setTimeout(() => done(first, false), trapMs)
    const armed = waitedFor.flatMap((each) => {
      const line = lineOf(each)
      if (!line) return []
      return armAt(placeOf(point, each.channel), line, nth, () => {
        done(each, true)
        return caught
      })
    })
  })
}

/** SIGKILL of any process: at once, or where its next request of some kind has left, or was answered. */
export const kill: Draw = (random, at) => killing(drawAim(random), at)

/** SIGKILL of couriers at this point only, and of this channel only where one is named. */
export const killAt =
  (point: Point, channel?: Channel): Draw =>
  (random, at) =>
    killing({ ...drawAim(random), point, channel, trapMs: onlyPointTrapMs }, at)

function killing(aim: Aim, at: number): Planned {
  return {
    name: 'kill',
    what: `kill${whereOf(aim)}`,
    at,
    smsDoubts: (targets) => smsAmong(aimedAt(targets, aim)),
    happen: (deps) => killThere(aim, [aimedAt(deps.fleet.targets, aim)], deps),
  }
}

/** SIGKILL of whichever courier comes by this point first. */
export const killFirstAt =
  (point: Point): Draw =>
  (random, at) => {
    const aim = { ...drawAim(random), point, nth: 1, trapMs: countingTrapMs }
    return {
      name: 'kill',
      what: `kill of the first at ${point.number} (${point.name})`,
      at,
      smsDoubts: (targets) => Math.min(1, smsAmong(...targets)),
      happen(deps) {
        const couriers = deps.fleet.targets.filter(({ role }) => role === 'courier')
        return killThere(aim, [aimedAt(couriers, aim), ...couriers], deps)
      },
    }
  }

async function killThere(
  aim: Pick<Aim, 'point' | 'nth' | 'trapMs'>,
  waitedFor: readonly [Process, ...Process[]],
  { onKilledAt }: Pick<FaultDeps, 'onKilledAt'>,
): Promise<void> {
  const isThere = await strikeAt(aim, waitedFor, 'drop', (member) => member.kill())
  if (isThere && aim.point) onKilledAt(aim.point.number)
}

/** SIGSTOP for longer than a lease, somewhere or in the middle of a batch, then SIGCONT. */
export const freeze: Draw = (random, at) => {
  const aim = drawAim(random)
  const beyondLeaseMs = random.between(1000, 2500)
  return {
    name: 'freeze',
    what: `freeze${whereOf(aim)}`,
    at,
    smsDoubts: (targets) => smsAmong(aimedAt(targets, aim)),
    async happen({ fleet: { targets }, leaseMs }) {
      const frozen = aimedAt(targets, aim)
      await strikeAt(aim, [frozen], 'forward', (member) => member.freeze())
      await sleep(leaseMs + beyondLeaseMs)
      frozen.member.thaw()
    },
  }
}

/** Every process of the fleet is told to stop, one after the other, and started again. */
export const rollingRestart: Draw = (_random, at) => ({
  name: 'rolling-restart',
  what: 'rolling restart',
  at,
  happen: ({ fleet: { targets }, onBadStop }) => restartEach(targets, onBadStop),
})

export async function restartEach(targets: readonly Process[], onBadStop: FaultDeps['onBadStop']): Promise<void> {
  for (const { member } of targets) {
    if (member.pid === undefined) continue
    const end = await member.stop()
    const wrong = end && badEnd(end)
    if (wrong) onBadStop(wrong)
    member.start()
  }
}

const maxStepMs = 3_600_000

/** The wall clock of a courier or timekeeper is set, forwards or backwards; it is set right again a little later. */
export const clockStep: Draw = (random, at) => {
  const number = drawTarget(random)
  const role = random.chance(0.25) ? 'timekeeper' : 'courier'
  const stepMs = random.between(-maxStepMs, maxStepMs)
  const forMs = random.between(500, 3000)
  return {
    name: 'clock-step',
    what: `clock of a ${role} ${stepMs > 0 ? 'forwards' : 'backwards'} by ${Math.abs(Math.round(stepMs / 1000))} s`,
    at,
    async happen({ fleet: { targets } }) {
      const { member, clockFile } = target(targets, role, number)
      const set = (offsetMs: number) => {
        writeFileSync(clockFile, String(offsetMs))
        member.signal('SIGWINCH')
      }
      set(stepMs)
      await sleep(forMs)
      set(0)
    },
  }
}
