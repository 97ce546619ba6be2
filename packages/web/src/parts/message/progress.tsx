import type { ChannelLedger, HistoryView } from '@courier-fleet/api-types'
import { isOver, takenOn } from '@courier-fleet/api-types/outcome'
import { classOfState, peopleClasses } from '@courier-fleet/api-types/people-classes'
import { receiptStates } from '@courier-fleet/api-types/receipt-state'
import { tellsMore } from '@courier-fleet/channels'
import { receiptWords, spentWords, stepsWords, wordsIn } from '@courier-fleet/words'
import type { Pauses } from '../../stores/pauses.ts'
import { useStores, useWords } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { useMoment } from '../use-moment.ts'
import { ClassBar, type ClassCounts } from './class-bar.tsx'
import { PauseNotes } from './pause-notes.tsx'

/** How far each channel is: all bars are of the same people, so that they can be compared. */
export function Progress({ history, pauses }: { history: HistoryView; pauses: Pauses }) {
  const words = useWords()
  const { bars } = useMessageWords()
  const { language } = useStores()
  return (
    <section class="card" aria-labelledby="progress">
      <h2 id="progress">{words.message.progress}</h2>
      <p class="hint">{bars(history.audience?.size ?? 0)}</p>
      <ul class="progress">
        {Object.entries(history.channels).map(([leg, ledger]) => (
          <li key={leg} data-channel={leg}>
            <ChannelProgress
              leg={leg}
              ledger={ledger}
              size={history.audience?.size ?? 0}
              spared={sparedOn(leg, history)}
            />
          </li>
        ))}
      </ul>
      {history.ceiling && <p>{spentWords(language.code.value, history.ceiling)}</p>}
      {history.steps && <Steps steps={history.steps} />}
      {!isOver(history) && <PauseNotes history={history} pauses={pauses} />}
    </section>
  )
}

/** What each step of the message has done, a line each. */
function Steps({ steps }: { steps: NonNullable<HistoryView['steps']> }) {
  const { language } = useStores()
  const moment = useMoment()
  return (
    <ol class="hint">
      {stepsWords(language.code.value, steps, (ms) => moment(new Date(ms).toISOString())).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ol>
  )
}

/** Whom a step of this channel alone was not needed for: nothing has failed there. */
const sparedOn = (leg: string, { steps = [] }: HistoryView): number =>
  steps.find(({ channels }) => channels.join() === leg)?.spared ?? 0

interface OnChannel {
  readonly leg: string
  readonly ledger: ChannelLedger
  readonly size: number
  readonly spared: number
}

function ChannelProgress({ leg, ledger: counted, size, spared }: OnChannel) {
  const { language } = useStores()
  const words = useWords()
  const { ofBar } = useMessageWords()
  const name = words.channelName(leg)
  const ledger = { ...counted, cancelled: counted.cancelled - spared }
  const said = receiptStates
    .filter((state) => ledger[state] > 0)
    .map((state) => {
      const what = receiptWords(language.code.value, leg, { state })
      const isOpen = state === 'sent' && tellsMore(leg)
      return `${isOpen ? words.known.notConfirmed(what) : what}: ${words.number(ledger[state])}`
    })
  if (spared > 0) said.push(wordsIn(language.code.value).steps.spared(spared))
  return (
    <>
      <div class="progress-head">
        <strong>{name}</strong>
        <span class="hint">
          {ofBar(takenOn(ledger), size)}
          {ledger.state === 'settled' && ` · ${words.known.histories.settled}`}
        </span>
      </div>
      <ClassBar label={`${name}: ${said.join(', ')}`} counts={countsOf(leg, ledger, spared)} />
      <p class="hint">{said.join(' · ')}</p>
    </>
  )
}

function countsOf(leg: string, ledger: ChannelLedger, spared: number): ClassCounts {
  const counts = Object.fromEntries(peopleClasses.map((name) => [name, 0])) as Record<keyof ClassCounts, number>
  for (const state of receiptStates) counts[classOfState(state, tellsMore(leg))] += ledger[state]
  counts.withoutContact += spared
  return counts
}
