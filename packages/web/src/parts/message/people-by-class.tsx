import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { isOver } from '@courier-fleet/api-types/outcome'
import { outcomeWords } from '@courier-fleet/words'
import { maxNamed, type NamedClass, type NamedPeople, namedClasses } from '../../stores/named-people.ts'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { later } from '../later.tsx'
import { WindowedList } from '../windowed-list.tsx'
import { DecisionNotes } from './decision-notes.tsx'
import { ReceiptRow } from './receipt-row.tsx'
import { VoiceTick } from './voice-tick.tsx'

const Balance = later(async () => (await import('./by-class-parts.ts')).Balance)
const LastOnes = later(async () => (await import('./by-class-parts.ts')).LastOnes)
const UnknownPeople = later(async () => (await import('./by-class-parts.ts')).UnknownPeople)
const LinkContact = later(async () => (await import('./by-class-parts.ts')).LinkContact)

interface Props {
  readonly history: HistoryView
  readonly named: NamedPeople
  readonly onChanged: () => void
}

/** By name, and with the reason: who has not got it, of whom that is not known, and who is still to be confirmed; also while it is sent. */
export function PeopleByClass({ history, named, onChanged }: Props) {
  const { language, session } = useStores()
  const words = useWords()
  const people = named.people.value
  if (named.error.value && !people) return <Failure error={named.error.value} retry={() => named.changed(history)} />
  const over = isOver(history)
  if (!people) return over ? <p>{words.loading}</p> : null
  const imbalance = named.imbalance.value
  const hasBalance = over && (imbalance !== undefined || session.may('operator'))
  const isEmpty = namedClasses.every((name) => people[name].length === 0) && !history.decisions
  if (isEmpty && !hasBalance) return null
  const { lines } = outcomeWords(language.code.value, history)
  const titleOf = (name: NamedClass) => lines.find((line) => line.class === name)?.words
  return (
    <section class="card" aria-labelledby="by-class">
      <h2 id="by-class">{words.message.byClass}</h2>
      {named.missed.value.length > 0 && <LastOnes history={history} people={named.missed.value} />}
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
      {hasBalance && <Balance imbalance={imbalance} />}
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
