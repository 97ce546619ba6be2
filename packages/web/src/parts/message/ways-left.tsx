import type { HistoryView, RehearsalView } from '@courier-fleet/api-types'
import { isOver } from '@courier-fleet/api-types/outcome'
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
  /** Begins a message to them, on these channels alone where some are named. */
  readonly write: (channels?: readonly string[]) => void
}

/** While it is sent they become more: asked is what is left for them when they have not for so long. */
const calmMs = 3000

/** To write to them again, where they can be written to, or on a channel that the message did not go by; and what is left where they cannot. */
export function WaysLeft({ history, to, count, write }: Props) {
  const { api, session } = useStores()
  const { channelName } = useWords()
  const words = useWaysLeftWords()
  const found = useSignal<{ readonly of: number; readonly view: RehearsalView } | undefined>(undefined)
  const asking = useAsync(async (of: number) => {
    found.value = { of, view: await api.rehearse({ to: [...to] }) }
  })
  const isAsked = asking.running.value
  useEffect(() => {
    if (isAsked || asking.error.value !== undefined || found.value?.of === count) return
    const timer = setTimeout(() => asking.run(count), isOver(history) ? 0 : calmMs)
    return () => clearTimeout(timer)
  }, [history.key, isOver(history), count, isAsked])
  if (asking.error.value !== undefined) return <Failure error={asking.error.value} retry={() => asking.run(count)} />
  // what was found of others before is not true of these
  if (found.value?.of !== count) return null
  const { channels, people, reachable } = found.value.view
  const others = Object.entries(channels).filter(
    ([name, { reachable }]) => reachable > 0 && !(name in history.channels),
  )
  return (
    <>
      {reachable > 0 && (
        <button type="button" onClick={() => write()}>
          {words.again(reachable, people)}
        </button>
      )}
      {others.map(([name, { reachable }]) => (
        <button key={name} type="button" onClick={() => write([name])}>
          {words.by(channelName(name), reachable, people)}
        </button>
      ))}
      {reachable < people && !session.may('operator') && <p class="hint">{words.askOperator(people - reachable)}</p>}
    </>
  )
}
