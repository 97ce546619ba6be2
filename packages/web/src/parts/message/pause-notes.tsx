import type { ChannelView, HistoryView } from '@courier-fleet/api-types'
import { type Standstill, standstillsOf } from '@courier-fleet/api-types/standstill'
import { standstillWords } from '@courier-fleet/words'
import { useEffect } from 'preact/hooks'
import type { Pauses } from '../../stores/pauses.ts'
import { useStores, useWords } from '../../stores.ts'
import { useMoment } from '../use-moment.ts'

type Kind = 'stuck' | 'slow-down' | 'slow'

interface Note {
  /** empty: of all */
  readonly channel: string
  readonly kind: Kind | Standstill['why'] | 'moving'
  readonly text: string
}

/** Why a channel is slow or stands still, in words. */
export function PauseNotes({ history, pauses }: { history: HistoryView; pauses: Pauses }) {
  const { language, notices } = useStores()
  const words = useWords()
  const moment = useMoment()
  const standstills = standstillsOf(history, pauses.channels.value)
  const form = { moment: (ms: number) => moment(new Date(ms).toISOString()), now: Date.now() }

  const isMoving = pauses.moving.value.some(({ shards }) => shards.some((shard) => history.key.startsWith(`${shard}.`)))
  const isWaiting = (channel: string) => history.waiting?.some((wave) => wave.channel === channel)
  const notes: Note[] = Object.entries(history.channels).flatMap(([channel, { state, pending }]): Note[] => {
    const view = pauses.channels.value.find((each) => each.channel === channel)
    if (!view || state === 'settled' || pending === 0) return []
    const standstill = standstills.find((each) => each.channel === channel)
    if (standstill && (view.paused || !view.backlog.stuck))
      return [{ channel, kind: standstill.why, text: standstillWords(language.code.value, standstill, form) }]
    const kind = kindOf(view)
    // of those who wait for a time the sentence above says when they go on
    if (kind === 'slow' && isWaiting(channel)) return []
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

function kindOf({ backlog }: ChannelView): Kind {
  if (backlog.stuck) return 'stuck'
  return backlog.pausedForMs > 0 ? 'slow-down' : 'slow'
}
