import type { PersonReceipts } from '@courier-fleet/api-types'
import { useWords } from '../../stores.ts'
import { useReceivedWords } from '../../texts/received.ts'
import { Failure } from '../failure.tsx'
import { useMoment } from '../use-moment.ts'
import { usePersonReceipts } from './use-person-receipts.ts'

type Received = PersonReceipts['messages'][number]

/** What has reached whoever is signed in, the latest first. */
export function ReceivedMessages({ person }: { person: string }) {
  const words = useWords()
  const said = useReceivedWords()
  const { reading, messages, hasOlder, isEmpty } = usePersonReceipts(person)
  return (
    <section aria-labelledby="received">
      <h2 id="received">{said.title}</h2>
      <p class="hint">{said.hint}</p>
      <Failure error={reading.error.value} retry={reading.run} />
      <ul class="groups" aria-busy={reading.running.value}>
        {messages.map((message) => (
          <ReceivedMessage key={message.key} message={message} />
        ))}
      </ul>
      {reading.running.value && <p>{words.loading}</p>}
      {isEmpty && <p>{said.none}</p>}
      {hasOlder && (
        <button type="button" aria-disabled={reading.running.value} onClick={reading.run}>
          {said.older}
        </button>
      )}
    </section>
  )
}

function ReceivedMessage({ message }: { message: Received }) {
  const words = useWords()
  const said = useReceivedWords()
  const moment = useMoment()
  const { text, acceptedAt, confirmed, toConfirm } = message
  return (
    <li>
      <span>{text}</span>
      <span class="hint">{moment(acceptedAt)}</span>
      {confirmed && <span>{said.confirmed(words.channelName(confirmed.channel), moment(confirmed.at))}</span>}
      {toConfirm && <strong>{said.toConfirm}</strong>}
    </li>
  )
}
