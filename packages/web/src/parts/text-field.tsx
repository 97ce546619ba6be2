import { maxTextLength } from '@courier-fleet/api-types/split-text'
import { Fragment } from 'preact'
import { measureText, type TextMeasure } from '../message-parts.ts'
import { useStores, useWords } from '../stores.ts'
import { Bubble } from './bubble.tsx'
import { Field } from './field.tsx'

/** The text, and what it becomes on each channel while it is being typed. */
export function TextField({ error }: { error: string | undefined }) {
  const { draft } = useStores()
  const { compose } = useWords()
  const { text } = draft.content.value
  return (
    <>
      <Field id="text" label={compose.text} hint={compose.textHint} error={error}>
        {(ids) => (
          <textarea
            {...ids}
            rows={5}
            maxLength={maxTextLength}
            value={text}
            onInput={(event) => draft.change({ text: event.currentTarget.value })}
          />
        )}
      </Field>
      {text.trim() !== '' && <Preview text={text} />}
    </>
  )
}

function Preview({ text }: { text: string }) {
  const { rehearsal } = useStores()
  const words = useWords()
  const { compose } = words
  const { length, pieces, sms } = measureText(text, rehearsal.view.value?.senderLines)
  const smallest = pieces[0]?.pieces ?? [text]
  return (
    <section class="preview" aria-labelledby="preview">
      <h2 id="preview">{compose.preview}</h2>
      <p class="hint">{compose.length(length)}</p>
      <dl>
        {pieces.map((each) => (
          <Fragment key={each.channels[0]}>
            <dt>{each.channels.map((channel) => words.channelName(channel)).join(', ')}</dt>
            <dd>{each.pieces.length > 1 ? compose.split(each.pieces.length) : compose.oneMessage}</dd>
          </Fragment>
        ))}
        {sms.channels.map((channel) => (
          <SmsParts key={channel} channel={channel} sms={sms} />
        ))}
      </dl>
      {smallest.length > 1 ? (
        smallest.map((piece, index) => (
          <details key={index}>
            <summary>{compose.piece(index + 1, smallest.length)}</summary>
            <p class="bubble">{piece}</p>
          </details>
        ))
      ) : (
        <Bubble text={smallest[0] ?? text} />
      )}
    </section>
  )
}

function SmsParts({ channel, sms }: { channel: string; sms: TextMeasure['sms'] }) {
  const { rehearsal } = useStores()
  const words = useWords()
  const { compose } = words
  const reachable = rehearsal.view.value?.channels[channel]?.reachable
  return (
    <>
      <dt>{words.channelName(channel)}</dt>
      <dd>
        {compose.sms(sms.parts.length, sms.encoding)}; {compose.smsLeft(sms.left)}
        {reachable !== undefined && <> · {compose.smsTotal(sms.parts.length * reachable, reachable)}</>}
        {sms.encoding === 'ucs2' && sms.parts.length > 1 && <span class="hint"> {compose.gsmHint}</span>}
      </dd>
    </>
  )
}
