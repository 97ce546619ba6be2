import type { HistoryView } from '@courier-fleet/api-types'
import { outcomeWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { maxNamed, type Outcome, readOutcome } from '../stores/outcome.ts'
import { useStores, useWords } from '../stores.ts'
import { Failure } from './failure.tsx'
import { receiptWords } from './receipt-words.ts'
import { useAsync } from './use-async.ts'
import { WindowedList } from './windowed-list.tsx'

/** How it ended, whether the ledger adds up, and by name who did not get it and why. */
export function Endings({ history }: { history: HistoryView }) {
  const { api, notices, language } = useStores()
  const words = useWords()
  const outcome = useSignal<Outcome | undefined>(undefined)
  const reading = useAsync(async () => {
    outcome.value = await readOutcome(api, history.key)
    notices.announce(sentenceOf(outcome.value))
  })
  useEffect(() => {
    reading.run()
  }, [history.key, history.settledAt, JSON.stringify(history.people)])

  function sentenceOf({ report }: Outcome): string {
    return outcomeWords(language.code.value, report.history).sentence
  }

  if (!outcome.value) {
    return reading.error.value ? <Failure error={reading.error.value} retry={reading.run} /> : <p>{words.loading}</p>
  }
  const { report, recount, unreached } = outcome.value
  return (
    <section class="card ending" aria-labelledby="ending" data-ending={report.ending}>
      <h2 id="ending">{sentenceOf(outcome.value)}</h2>
      <p class={recount.balanced ? 'hint' : 'error'}>
        {recount.balanced ? words.message.balanced : words.message.unbalanced}
      </p>
      {unreached.length > 0 && <Unreached outcome={outcome.value} />}
    </section>
  )
}

function Unreached({ outcome: { report, unreached } }: { outcome: Outcome }) {
  const words = useWords()
  const { unknown = 0, notDelivered = 0, withoutContact = 0 } = report.history.people ?? {}
  const count = Math.max(unknown + notDelivered + withoutContact, unreached.length)
  const title = words.message.unreached(count)
  return (
    <details open>
      <summary>{title}</summary>
      <WindowedList
        label={title}
        count={unreached.length}
        row={(index) => {
          const receipt = unreached[index]
          if (!receipt) return null
          return (
            <>
              <strong>{receipt.name ?? receipt.person}</strong>
              <span class="hint">{receiptWords(words, receipt)}</span>
            </>
          )
        }}
      />
      {count > maxNamed && <p class="hint">{words.message.unreachedMore(maxNamed)}</p>}
    </details>
  )
}
