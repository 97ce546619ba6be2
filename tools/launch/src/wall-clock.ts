/** The clocks on the walls of a fleet's people, all moved together by a test; see moved-wall-clock.mjs. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './processes.ts'

export interface WallClock {
  /** for node, before each program of the fleet */
  readonly nodeArguments: readonly string[]
  /** for each process */
  readonly env: Environment
  /** From now on clocks show what they show at this moment, and go on from there. */
  moveTo(moment: string): void
  /** The real time at which clocks show what they show at this moment, Unix ms. */
  realTimeOf(moment: string): number
}

export function createWallClock(dir: string): WallClock {
  const file = join(dir, 'wall-clock')
  let aheadMs = 0
  return {
    nodeArguments: ['--import', new URL('./moved-wall-clock.mjs', import.meta.url).href],
    env: { WALL_CLOCK_FILE: file },
    moveTo(moment) {
      // not a moment before; whole seconds, for zones change at those
      aheadMs = Math.ceil((Date.parse(moment) - Date.now()) / 1000) * 1000
      writeFileSync(`${file}.new`, String(aheadMs))
      renameSync(`${file}.new`, file)
    },
    realTimeOf: (moment) => Date.parse(moment) - aheadMs,
  }
}
