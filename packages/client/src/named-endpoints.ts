/** The URLs that messages name, each with those messages: without what stands behind its `?`, as the fleet tells endpoints apart. */
import type { HistoryView } from '@courier-fleet/api-types'

export interface NamedEndpoint {
  readonly url: string
  readonly sender: string
  /** in the order in which they were given */
  readonly messages: readonly HistoryView[]
}

const mark = 'url:'

export function namedEndpoints(histories: Iterable<HistoryView>): NamedEndpoint[] {
  const found = new Map<string, NamedEndpoint & { readonly messages: HistoryView[] }>()
  for (const history of histories) {
    const named = (history.to ?? []).filter((token) => token.startsWith(mark))
    const urls = named
      .map((token) => new URL(token.slice(mark.length)))
      .map(({ origin, pathname }) => origin + pathname)
    for (const url of new Set(urls)) {
      const { sender } = history
      const which = `${sender} ${url}`
      const known = found.get(which) ?? { url, sender, messages: [] }
      known.messages.push(history)
      found.set(which, known)
    }
  }
  return [...found.values()]
}
