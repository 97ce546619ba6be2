import type { Log } from '@courier-fleet/process'
import { pino } from 'pino'

/** A log that keeps every line of every level in memory, nothing redacted: to prove what is not in it. */
export function capturedLog(): { log: Log; text(): string } {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  return { log, text: () => lines.join('') }
}
