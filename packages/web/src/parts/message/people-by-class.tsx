import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { outcomeWords } from '@courier-fleet/words'
import { useEffect, useMemo } from 'preact/hooks'
import { createNamedPeople, maxNamed, type NamedClass, namedClasses } from '../../stores/named-people.ts'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { later } from '../later.tsx'
import { WindowedList } from '../windowed-list.tsx'
import { DecisionNotes } from './decision-notes.tsx'
import { LastOnes } from './last-ones.tsx'
import { ReceiptRow } from './receipt-row.tsx'
import { UnknownPeople } from './unknown-people.tsx'
import { VoiceTick } from './voice-tick.tsx'

const LinkContact = later(async () => (await import('./link-contact.tsx')).LinkContact)

/** By name, and with the reason: who has not got it, of whom that is not known, and who is still to be confirmed. */
export function PeopleByClass({ history, onChanged }: { history: HistoryView; onChanged: () => void }) {
  const { api, language, session } = useStores()
  const words = useWords()
  const named = useMemo(() => createNamedPeople(api), [history.key])
  useEffect(() => named.stop, [named])
  useEffect(() => named.changed(history), [history])

  const people = named.people.value
  if (named.error.value && !people) return <Failure error={named.error.value} retry={() => named.changed(history)} />
  if (!people) return <p>{words.loading}</p>
  const { lines } = outcomeWords(language.code.value, history)
  const titleOf = (name: NamedClass) => lines.find((line) => line.class === name)?.words
  return (
    <section class="card" aria-labelledby="by-class">
      <h2 id="by-class">{words.message.byClass}</h2>
      <LastOnes history={history} people={[...people.notDelivered, ...people.unknown, ...people.withoutContact]} />
      {namedClasses.map((name) => {
        const title = titleOf(name)
        if (!title || people[name].length === 0) return null
        const count = history.people?.[name] ?? people[name].length
        return (
          <OneClass
            key={name}
            name={name}
            title={`${capitalised(title)}: ${words.people(count)}`}
            people={people[name]}
            count={count}
            history={history}
            onChanged={onChanged}
          />
        )
      })}
      <DecisionNotes history={history} />
      {named.balanced.value ? (
        session.may('operator') && <p class="hint">{words.message.balanced}</p>
      ) : (
        <p class="error">{words.message.unbalanced}</p>
      )}
    </section>
  )
}

interface ClassProps {
  readonly name: NamedClass
  readonly title: string
  readonly people: readonly ReceiptView[]
  readonly count: number
  readonly history: HistoryView
  readonly onChanged: () => void
}

function OneClass({ name, title, people, count, history, onChanged }: ClassProps) {
  const words = useWords()
  const { session } = useStores()
  const mayTick = name !== 'handedOver' && (history.sender === session.current.value?.owner || session.may('operator'))
  const mayLink = (name === 'notDelivered' || name === 'withoutContact') && session.may('operator')
  const actionsOf = (receipt: ReceiptView) => (
    <>
      {mayTick && <VoiceTick history={history} receipt={receipt} onChanged={onChanged} />}
      {mayLink && <LinkContact person={receipt.person} name={receipt.name ?? receipt.person} />}
    </>
  )
  return (
    <details open={name !== 'handedOver'} data-named={name}>
      <summary>{title}</summary>
      {name === 'unknown' ? (
        <UnknownPeople history={history} title={title} people={people} onChanged={onChanged} />
      ) : (
        <WindowedList
          label={title}
          count={people.length}
          keyOf={(index) => people[index]?.person}
          row={(index) => {
            const receipt = people[index]
            return receipt && <ReceiptRow receipt={receipt} history={history} action={actionsOf(receipt)} />
          }}
        />
      )}
      {people.length < count && <p class="hint">{words.message.namedFirst(Math.min(people.length, maxNamed))}</p>}
    </details>
  )
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
