import { mayHaveSeveral } from '@courier-fleet/channels'
import { useStores, useWords } from '../../stores.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

export interface UnlinkProps {
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
export function UnlinkDialog({ person, channel, address, othersStay, onUnlinked, onClose }: UnlinkProps) {
  const { api, notices } = useStores()
  const { channelName, me, message } = useWords()
  const meant = mayHaveSeveral(channel) ? address : undefined
  const name = [channelName(channel), meant].filter(Boolean).join(' ')
  const unlink = useAsync(async () => {
    await api.unlinkContact(channel, person, meant)
    onClose()
    notices.announce(`${name}: ${me.none}`)
    onUnlinked()
  })
  return (
    <Dialog title={me.unlinkTitle(name)} onClose={onClose}>
      <p>
        {me.unlinkText} {othersStay && me.unlinkOthers}
      </p>
      <Failure error={unlink.error.value} />
      <div class="actions">
        <button type="button" class="danger" onClick={() => unlink.run()}>
          {me.unlinkYes}
        </button>
        <button type="button" onClick={onClose}>
          {message.keep}
        </button>
      </div>
    </Dialog>
  )
}
