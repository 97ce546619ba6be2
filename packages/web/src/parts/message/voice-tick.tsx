import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { useStores } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly history: HistoryView
  readonly receipt: ReceiptView
  readonly onChanged: () => void
}

/** Says that a person was told by voice, or takes it back: of what the fleet has sent it says nothing. */
export function VoiceTick({ history, receipt, onChanged }: Props) {
  const { api, notices } = useStores()
  const { byVoice } = useMessageWords()
  const { person, toldByVoice } = receipt
  const name = receipt.name ?? person
  const ticking = useAsync(async () => {
    await (toldByVoice ? api.takeBackToldByVoice(history.key, person) : api.tellByVoice(history.key, person))
    notices.announce(toldByVoice ? byVoice.takenBack(name) : byVoice.told(name))
    onChanged()
  })
  const label = toldByVoice ? byVoice.takeBack : byVoice.tell
  return (
    <button
      type="button"
      class="of-row"
      aria-label={`${label}: ${name}`}
      aria-disabled={ticking.running.value}
      onClick={() => ticking.run()}
    >
      {ticking.error.value ? byVoice.failed : label}
    </button>
  )
}
