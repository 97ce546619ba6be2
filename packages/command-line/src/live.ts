/** A picture of how things are now, kept up to date: in place on a terminal, one below the other elsewhere. */
import { UnreachableError } from '@courier-fleet/client'
import type { Options, Values } from './command.ts'
import { sleepFor } from './long-timers.ts'
import { countOf, secondsOf } from './moment.ts'
import { blockOn } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const liveOptions = {
  every: { type: 'string', value: 'SECONDS', about: 'how often it is asked again; 2 when absent, 0.5 at least' },
  times: { type: 'string', value: 'COUNT', about: 'so many pictures, and then the end; until Ctrl-C when absent' },
} as const satisfies Options

const leastMs = 500

/** @throws UsageError, and whatever the first picture throws; later ones may find nobody there */
export async function keepTelling(
  { out, screen }: Terminal,
  { every = '2', times }: Values<typeof liveOptions>,
  picture: () => Promise<string>,
): Promise<void> {
  const everyMs = secondsOf('every', every) * 1000
  if (everyMs < leastMs) throw new UsageError(`--every takes 0.5 or more seconds, not "${every}"`)
  const count = times === undefined ? Number.POSITIVE_INFINITY : countOf('times', times)
  let last = await picture()
  const block = screen ? blockOn(screen) : undefined
  for (let told = 1; ; told++) {
    if (block) block.show(last)
    else out(last)
    if (told >= count) break
    await sleepFor(everyMs)
    last = await picture().catch((error: unknown) => {
      if (error instanceof UnreachableError) return `${error.message}; it is asked again every ${every} s`
      throw error
    })
  }
  block?.done()
}
