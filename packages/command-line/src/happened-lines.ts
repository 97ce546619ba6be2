import type { FleetHappened, ServiceView } from '@courier-fleet/api-types'
import type { Look } from './style.ts'
import { plain } from './table.ts'

/** as many as fit below the channels */
const shown = 5

const words: Readonly<Record<FleetHappened, (of: string, since: string) => string>> = {
  'process-ended': (name, since) => `${name} is not there any more; last heard of ${since}`,
  'process-restarted': (name, since) =>
    `${name} has ended and was started again; the one before was last heard of ${since}`,
  'redis-away': (_, since) => `Redis answers again; it did not answer the timekeeper from ${since} on`,
  'slow-down-over': (channel, since) => `${channel} does not ask to be sent less any more; it did since ${since}`,
  'alarm-over': (alarm, since) => `${alarm} is over; it held since ${since}`,
}

/** What is over, the newest first; nothing where nothing has happened. */
export function happenedLines({ happened = [] }: ServiceView, look: Look): string[] {
  const lines = happened.slice(-shown).reverse()
  return lines.map(({ at, what, of, since }) =>
    plain(`${look.moment(at)}: ${(words[what] ?? ((name) => `${what} ${name}`))(of, look.moment(since))}`),
  )
}
