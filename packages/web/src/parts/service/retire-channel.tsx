import type { ChannelView } from '@courier-fleet/api-types'
import { useStores, useWords } from '../../stores.ts'
import { useChannelSettingsWords } from '../../texts/channel-settings.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  /** one without couriers */
  readonly channel: ChannelView
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Takes a channel out of use, once it was said who still waits for it. */
export function RetireChannel({ channel: { channel, backlog }, onClose, onDone }: Props) {
  const { api, notices } = useStores()
  const { channelName } = useWords()
  const said = useChannelSettingsWords()
  const retiring = useAsync(async () => {
    await api.retireChannel(channel)
    notices.announce(said.retired(channelName(channel)))
    onDone()
  })
  return (
    <Dialog title={said.retireTitle(channelName(channel))} onClose={onClose}>
      <p>{said.retireText}</p>
      <p>
        <strong>{said.stillWaiting(backlog.waiting)}</strong>
      </p>
      <Failure error={retiring.error.value} />
      <div class="actions">
        <button type="button" class="danger" aria-disabled={retiring.running.value} onClick={() => retiring.run()}>
          {said.retireYes}
        </button>
        <button type="button" onClick={onClose}>
          {said.retireNo}
        </button>
      </div>
    </Dialog>
  )
}
