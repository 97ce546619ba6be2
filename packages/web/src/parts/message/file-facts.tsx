import type { MessageFileView } from '@courier-fleet/api-types'
import { useWords } from '../../stores.ts'
import { useFileWords } from '../../texts/file.ts'
import { useMoment } from '../use-moment.ts'

/** What goes with a message, and where it is a link below the text. One that is not kept any more has its name and size still. */
export function FileFacts({ files }: { files: readonly MessageFileView[] }) {
  const { channelName } = useWords()
  const moment = useMoment()
  const say = useFileWords()
  return (
    <dl class="facts">
      {files.map(({ name, size, until, link, asLink }) => (
        <>
          <dt>{say.label}</dt>
          <dd>
            {Date.parse(until) > Date.now() ? <a href={link}>{name}</a> : name} · {say.size(size)} ·{' '}
            {say.until(moment(until))}
            {asLink.length > 0 && ` · ${say.asLink} ${asLink.map(channelName).join(', ')}`}
          </dd>
        </>
      ))}
    </dl>
  )
}
