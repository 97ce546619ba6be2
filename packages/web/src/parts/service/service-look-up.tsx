import type { PersonReceipts, PersonView } from '@courier-fleet/api-types'
import { receiptWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { useLookUpWords } from '../../texts/look-up.ts'
import { Anchor } from '../anchor.tsx'
import { useFoundPeople } from '../compose/use-found-people.ts'
import { Failure } from '../failure.tsx'
import { PersonDataActions } from '../people/person-data.tsx'
import { usePersonReceipts } from '../people/use-person-receipts.ts'
import { SearchField } from '../search-field.tsx'
import { usePreciseMoment } from '../use-moment.ts'

/** Whether somebody got something, and when: what operators are asked on the phone. */
export function ServiceLookUp() {
  const said = useLookUpWords()
  const text = useSignal('')
  const person = useSignal<PersonView | undefined>(undefined)
  const found = useFoundPeople(text.value)
  return (
    <section aria-labelledby="look-up">
      <h2 id="look-up">{said.lookUp}</h2>
      <p class="hint">{said.lookUpHint}</p>
      <SearchField label={said.lookUpWhom} text={text} />
      <Failure error={found.error} />
      {found.state === 'done' && found.people.length === 0 && !found.error && <p class="hint">{said.nobodyFound}</p>}
      <ul class="groups">
        {found.people.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              class="link"
              aria-pressed={each.id === person.value?.id}
              onClick={() => (person.value = each)}
            >
              {each.name}
            </button>
            <span class="hint">{each.id}</span>
          </li>
        ))}
      </ul>
      {person.value && <ReceiptsOf key={person.value.id} person={person.value} />}
    </section>
  )
}

function ReceiptsOf({ person }: { person: PersonView }) {
  const words = useWords()
  const said = useLookUpWords()
  const { reading, messages, hasOlder, isEmpty } = usePersonReceipts(person.id)
  return (
    <section class="card" aria-label={person.name}>
      <h3>{person.name}</h3>
      <PersonDataActions person={person} />
      <Failure error={reading.error.value} retry={reading.run} />
      <ul class="groups" aria-busy={reading.running.value}>
        {messages.map((message) => (
          <MessageOf key={message.key} message={message} />
        ))}
      </ul>
      {reading.running.value && <p>{words.loading}</p>}
      {isEmpty && <p>{said.noMessagesFor}</p>}
      {hasOlder && (
        <button type="button" aria-disabled={reading.running.value} onClick={reading.run}>
          {said.older}
        </button>
      )}
    </section>
  )
}

function MessageOf({ message }: { message: PersonReceipts['messages'][number] }) {
  const { language } = useStores()
  const words = useWords()
  const said = useLookUpWords()
  const moment = usePreciseMoment()
  const time = (ms: number) => moment(new Date(ms).toISOString())
  const receipts = Object.entries(message.channels)
  return (
    <li>
      <Anchor to={{ view: 'message', key: message.key }}>{message.text.split('\n', 1)[0]}</Anchor>
      <span class="hint">
        {said.acceptedAt(moment(message.acceptedAt))}, {message.sender}
      </span>
      {receipts.length === 0 && <span>{said.notBegun}</span>}
      {receipts.map(([leg, receipt]) => (
        <span key={leg}>
          <strong>{words.channelName(leg)}</strong>: {receiptWords(language.code.value, leg, receipt, time)}
          {receipt.at && `, ${moment(receipt.at)}`}
          {receipt.detail && (
            <span class="hint" lang="en">
              {' '}
              {receipt.detail}
            </span>
          )}
        </span>
      ))}
      {message.confirmed && (
        <span>{said.confirmed(words.channelName(message.confirmed.channel), moment(message.confirmed.at))}</span>
      )}
      {message.toldByVoice && <span>{said.toldByVoice(message.toldByVoice.by, moment(message.toldByVoice.at))}</span>}
    </li>
  )
}
