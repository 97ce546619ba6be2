import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { personWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { missedClasses } from '../../stores/named-people.ts'
import { useStores, useWords } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment, useWeekdayMoment } from '../use-moment.ts'
import { useRecipients } from './use-recipient-label.ts'

interface Props {
  readonly history: HistoryView
  /** the first of them */
  readonly named: readonly ReceiptView[]
  /** so many they are */
  readonly count: number
}

/** Prints whoever is to be rung up. On paper only: of which message, names and why, no addresses. */
export function CallList({ history, named, count }: Props) {
  const { api, language } = useStores()
  const { message } = useWords()
  const { byVoice } = useMessageWords()
  const [moment, weekday] = [useMoment(), useWeekdayMoment()]
  const recipients = useRecipients(history)
  /** everyone, read for this printing */
  const everyone = useSignal<readonly ReceiptView[] | undefined>(undefined)
  const listing = useAsync(async () => {
    const found: ReceiptView[] = []
    for (const name of missedClasses)
      for await (const receipt of api.allReceipts(history.key, { class: name })) found.push(receipt)
    everyone.value = found
  })
  useEffect(() => {
    if (everyone.value) print()
  }, [everyone.value])
  useEffect(() => {
    everyone.value = undefined
  }, [history])
  const people = everyone.value ?? named
  const size = everyone.value?.length ?? count
  return (
    <>
      <button type="button" aria-disabled={listing.running.value} onClick={() => listing.run()}>
        {byVoice.print}
      </button>
      <Failure error={listing.error.value} />
      <section class="call-list">
        <h2>{byVoice.list(size, moment(new Date().toISOString()))}</h2>
        <p>
          {message.for}: {recipients}
        </p>
        {history.at && (
          <p>
            {message.due}: {weekday(history.at)}
          </p>
        )}
        {history.text && <p>{history.text}</p>}
        <table>
          <tbody>
            {people.map((receipt) => (
              <tr key={receipt.person}>
                <td>☐</td>
                <td>{receipt.name ?? receipt.person}</td>
                <td>{personWords(language.code.value, receipt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {people.length < size && <p>{byVoice.firstOnly(people.length)}</p>}
      </section>
    </>
  )
}
