import type { ChannelView, HistoryView } from '@courier-fleet/api-types'
import { useEffect, useMemo } from 'preact/hooks'
import { createPauses } from '../../stores/pauses.ts'
import { useStores, useWords } from '../../stores.ts'

type Kind = 'halted' | 'stuck' | 'away' | 'paused' | 'slow'

interface Note {
  /** empty: of all */
  readonly channel: string
  readonly kind: Kind | 'moving'
  readonly text: string
}

/** Why a channel is slow or stands still, in words. */
export function PauseNotes({ history }: { history: HistoryView }) {
  const { api, notices } = useStores()
  const words = useWords()
  const pauses = useMemo(() => createPauses(api), [api])
  useEffect(() => {
    pauses.start()
    return pauses.stop
  }, [pauses])

  const isMoving = pauses.moving.value.some(({ shards }) => shards.some((shard) => history.key.startsWith(`${shard}.`)))
  const isWaiting = (channel: string) => history.waiting?.some((wave) => wave.channel === channel)
  const notes: Note[] = Object.entries(history.channels).flatMap(([channel, { state, pending }]) => {
    const view = pauses.channels.value.find((each) => each.channel === channel)
    const kind = state !== 'settled' && pending > 0 && view ? kindOf(view) : undefined
    // of those who wait for a time the sentence above says when they go on
    if (!view || !kind || (kind === 'slow' && isWaiting(channel))) return []
    const seconds = Math.ceil(view.backlog.pausedForMs / 1000)
    return [{ channel, kind, text: words.message.pauses[kind](words.channelName(channel), seconds) }]
  })
  if (isMoving && history.state === 'running') notes.push({ channel: '', kind: 'moving', text: words.message.moving })
  // said once, not again for every second that passes
  useEffect(() => {
    if (notes.length > 0) notices.announce(notes.map(({ text }) => text).join(' '))
  }, [notes.map(({ channel, kind }) => `${channel} ${kind}`).join()])

  return (
    <ul class="notes">
      {notes.map(({ channel, text }) => (
        <li key={channel}>{text}</li>
      ))}
    </ul>
  )
}

function kindOf({ ready, paused, backlog }: ChannelView): Kind {
  if (paused) return 'halted'
  if (backlog.stuck) return 'stuck'
  if (!ready) return 'away'
  return backlog.pausedForMs > 0 ? 'paused' : 'slow'
}
