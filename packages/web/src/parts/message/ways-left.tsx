import type { HistoryView, RehearsalView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useWaysLeftWords } from '../../texts/ways-left.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly history: HistoryView
  /** those whom it did not reach */
  readonly to: readonly string[]
  /** so many they are */
  readonly count: number
  /** Begins a message to them on this channel alone. */
  readonly write: (channels: readonly string[]) => void
}

/** Channels that the message did not go by, on which some of them have a contact; and what is left where they have none at all. */
export function WaysLeft({ history, to, count, write }: Props) {
  const { api, session } = useStores()
  const { channelName } = useWords()
  const words = useWaysLeftWords()
  const view = useSignal<RehearsalView | undefined>(undefined)
  const asking = useAsync(async () => {
    view.value = await api.rehearse({ to: [...to] })
  })
  useEffect(() => {
    asking.run()
  }, [history.key, count])
  if (asking.error.value) return <Failure error={asking.error.value} retry={asking.run} />
  if (!view.value) return null
  const { channels, people, reachable } = view.value
  const others = Object.entries(channels).filter(
    ([name, { reachable }]) => reachable > 0 && !(name in history.channels),
  )
  return (
    <>
      {others.map(([name, { reachable }]) => (
        <button key={name} type="button" onClick={() => write([name])}>
          {words.by(channelName(name), reachable, people)}
        </button>
      ))}
      {reachable < people && !session.may('operator') && <p class="hint">{words.askOperator(people - reachable)}</p>}
    </>
  )
}
