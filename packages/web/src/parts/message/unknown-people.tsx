import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { WindowedList } from '../windowed-list.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { ReceiptRow } from './receipt-row.tsx'
import { VoiceTick } from './voice-tick.tsx'

interface Props {
  readonly history: HistoryView
  readonly title: string
  readonly people: readonly ReceiptView[]
  readonly onChanged: () => void
}

/** Those of whom nobody knows whether they have it; the sender and operators choose some, and decide. Nobody is chosen at first. */
export function UnknownPeople({ history, title, people, onChanged }: Props) {
  const { session } = useStores()
  const { message } = useWords()
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const open = useSignal(false)
  const mayDecide = history.sender === session.current.value?.owner || session.may('operator')
  // whoever is known of meanwhile is not decided about
  const selected = people.filter(({ person }) => chosen.value.has(person))

  const tickOf = (receipt: ReceiptView) => <VoiceTick history={history} receipt={receipt} onChanged={onChanged} />
  const choose = (person: string, wanted: boolean) => {
    const next = new Set(chosen.value)
    if (wanted) next.add(person)
    else next.delete(person)
    chosen.value = next
  }
  const done = () => {
    open.value = false
    chosen.value = new Set()
    onChanged()
  }
  return (
    <>
      <WindowedList
        label={title}
        count={people.length}
        keyOf={(index) => people[index]?.person}
        row={(index) => {
          const receipt = people[index]
          if (!receipt) return null
          const { person } = receipt
          const choice = { chosen: chosen.value.has(person), onChoose: (wanted: boolean) => choose(person, wanted) }
          return (
            <ReceiptRow
              receipt={receipt}
              history={history}
              {...(mayDecide ? { choice, action: tickOf(receipt) } : {})}
            />
          )
        }}
      />
      {mayDecide && (
        <div class="actions">
          <button type="button" onClick={() => (chosen.value = new Set(people.map(({ person }) => person)))}>
            {message.chooseAll}
          </button>
          <button
            type="button"
            aria-disabled={selected.length === 0}
            onClick={() => (open.value = selected.length > 0)}
          >
            {message.decide(selected.length)}
          </button>
        </div>
      )}
      {open.value && (
        <DecisionDialog history={history} people={selected} onClose={() => (open.value = false)} onDone={done} />
      )}
    </>
  )
}
