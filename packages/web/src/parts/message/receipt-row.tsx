import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import type { PeopleClass } from '@courier-fleet/api-types/people-classes'
import { classOf } from '@courier-fleet/channels'
import { personWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useStores } from '../../stores.ts'
import { later } from '../later.tsx'
import { useMoment } from '../use-moment.ts'

const PersonTimeline = later(async () => (await import('./person-timeline.tsx')).PersonTimeline)

/** as messengers have it: two ticks for what arrived, one for what was sent */
const marks: Readonly<Record<PeopleClass, string>> = {
  delivered: '✓✓',
  sentToChat: '✓',
  handedOver: '→',
  pending: '…',
  toldByVoice: '☎',
  unknown: '?',
  notDelivered: '✕',
  withoutContact: '–',
}

interface Props {
  readonly receipt: ReceiptView
  readonly history: HistoryView
  /** what can be done about this person alone */
  readonly action?: ComponentChildren
  /** present where somebody can be chosen */
  readonly choice?: { readonly chosen: boolean; readonly onChoose: (wanted: boolean) => void }
}

/** One person of a message, and what is known of them; opened, step by step. */
export function ReceiptRow({ receipt, history, choice, action }: Props) {
  const { language } = useStores()
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
      <button type="button" class="link" onClick={() => (open.value = true)}>
        {person}
      </button>
      <span class="hint">{personWords(language.code.value, receipt, (ms) => moment(new Date(ms).toISOString()))}</span>
      {action}
      {open.value && <PersonTimeline receipt={receipt} history={history} onClose={() => (open.value = false)} />}
    </>
  )
}
