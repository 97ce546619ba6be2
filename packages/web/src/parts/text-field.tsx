import { measureText } from '../message-parts.ts'
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
            maxLength={20_000}
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
  const { compose, channels } = useWords()
  const { length, chat, sms } = measureText(text)
  const { pieces } = chat
  const reachable = rehearsal.view.value?.channels.sms?.reachable
  return (
    <section class="preview" aria-labelledby="preview">
      <h2 id="preview">{compose.preview}</h2>
      <p class="hint">{compose.length(length)}</p>
      <dl>
        <dt>
          {channels.telegram}, {channels.vk}
        </dt>
        <dd>{pieces.length > 1 ? compose.split(pieces.length) : compose.oneMessage}</dd>
        <dt>{channels.sms}</dt>
        <dd>
          {compose.sms(sms.parts.length, sms.encoding)}; {compose.smsLeft(sms.left)}
          {reachable !== undefined && <> · {compose.smsTotal(sms.parts.length * reachable, reachable)}</>}
          {sms.encoding === 'ucs2' && sms.parts.length > 1 && <span class="hint"> {compose.gsmHint}</span>}
        </dd>
      </dl>
      {pieces.length > 1 ? (
        pieces.map((piece, index) => (
          <details key={index}>
            <summary>{compose.piece(index + 1, pieces.length)}</summary>
            <p class="bubble">{piece}</p>
          </details>
        ))
      ) : (
        <Bubble text={text} />
      )}
    </section>
  )
}
