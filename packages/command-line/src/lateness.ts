import type { StatsView } from '@courier-fleet/api-types'

/** Within what time at least 99 of 100 started, as exactly as the buckets tell. */
export function withinOf(buckets: StatsView['lateness'][number]['buckets']): string {
  const all = buckets.reduce((sum, { messages }) => sum + messages, 0)
  let until = 0
  for (const { atMost, messages } of buckets) {
    until += messages
    if (until >= all * 0.99) return atMost === undefined ? `more than ${buckets.at(-2)?.atMost} s` : `${atMost} s`
  }
  return ''
}
