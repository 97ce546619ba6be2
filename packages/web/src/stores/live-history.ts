/**
 * One message, followed by server-sent events and painted at most once a frame. A broken connection is opened again; each
 * event carries the whole history, so a missed event loses nothing.
 */
import type { HistoryView } from '@courier-fleet/api-types'
import { isOver, mayChange } from '@courier-fleet/api-types/outcome'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'
import { eventsUrl } from '../page-client.ts'

export type Connection = 'connecting' | 'live' | 'lost' | 'over'

interface LiveHistory {
  readonly history: Signal<HistoryView | undefined>
  readonly connection: Signal<Connection>
  /** why it cannot be shown */
  readonly error: Signal<unknown>
  /** Opens the connection, or opens it again. */
  start(): void
  stop(): void
}

const retryMs = 2000

export function createLiveHistory(api: Client, key: string): LiveHistory {
  const history = signal<HistoryView | undefined>(undefined)
  const connection = signal<Connection>('connecting')
  const error = signal<unknown>(undefined)
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let latest: HistoryView | undefined
  let frame = 0

  function show(view: HistoryView) {
    latest = view
    if (isOver(view) && !mayChange(view, Date.now())) close('over')
    // a hidden page gets no animation frames
    if (document.hidden) paint()
    else frame ||= requestAnimationFrame(paint)
  }

  function paint() {
    cancelAnimationFrame(frame)
    frame = 0
    if (latest) history.value = latest
  }

  function close(state: Connection) {
    clearTimeout(retry)
    source?.close()
    source = undefined
    connection.value = state
  }

  /** The browser reconnects by itself unless it was refused, and it does not tell why: a plain read tells. */
  async function lost() {
    if (connection.value === 'over' || !source) return
    connection.value = 'lost'
    if (source.readyState !== EventSource.CLOSED) return
    const refused = source
    try {
      show(await api.history(key))
    } catch (cause) {
      if (history.value === undefined) error.value = cause
    }
    if (source !== refused) return
    clearTimeout(retry)
    retry = setTimeout(open, retryMs)
  }

  function open() {
    source?.close()
    source = new EventSource(eventsUrl(key))
    source.addEventListener('open', () => {
      connection.value = 'live'
      error.value = undefined
    })
    source.addEventListener('history', ({ data }) => show(JSON.parse(data)))
    source.addEventListener('error', lost)
  }

  function start() {
    close('connecting')
    open()
  }

  function stop() {
    close('over')
    cancelAnimationFrame(frame)
    frame = 0
  }

  return { history, connection, error, start, stop }
}
