import type { ChannelLedger, HistoryView } from '@courier-fleet/api-types'
import { isOver, takenOn } from '@courier-fleet/api-types/outcome'
import { useEffect, useRef } from 'preact/hooks'
import { channelName } from '../channel-name.ts'
import { unreachedStates } from '../stores/outcome.ts'
import { useStores, useWords } from '../stores.ts'
import { PauseNotes } from './pause-notes.tsx'

/** A screen reader is told how far it is, but not more often. */
const announceMs = 5000
/** all but `sent`, which is what is left of those taken */
const shownStates = ['delivered', 'read', 'confirmed', ...unreachedStates] as const

/** How far each channel is. */
export function Progress({ history }: { history: HistoryView }) {
  const { notices } = useStores()
  const words = useWords()
  const announcedAt = useRef(0)
  const channels = Object.entries(history.channels)
  const nameOf = (channel: string) => channelName(words, channel)
  const summary = channels
    .map(([channel, ledger]) => `${nameOf(channel)} ${words.message.of(takenOn(ledger), possibleOf(ledger))}`)
    .join(', ')

  useEffect(() => {
    if (Date.now() - announcedAt.current < announceMs) return
    announcedAt.current = Date.now()
    notices.announce(summary)
  }, [summary])

  return (
    <section class="card" aria-labelledby="progress">
      <h2 id="progress">{words.message.progress}</h2>
      <ul class="progress">
        {channels.map(([channel, ledger]) => (
          <li key={channel} data-channel={channel}>
            <ChannelProgress name={nameOf(channel)} ledger={ledger} />
          </li>
        ))}
      </ul>
      {!isOver(history) && <PauseNotes history={history} />}
    </section>
  )
}

/** those who have this channel at all */
const possibleOf = (ledger: ChannelLedger) => ledger.accepted - ledger['no-contact']

function ChannelProgress({ name, ledger }: { name: string; ledger: ChannelLedger }) {
  const words = useWords()
  const taken = takenOn(ledger)
  const possible = possibleOf(ledger)
  const handled = possible - ledger.pending
  const details = shownStates
    .filter((state) => ledger[state] > 0)
    .map((state) => `${words.receipts[state]}: ${words.number(ledger[state])}`)
  return (
    <>
      <div class="progress-head">
        <strong>{name}</strong>
        <span>
          {words.message.taken}: {words.message.of(taken, possible)}
          {ledger.state === 'settled' && (
            <span class="done">
              {' '}
              <span aria-hidden="true">✓</span> {words.states.settled}
            </span>
          )}
        </span>
      </div>
      <progress aria-label={name} max={Math.max(1, possible)} value={possible === 0 ? 1 : handled} />
      <p class="hint">
        {[
          ...(ledger.pending > 0 ? [`${words.message.waiting}: ${words.number(ledger.pending)}`] : []),
          ...details,
        ].join(' · ')}
      </p>
    </>
  )
}
