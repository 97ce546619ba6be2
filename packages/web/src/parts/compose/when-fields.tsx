import { useStores, useWords } from '../../stores.ts'
import { WallTimeField } from './wall-time-field.tsx'

const times = ['now', 'later'] as const

export function WhenFields({ error }: { error: string | undefined }) {
  const { draft } = useStores()
  const { compose } = useWords()
  const { when, at } = draft.content.value
  return (
    <>
      <fieldset class="choices side-by-side">
        <legend>{compose.when}</legend>
        {times.map((each) => (
          <label key={each}>
            <input type="radio" name="when" checked={when === each} onChange={() => draft.change({ when: each })} />
            {compose[each]}
          </label>
        ))}
      </fieldset>
      {when === 'later' && <WallTimeField value={at} error={error} onChange={(next) => draft.change({ at: next })} />}
    </>
  )
}
