import { maxTextLength } from '@courier-fleet/api-types/split-text'
import { useStores, useWords } from '../../stores.ts'
import { Field } from '../field.tsx'

export function TextField({ error }: { error: string | undefined }) {
  const { draft } = useStores()
  const { compose } = useWords()
  return (
    <Field id="text" label={compose.text} hint={compose.textHint} error={error}>
      {(ids) => (
        <textarea
          {...ids}
          rows={4}
          maxLength={maxTextLength}
          value={draft.content.value.text}
          onInput={(event) => draft.change({ text: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}
