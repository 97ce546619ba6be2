import type { ChannelView, HistoryView } from '@courier-fleet/core'
import { useEffect, useMemo } from 'preact/hooks'
import { createPauses } from '../stores/pauses.ts'
import { useStores, useWords } from '../stores.ts'

/** Why a channel is slow or stands still, in words. */
export function PauseNotes({ history }: { history: HistoryView }) {
  const { api } = useStores()
  const words = useWords()
  const pauses = useMemo(() => createPauses(api), [api])
  useEffect(() => {
    pauses.start()
    return pauses.stop
  }, [pauses])

  const unfinished = Object.entries(history.channels).filter(([, ledger]) => ledger.state !== 'settled')
  const notes = unfinished.flatMap(([channel, ledger]) => {
    const view = pauses.channels.value.find((each) => each.channel === channel)
    const note = view && noteOf(view, words.channels[channel] ?? channel, ledger.pending)
    return note ? [<li key={channel}>{note}</li>] : []
  })
  return (
    <ul class="notes" role="status">
      {notes}
    </ul>
  )

  function noteOf({ ready, backlog }: ChannelView, name: string, waiting: number): string | undefined {
    if (backlog.stuck) return words.message.stuck(name)
    if (!ready) return words.message.noCourier(name)
    if (backlog.pausedForMs > 0) return words.message.paused(name, Math.ceil(backlog.pausedForMs / 1000))
    return waiting > 0 ? words.message.slow(name) : undefined
  }
}
