import type { DraftContent } from '../stores/draft.ts'
import { useStores, useWords } from '../stores.ts'
import { Field } from './field.tsx'
import { WallTimeField } from './wall-time-field.tsx'

const times = ['now', 'later'] as const
const classes = ['normal', 'urgent', 'bulk'] as const

/** When, and how urgent. */
export function WhenFields({ error }: { error: string | undefined }) {
  const { draft } = useStores()
  const { compose } = useWords()
  const { when, at, class: urgency } = draft.content.value
  return (
    <>
      <fieldset class="choices">
        <legend>{compose.when}</legend>
        {times.map((each) => (
          <label key={each}>
            <input type="radio" name="when" checked={when === each} onChange={() => draft.change({ when: each })} />
            {compose[each]}
          </label>
        ))}
      </fieldset>
      {when === 'later' && <WallTimeField value={at} error={error} onChange={(next) => draft.change({ at: next })} />}
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
    </>
  )
}
