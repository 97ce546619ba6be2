import type { ChannelView } from '@courier-fleet/api-types'
import { useStores, useWords } from '../../stores.ts'
import { useChannelSettingsWords } from '../../texts/channel-settings.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
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
    <ConfirmDialog
      title={said.retireTitle(channelName(channel))}
      yes={said.retireYes}
      no={said.retireNo}
      act={retiring}
      onClose={onClose}
    >
      <p>{said.retireText}</p>
      <p>
        <strong>{said.stillWaiting(backlog.waiting)}</strong>
      </p>
    </ConfirmDialog>
  )
}
