/** What recipients will see, a small phone for each channel: the line with the sender, the pieces, the links. */
import type { Confirm, RehearsalView } from '@courier-fleet/api-types'
import { useMemo } from 'preact/hooks'
import { type ChannelText, textOn } from '../../message-parts.ts'
import { useWords } from '../../stores.ts'

/** pieces of a long text that are shown */
const maxPieces = 2

interface PhonesProps {
  readonly text: string
  readonly confirm: Confirm | undefined
  readonly view: RehearsalView | undefined
}

export function Phones({ text, confirm, view }: PhonesProps) {
  const { compose } = useWords()
  const shown = useMemo(() => textOn(channelsOf(view), text, view?.senderLines, confirm), [text, confirm, view])
  if (text.trim() === '') return null
  return (
    <section class="phones" aria-labelledby="preview">
      <h2 id="preview">{compose.preview}</h2>
      {shown.map((each) => (
        <Phone key={each.channel} shown={each} reachable={view?.channels[each.channel]?.reachable} />
      ))}
    </section>
  )
}

/** those on which somebody can be reached; all while that is not known */
function channelsOf(view: RehearsalView | undefined): readonly string[] | undefined {
  const counted = Object.entries(view?.channels ?? {})
  return view && counted.filter(([, { reachable }]) => reachable > 0).map(([channel]) => channel)
}

function Phone({ shown, reachable }: { shown: ChannelText; reachable: number | undefined }) {
  const { channel, pieces, smsParts } = shown
  const words = useWords()
  const { compose } = words
  const size = [
    ...(reachable === undefined ? [] : [words.people(reachable)]),
    ...(smsParts > 1 ? [compose.smsEach(smsParts)] : []),
    ...(pieces.length > 1 ? [compose.split(pieces.length)] : []),
  ]
  return (
    <article class="phone" data-phone={channel}>
      <h3>
        {words.channelName(channel)} <span class="hint">{size.join(', ')}</span>
      </h3>
      {pieces.slice(0, maxPieces).map((piece, index) => (
        <p key={index} class="bubble">
          <Linked text={piece} />
        </p>
      ))}
      {pieces.length > maxPieces && <p class="hint">{compose.andMore(pieces.length - maxPieces)}</p>}
    </article>
  )
}

/** Addresses look like links, as a phone shows them, and lead nowhere. */
function Linked({ text }: { text: string }) {
  return (
    <>{text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? <u key={index}>{part}</u> : part))}</>
  )
}
