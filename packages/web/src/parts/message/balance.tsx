import type { RecountReport } from '@courier-fleet/api-types'
import { receiptStates } from '@courier-fleet/api-types/receipt-state'
import { useStores, useWords } from '../../stores.ts'
import { useBalanceWords } from '../../texts/balance.ts'

/** Whether the numbers of a message agree with what is kept of each person; which of them do not is for operators. */
export function Balance({ imbalance }: { imbalance: RecountReport | undefined }) {
  const { session } = useStores()
  const { channelName, number } = useWords()
  const words = useBalanceWords()
  if (!imbalance) return <p class="hint">{words.balanced}</p>
  const wrong = imbalance.channels.filter(({ balanced }) => !balanced)
  return (
    <div class="note" role="alert">
      <p>{words.unbalanced}</p>
      {session.may('operator') && (
        <ul>
          {wrong.map(({ channel, ledger, bytes }) => (
            <li key={channel}>
              {channelName(channel)}:{' '}
              {receiptStates
                .filter((state) => ledger[state] !== bytes[state])
                .map((state) => words.differs(state, number(ledger[state]), number(bytes[state])))
                .join(', ')}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
