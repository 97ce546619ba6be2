import type { EventInput, EventsPage, EventView } from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** Events of a sender's own; messages hang on them by `event` and `offset`. @param sender another, for operators */
export function eventCalls(http: Http) {
  const of = (sender: string | undefined) => (sender === undefined ? {} : { query: { sender } })
  return {
    events: (page: { sender?: string; after?: string; limit?: number } = {}) =>
      http.call<EventsPage>('GET', '/events', { query: { ...page } }),
    event: (id: string, sender?: string) => http.call<EventView>('GET', path('events', id), of(sender)),
    /** Makes it, or moves it with every message that hangs on it and has not started. */
    putEvent: (id: string, event: EventInput, sender?: string) =>
      http.call<EventView>('PUT', path('events', id), { ...of(sender), body: event }),
    /** Cancels it with every message that hangs on it. */
    cancelEvent: (id: string, sender?: string) => http.call<EventView>('DELETE', path('events', id), of(sender)),
  }
}
