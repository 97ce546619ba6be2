/**
 * Loaded into a process before it starts: the clocks on people's walls show another time than they do, in every zone, by the same time in
 * all processes of a fleet. WALL_CLOCK_FILE holds how far they are ahead, in ms. Nothing else is moved: when something is due, and how long
 * it takes, is as ever, so a fleet is told of a night in March by moving the walls and not the fleet. Programs know nothing of it.
 */
import { readFileSync } from 'node:fs'

const file = process.env.WALL_CLOCK_FILE

function aheadMs() {
  try {
    return Number(readFileSync(file, 'utf8')) || 0
  } catch {
    return 0
  }
}

if (file) {
  const { formatToParts } = Intl.DateTimeFormat.prototype
  Intl.DateTimeFormat.prototype.formatToParts = function (at = Date.now()) {
    return formatToParts.call(this, Number(at) + aheadMs())
  }
}
