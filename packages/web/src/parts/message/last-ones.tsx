import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { toLeftOf } from '@courier-fleet/api-types/narrowing'
import { useStores } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { CallList } from './call-list.tsx'
import { useRecipientLabel } from './use-recipient-label.ts'
import { WaysLeft } from './ways-left.tsx'

interface Props {
  readonly history: HistoryView
  /** whom no channel is known to have reached, and nobody has told: the first of them */
  readonly people: readonly ReceiptView[]
}

/** What is left to do about whoever was not reached: write to exactly them again where that can be done, or ring them up, from a printed list. */
export function LastOnes({ history, people }: Props) {
  const { draft, router } = useStores()
  const { byVoice } = useMessageWords()
  const labelOf = useRecipientLabel()
  const { text, to = [], fields = {}, people: counts, confirm } = history
  if (!counts) return null
  const count = counts.notDelivered + counts.unknown + counts.withoutContact
  const tokens = toLeftOf(history, 'unreached')
  const again = (channels?: readonly string[]) => {
    draft.change({
      to: tokens.map((token) => ({ token, label: labelOf(token) })),
      text: text ?? '',
      template: undefined,
      values: fields,
      when: 'now',
      confirm,
      channels,
    })
    router.go({ view: 'compose' })
  }
  const mayBeWritten = text !== undefined && !to.some((token) => token.startsWith('url:'))
  return (
    <>
      <p>{byVoice.hint}</p>
      <div class="actions">
        {mayBeWritten && <WaysLeft history={history} to={tokens} count={count} write={again} />}
        <CallList history={history} named={people} count={count} />
      </div>
    </>
  )
}
