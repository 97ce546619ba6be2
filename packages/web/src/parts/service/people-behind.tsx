import type { CountedPerson, Reason, StatsPeople } from '@courier-fleet/api-types'
import type { StatsPeopleQuestion } from '@courier-fleet/client'
import { reasonWords, receiptWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { isFurther, type NumberColumn, useNumbersWords } from '../../texts/service-numbers.ts'
import { Anchor } from '../anchor.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { usePreciseMoment } from '../use-moment.ts'

type Which = Pick<StatsPeopleQuestion, 'channel' | 'type' | 'from' | 'to'>
interface Why {
  readonly reason: Reason
  readonly count: number
}

interface Props {
  readonly title: string
  readonly counted: Which
  readonly column: NumberColumn
  readonly count: number
  readonly onClose: () => void
}

/** Why, and who: everybody whom a number of the statistics counts, or those of them with one reason. */
export function PeopleBehind({ title, counted, column, count, onClose }: Props) {
  const { api, language } = useStores()
  const words = useWords()
  const said = useNumbersWords()
  const reasons = useSignal<readonly Why[]>([])
  const reason = useSignal<Reason | undefined>(undefined)
  const asking = useAsync(async () => {
    const { receipts } = await api.stats({ ...counted, by: ['reason'] })
    reasons.value = receipts.flatMap(({ reason, came }) => {
      const people = came[column] ?? 0
      return reason && people > 0 ? [{ reason, count: people }] : []
    })
  })
  useEffect(() => {
    if (!isFurther(column)) asking.run()
  }, [])
  const chosen = reasons.value.find((each) => each.reason === reason.value)
  return (
    <Dialog title={title} onClose={onClose}>
      <Failure error={asking.error.value} retry={asking.run} />
      {reasons.value.length > 0 && (
        <fieldset class="actions">
          <legend>{said.why}</legend>
          <button type="button" aria-pressed={!chosen} onClick={() => (reason.value = undefined)}>
            {said.anyReason}: {words.number(count)}
          </button>
          {reasons.value.map((each) => (
            <button
              key={each.reason}
              type="button"
              aria-pressed={each === chosen}
              onClick={() => (reason.value = each.reason)}
            >
              {reasonWords(language.code.value, each.reason)}: {words.number(each.count)}
            </button>
          ))}
        </fieldset>
      )}
      <People
        key={chosen?.reason}
        question={{
          ...counted,
          ...(isFurther(column) ? { passed: column } : { came: column }),
          ...(chosen ? { reason: chosen.reason } : {}),
        }}
        count={chosen?.count ?? count}
      />
    </Dialog>
  )
}

function People({ question, count }: { question: StatsPeopleQuestion; count: number }) {
  const { api } = useStores()
  const words = useWords()
  const said = useNumbersWords()
  const moment = usePreciseMoment()
  const people = useSignal<readonly CountedPerson[]>([])
  const last = useSignal<StatsPeople | undefined>(undefined)
  const reading = useAsync(async () => {
    const before = last.value?.next
    const page = await api.statsPeople({ ...question, ...(before === undefined ? {} : { before }) })
    people.value = [...people.value, ...page.people]
    last.value = page
  })
  useEffect(() => {
    reading.run()
  }, [])
  const { searchedSince, next } = last.value ?? {}
  return (
    <>
      <h3>{said.who}</h3>
      <Failure error={reading.error.value} retry={reading.run} />
      {last.value && (
        <p role="status">
          {said.foundOf(words.number(people.value.length), words.number(count))}{' '}
          {searchedSince ? said.searchedSince(moment(searchedSince)) : said.searchedAll}
          {!next && people.value.length !== count && ` ${said.notAll}`}
        </p>
      )}
      <ul class="groups" aria-busy={reading.running.value}>
        {people.value.map((each) => (
          <PersonBehind key={`${each.key} ${each.person}`} found={each} channel={question.channel} />
        ))}
      </ul>
      {reading.running.value && <p>{words.loading}</p>}
      {next && (
        <button type="button" aria-disabled={reading.running.value} onClick={reading.run}>
          {said.searchOn}
        </button>
      )}
    </>
  )
}

/** Leads to the message, with them alone in the list of its people. */
function PersonBehind({ found, channel }: { found: CountedPerson; channel: string }) {
  const { language } = useStores()
  const moment = usePreciseMoment()
  const { key, text, person, name = person, receipt } = found
  return (
    <li>
      <Anchor to={{ view: 'message', key, query: { channel, name: person } }}>{name}</Anchor>
      <span class="hint">{text.split('\n', 1)[0]}</span>
      <span>
        {receiptWords(language.code.value, channel, receipt, (ms) => moment(new Date(ms).toISOString()))}
        {receipt.at && `, ${moment(receipt.at)}`}
        {receipt.detail && (
          <span class="hint" lang="en">
            {' '}
            {receipt.detail}
          </span>
        )}
      </span>
    </li>
  )
}
