import { useSignal } from '@preact/signals'
import { type DraftContent, isPlain, triedHours } from '../../stores/draft.ts'
import { useStores, useWords } from '../../stores.ts'
import { useFieldWords } from '../../texts/more-fields.ts'
import { Field } from '../field.tsx'
import { RuleFields } from './rule-fields.tsx'
import { SubjectField } from './subject-field.tsx'

const classes = ['normal', 'urgent', 'bulk'] as const

interface Props {
  readonly subjectError: string | undefined
  readonly typeError: string | undefined
}

/** What most messages do without. Folded unless something of it is set, or wrong. */
export function MoreFields({ subjectError, typeError }: Props) {
  const { draft } = useStores()
  const { compose } = useWords()
  const { confirm: asked } = useFieldWords()
  const isOpen = useSignal(!isPlain(draft.content.value))
  const { class: urgency, confirm } = draft.content.value
  return (
    <details
      class="more"
      open={isOpen.value || subjectError !== undefined || typeError !== undefined}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>{compose.more}</summary>
      <RuleFields error={typeError} />
      <label class="choice">
        <input
          type="checkbox"
          checked={confirm !== undefined}
          onChange={(event) => draft.change({ confirm: event.currentTarget.checked || undefined })}
        />
        {asked}
      </label>
      <SubjectField error={subjectError} />
      <Field id="class" label={compose.class}>
        {(ids) => (
          <select
            {...ids}
            value={urgency}
            onChange={(event) => draft.change({ class: event.currentTarget.value as DraftContent['class'] })}
          >
            {classes.map((each) => (
              <option key={each} value={each}>
                {compose.classes[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TriedField />
      <ChannelFields />
      <SmsLaterField />
      <SmsAtMostField />
    </details>
  )
}

/** How long it is tried to send it to those who cannot be reached at once. */
function TriedField() {
  const { draft } = useStores()
  const { compose } = useWords()
  const { tried, triedHint } = useFieldWords()
  return (
    <Field id="tried" label={tried} hint={triedHint}>
      {(ids) => (
        <select
          {...ids}
          value={draft.content.value.triedForHours}
          onChange={(event) => draft.change({ triedForHours: Number(event.currentTarget.value) })}
        >
          {triedHours.map((hours) => (
            <option key={hours} value={hours}>
              {compose.hours(hours)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** SMS after the others, for those only whom they do not reach. */
function SmsLaterField() {
  const { draft, rehearsal } = useStores()
  const { smsLater: label } = useFieldWords()
  const { smsLater, channels } = draft.content.value
  const all = channels ?? rehearsal.channels.value
  const others = all.filter((channel) => channel !== 'sms')
  if (!smsLater && (!all.includes('sms') || others.length === 0)) return null
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={smsLater !== undefined}
        onChange={(event) => draft.change({ smsLater: event.currentTarget.checked ? others : undefined })}
      />
      {label}
    </label>
  )
}

/** What its SMS may come to, where there are any. */
function SmsAtMostField() {
  const { draft, rehearsal } = useStores()
  const { smsAtMost: label, smsAtMostHint } = useFieldWords()
  const { smsAtMost, channels } = draft.content.value
  if (smsAtMost === undefined && !(channels ?? rehearsal.channels.value).includes('sms')) return null
  return (
    <Field id="sms-at-most" label={label} hint={smsAtMostHint}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          min={1}
          value={smsAtMost ?? ''}
          onInput={({ currentTarget: { value, validity } }) =>
            draft.change({ smsAtMost: value === '' && !validity.badInput ? undefined : Number(value) })
          }
        />
      )}
    </Field>
  )
}

/** Which channels it may go out on; the last one cannot be taken away. */
function ChannelFields() {
  const { draft, rehearsal } = useStores()
  const words = useWords()
  const all = rehearsal.channels.value
  const chosen = draft.content.value.channels ?? all
  if (all.length < 2) return null
  const toggle = (channel: string) => {
    const next = all.filter((each) => (each === channel) !== chosen.includes(each))
    if (next.length > 0) draft.change({ channels: next.length === all.length ? undefined : next })
  }
  return (
    <fieldset class="choices side-by-side">
      <legend>{words.compose.channels}</legend>
      {all.map((channel) => (
        <label key={channel}>
          <input type="checkbox" checked={chosen.includes(channel)} onChange={() => toggle(channel)} />
          {words.channelName(channel)}
        </label>
      ))}
    </fieldset>
  )
}
