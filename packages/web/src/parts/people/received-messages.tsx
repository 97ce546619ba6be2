import { confirmButton } from '@courier-fleet/api-types/confirm-button'
import { ApiError } from '@courier-fleet/client'
import { useRef } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useReceivedWords } from '../../texts/received.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'
import { type Received, usePersonReceipts } from './use-person-receipts.ts'

/** What has reached whoever is signed in, the latest first; what asks for it is confirmed here. */
export function ReceivedMessages({ person }: { person: string }) {
  const words = useWords()
  const said = useReceivedWords()
  const { reading, messages, hasOlder, isEmpty, replace } = usePersonReceipts(person)
  return (
    <section aria-labelledby="received">
      <h2 id="received">{said.title}</h2>
      <p class="hint">{said.hint}</p>
      <Failure error={reading.error.value} retry={reading.run} />
      <ul class="groups" aria-busy={reading.running.value}>
        {messages.map((message) => (
          <ReceivedMessage key={message.key} person={person} message={message} replace={replace} />
        ))}
      </ul>
      {reading.running.value && <p>{words.loading}</p>}
      {isEmpty && <p>{hasOlder ? said.noneYet : said.none}</p>}
      {hasOlder && (
        <button type="button" aria-disabled={reading.running.value} onClick={reading.run}>
          {said.older}
        </button>
      )}
    </section>
  )
}

interface Props {
  readonly person: string
  readonly message: Received
  readonly replace: (message: Received) => void
}

function ReceivedMessage({ person, message, replace }: Props) {
  const { api, language } = useStores()
  const words = useWords()
  const said = useReceivedWords()
  const moment = useMoment()
  const item = useRef<HTMLLIElement>(null)
  const placeOf = ({ channel }: NonNullable<Received['confirmed']>) =>
    channel === 'web' ? undefined : words.channelName(channel)
  const { toConfirm, ...rest } = message
  const { key, text, acceptedAt, confirmed, version } = rest
  /** Of its millisecond, for messages are found by their time. */
  async function readAgain() {
    const to = new Date(Date.parse(acceptedAt) + 1).toISOString()
    const page = await api.receiptsOfPerson(person, { from: acceptedAt, to })
    for (const now of page.messages) replace(now)
  }
  const confirming = useAsync(async () => {
    try {
      const kept = await api.confirmOwn(person, key, version)
      replace({ ...rest, confirmed: kept.confirmed })
      // the button that had it goes
      item.current?.focus()
    } catch (error) {
      // what was read is not what is to be confirmed any more: the new text is shown, and asks for itself
      if (error instanceof ApiError && error.problem.code === 'older-text') await readAgain()
      throw error
    }
  })
  return (
    <li ref={item} tabIndex={-1}>
      <span id={`received-${key}`}>{text}</span>
      <span class="hint">{moment(acceptedAt)}</span>
      {confirmed && <span>{said.confirmed(placeOf(confirmed), moment(confirmed.at))}</span>}
      {toConfirm && (
        <>
          <strong>{said.toConfirm}</strong>
          <button
            type="button"
            aria-disabled={confirming.running.value}
            aria-describedby={`received-${key}`}
            onClick={confirming.run}
          >
            {confirmButton(toConfirm, language.code.value)}
          </button>
        </>
      )}
      <Failure error={confirming.error.value} />
    </li>
  )
}
