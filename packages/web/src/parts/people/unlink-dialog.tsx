import { mayHaveSeveral } from '@courier-fleet/channels'
import { useStores, useWords } from '../../stores.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly person: string
  readonly channel: string
  /** as it is shown to whoever may unlink it */
  readonly address: string | undefined
  /** on the channel */
  readonly othersStay: boolean
  readonly onUnlinked: () => void
  readonly onClose: () => void
}

/** Where there may be several it says which, and takes that one away, whatever was linked meanwhile. */
export function UnlinkDialog({ person, channel, address, othersStay, onUnlinked, onClose }: Props) {
  const { api, notices } = useStores()
  const { channelName, me } = useWords()
  const meant = mayHaveSeveral(channel) ? address : undefined
  const name = [channelName(channel), meant].filter(Boolean).join(' ')
  const unlink = useAsync(async () => {
    await api.unlinkContact(channel, person, meant)
    onClose()
    notices.announce(`${name}: ${me.none}`)
    onUnlinked()
  })
  return (
    <ConfirmDialog title={me.unlinkTitle(name)} yes={me.unlinkYes} act={unlink} onClose={onClose}>
      <p>
        {me.unlinkText} {othersStay && me.unlinkOthers}
      </p>
    </ConfirmDialog>
  )
}
