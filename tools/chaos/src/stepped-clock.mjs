/**
 * Loaded into a process before it starts: its wall clock can be set from outside, as an administrator or a time server does.
 * CLOCK_FILE holds how far it is off, in ms; it is read at the start and at every SIGWINCH (which does no harm to a process
 * that does not listen yet). Timers go on as they do when a real clock is set.
 */
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_FILE
let offsetMs = 0

function read() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    offsetMs = 0
  }
}

const RealDate = Date
const realNow = Date.now.bind(Date)
class SteppedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(realNow() + offsetMs)
    else super(...args)
  }
  static now() {
    return realNow() + offsetMs
  }
}

if (file) {
  read()
  process.on('SIGWINCH', read)
  globalThis.Date = SteppedDate
}
