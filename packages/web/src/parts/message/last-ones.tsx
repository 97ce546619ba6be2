import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { narrowingIn } from '@courier-fleet/api-types/narrowing'
import { isOver } from '@courier-fleet/api-types/outcome'
import { personWords } from '@courier-fleet/words'
import { useStores, useWords } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { later } from '../later.tsx'
import { useRecipientLabel } from './use-recipient-label.ts'

const WaysLeft = later(async () => (await import('./ways-left.tsx')).WaysLeft)

interface Props {
  readonly history: HistoryView
  /** whom no channel is known to have reached, and nobody has told */
  readonly people: readonly ReceiptView[]
}

/** What is left to do about whoever was not reached: write to exactly them again, or ring them up, from a printed list. */
export function LastOnes({ history, people }: Props) {
  const { draft, router } = useStores()
  const { byVoice } = useMessageWords()
  const labelOf = useRecipientLabel()
  const { key, text, to = [], fields = {}, people: counts, confirm } = history
  if (!counts || people.length === 0) return null
  const count = counts.notDelivered + counts.unknown + counts.withoutContact
  const tokens = [...to.filter((token) => !narrowingIn(token)), `unreached:${key}`]
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
        {mayBeWritten && (
          <button type="button" onClick={() => again()}>
            {byVoice.again(count)}
          </button>
        )}
        <button type="button" onClick={() => print()}>
          {byVoice.print}
        </button>
        {mayBeWritten && isOver(history) && <WaysLeft history={history} to={tokens} count={count} write={again} />}
      </div>
      <CallList text={text} people={people} count={count} />
    </>
  )
}

/** On paper only: names and why, no addresses. */
function CallList({
  text,
  people,
  count,
}: {
  text: string | undefined
  people: readonly ReceiptView[]
  count: number
}) {
  const { language } = useStores()
  const words = useWords()
  const { byVoice } = useMessageWords()
  return (
    <section class="call-list">
      <h2>{byVoice.list(count)}</h2>
      {text && <p>{text}</p>}
      <table>
        <tbody>
          {people.map((receipt) => (
            <tr key={receipt.person}>
              <td>☐</td>
              <td>{receipt.name ?? receipt.person}</td>
              <td>{personWords(language.code.value, receipt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {people.length < count && <p>{words.message.namedFirst(people.length)}</p>}
    </section>
  )
}
