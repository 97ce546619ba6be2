import { findChannel } from '@courier-fleet/channels'
import { useStores, useWords } from '../../stores.ts'
import { Field } from '../field.tsx'

const maxLength = 100

/** Where the fleet has a channel whose messages have a subject, such as mail. */
export function SubjectField({ error }: { error: string | undefined }) {
  const { draft, rehearsal } = useStores()
  const words = useWords()
  const { compose } = words
  const { subject, text } = draft.content.value
  const channels = Object.keys(rehearsal.view.value?.channels ?? {})
  const withSubject = channels.flatMap((name) => (findChannel(name)?.subjectOf ? [name] : []))
  const subjectOf = findChannel(withSubject[0] ?? '')?.subjectOf
  if (!subjectOf && subject === '') return null
  const names = withSubject.map((name) => words.channelName(name)).join(', ')
  return (
    <Field id="subject" label={compose.subject} hint={compose.subjectHint(names)} error={error}>
      {(ids) => (
        <input
          {...ids}
          maxLength={maxLength}
          placeholder={text.trim() === '' ? '' : subjectOf?.(text)}
          value={subject}
          onInput={(event) => draft.change({ subject: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}
