import type { ReceiptView } from '@courier-fleet/api-types'
import type { PeopleClass } from '@courier-fleet/api-types/people-classes'
import { classOf } from '@courier-fleet/channels'
import { limitWords, personWords, receiptWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../stores.ts'
import { Dialog } from './dialog.tsx'
import { useMoment } from './use-moment.ts'

/** as messengers have it: two ticks for what arrived, one for what was sent */
const marks: Readonly<Record<PeopleClass, string>> = {
  delivered: '✓✓',
  sentToChat: '✓',
  handedOver: '→',
  pending: '…',
  unknown: '?',
  notDelivered: '✕',
  withoutContact: '–',
}

interface Props {
  readonly receipt: ReceiptView
  /** present where somebody can be chosen */
  readonly choice?: { readonly chosen: boolean; readonly onChoose: (wanted: boolean) => void }
}

/** One person of a message, and what is known of them. Operators can open what the provider said. */
export function ReceiptRow({ receipt, choice }: Props) {
  const { language, session } = useStores()
  const moment = useMoment()
  const open = useSignal(false)
  const name = classOf(receipt)
  const person = receipt.name ?? receipt.person
  return (
    <>
      {choice ? (
        <input
          type="checkbox"
          class="mark"
          aria-label={person}
          checked={choice.chosen}
          onChange={(event) => choice.onChoose(event.currentTarget.checked)}
        />
      ) : (
        <span class={`mark ${name}`} aria-hidden="true">
          {marks[name]}
        </span>
      )}
      {session.may('operator') ? (
        <button type="button" class="link" onClick={() => (open.value = true)}>
          {person}
        </button>
      ) : (
        <strong>{person}</strong>
      )}
      <span class="hint">{personWords(language.code.value, receipt, (ms) => moment(new Date(ms).toISOString()))}</span>
      {open.value && <Details receipt={receipt} title={person} onClose={() => (open.value = false)} />}
    </>
  )
}

/** The only place for what a provider said in its own words. */
function Details({ receipt, title, onClose }: { receipt: ReceiptView; title: string; onClose: () => void }) {
  const { language } = useStores()
  const words = useWords()
  const moment = useMoment()
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="hint">{receipt.person}</p>
      {Object.entries(receipt.channels).map(([leg, said]) => (
        <section key={leg}>
          <h3>{words.channelName(leg)}</h3>
          <p>
            {receiptWords(language.code.value, leg, said, (ms) => moment(new Date(ms).toISOString()))}
            {said.at && <> · {moment(said.at)}</>}
          </p>
          {said.toldBy && (
            <p class="hint">
              {words.message.toldBy}: {said.toldBy}
            </p>
          )}
          {said.providerId && (
            <p class="hint">
              {words.message.providerId}: {said.providerId}
            </p>
          )}
          {said.limit && (
            <p>
              {limitWords(language.code.value, said.reason, said.limit, (ms) => moment(new Date(ms).toISOString()))}
            </p>
          )}
          {said.detail && (
            <p class="hint">
              {words.message.detail}: <span lang="en">{said.detail}</span>
            </p>
          )}
        </section>
      ))}
    </Dialog>
  )
}
