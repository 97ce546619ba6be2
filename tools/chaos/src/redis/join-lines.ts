import type { Line, Trap } from '@courier-fleet/testkit/link'

/** Several lines as one: whatever goes wrong on it goes wrong on all. A trap springs on the first that it catches. */
export function joinLines(lines: readonly Line[]): Line {
  const all = async (act: (line: Line) => Promise<void>) => void (await Promise.all(lines.map(act)))
  return {
    arm(trap: Trap) {
      let isCaught = false
      const once: Trap = {
        ...trap,
        matches(sent) {
          if (isCaught || !trap.matches(sent)) return false
          isCaught = true
          return true
        },
      }
      const disarm = lines.map((line) => line.arm({ ...once }))
      return () => {
        for (const each of disarm) each()
      }
    },
    cut: () => lines.forEach((line) => void line.cut()),
    refuse: () => all((line) => line.refuse()),
    silence: () => lines.forEach((line) => void line.silence()),
    hold: () => lines.forEach((line) => void line.hold()),
    delay: (ms) => lines.forEach((line) => void line.delay(ms)),
    restore: () => all((line) => line.restore()),
  }
}
