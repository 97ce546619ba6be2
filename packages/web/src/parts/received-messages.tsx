import type { PersonReceipts } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../stores.ts'
import { useReceivedWords } from '../texts/received.ts'
import { Failure } from './failure.tsx'
import { useAsync } from './use-async.ts'
import { useMoment } from './use-moment.ts'

type Received = PersonReceipts['messages'][number]

/** What has reached whoever is signed in, the latest first. */
export function ReceivedMessages({ person }: { person: string }) {
  const { api } = useStores()
  const words = useWords()
  const said = useReceivedWords()
  const messages = useSignal<readonly Received[]>([])
  const next = useSignal<string | undefined>(undefined)
  const isRead = useSignal(false)
  const reading = useAsync(async () => {
    const page = await api.receiptsOfPerson(person, next.value === undefined ? {} : { to: next.value })
    messages.value = [...messages.value, ...page.messages]
    next.value = page.next
    isRead.value = true
  })
  useEffect(() => {
    reading.run()
  }, [])
  return (
    <section aria-labelledby="received">
      <h2 id="received">{said.title}</h2>
      <p class="hint">{said.hint}</p>
      <Failure error={reading.error.value} retry={reading.run} />
      <ul class="groups" aria-busy={reading.running.value}>
        {messages.value.map((message) => (
          <ReceivedMessage key={message.key} message={message} />
        ))}
      </ul>
      {reading.running.value && <p>{words.loading}</p>}
      {isRead.value && messages.value.length === 0 && <p>{said.none}</p>}
      {next.value !== undefined && (
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
