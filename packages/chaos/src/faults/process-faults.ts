/** Processes that die, freeze, are restarted, or whose clocks are set. */
import { writeFileSync } from 'node:fs'
import { armAt, narrow, type Point, points } from '../points.ts'
import type { Random } from '../random.ts'
import { type Draw, smsAmong, target, wait } from './fault.ts'

/** what a trap waits for; a process that has not come by until then is killed wherever it is */
const trapMs = 1500
const mostTargets = 1000

/** anywhere for some, at a numbered point of the send path for most, half of these where it is narrow */
function drawPoint(random: Random): Point | undefined {
  if (random.chance(0.3)) return undefined
  return random.pick(random.chance(0.5) ? narrow : points)
}

/** SIGKILL of any process: at once, or where its next request of some kind has left, or was answered. */
export const kill: Draw = (random, at) => {
  const number = random.between(0, mostTargets)
  const point = drawPoint(random)
  const nth = random.between(1, 4)
  return {
    name: 'kill',
    what: point ? `kill at ${point.number} (${point.name}, ${nth})` : 'kill',
    at,
    smsDoubts: (targets) => smsAmong(target(targets, point && 'courier', number)),
    async happen({ fleet: { targets } }) {
      const { member, redis, provider } = target(targets, point && 'courier', number)
      const link = point?.link === 'provider' ? provider : redis
      if (!point || !link) return member.kill()
      await new Promise<void>((resolve) => {
        const strike = () => {
          clearTimeout(timer)
          member.kill()
          resolve()
        }
        const disarm = armAt(point, link, nth, () => {
          strike()
          return 'drop'
        })
        const timer = setTimeout(() => {
          disarm()
          strike()
        }, trapMs)
      })
    },
  }
}

/** SIGSTOP for longer than a lease, somewhere or in the middle of a batch, then SIGCONT. */
export const freeze: Draw = (random, at) => {
  const number = random.between(0, mostTargets)
  const point = drawPoint(random)
  const nth = random.between(1, 4)
  const beyondLeaseMs = random.between(1000, 2500)
  return {
    name: 'freeze',
    what: point ? `freeze at ${point.number} (${point.name}, ${nth})` : 'freeze',
    at,
    smsDoubts: (targets) => smsAmong(target(targets, point && 'courier', number)),
    async happen({ fleet: { targets }, leaseMs }) {
      const { member, redis, provider } = target(targets, point && 'courier', number)
      const link = point?.link === 'provider' ? provider : redis
      if (point && link) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => {
            disarm()
            resolve()
          }, trapMs)
          const disarm = armAt(point, link, nth, () => {
            member.freeze()
            clearTimeout(timer)
            resolve()
            return 'forward'
          })
        })
      }
      if (!member.frozen) member.freeze()
      await wait(leaseMs + beyondLeaseMs)
      member.thaw()
    },
  }
}

/** Every process of the fleet is told to stop, one after the other, and started again. */
export const rollingRestart: Draw = (_random, at) => ({
  name: 'rolling-restart',
  what: 'rolling restart',
  at,
  async happen({ fleet: { targets }, onBadStop }) {
    for (const { member } of targets) {
      if (member.pid === undefined) continue
      const wrong = await member.stop()
      if (wrong) onBadStop(wrong)
      member.start()
    }
  },
})

const longestStepMs = 3_600_000

/** The wall clock of a courier or timekeeper is set, forwards or backwards; it is set right at the end of the round. */
export const clockStep: Draw = (random, at) => {
  const number = random.between(0, mostTargets)
  const role = random.chance(0.25) ? 'timekeeper' : 'courier'
  const stepMs = random.between(-longestStepMs, longestStepMs)
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
      await wait(forMs)
      set(0)
    },
  }
}
