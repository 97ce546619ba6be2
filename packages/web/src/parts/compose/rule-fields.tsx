import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'

/** What the message is about, which decides the rules it goes by; where there is one type only, nothing is asked. */
export function RuleFields({ error }: { error: string | undefined }) {
  const { draft, messageTypes, session, language } = useStores()
  const { compose } = useWords()
  const loading = useAsync(messageTypes.load)
  useEffect(() => {
    loading.run()
  }, [])
  const { type, ignoresQuiet } = draft.content.value
  const types = messageTypes.mine.value
  const chosen = types.find(({ id }) => id === type)
  const mayIgnoreQuiet = session.may('staff') && chosen?.quiet !== 'ignore'
  return (
    <>
      <Failure error={loading.error.value} retry={loading.run} />
      {(types.length > 1 || (types.length > 0 && !chosen)) && (
        <Field id="type" label={compose.type} hint={compose.typeHint} error={error}>
          {(ids) => (
            <select {...ids} value={type} onChange={(event) => draft.change({ type: event.currentTarget.value })}>
              {!chosen && <option value={type}>{type}</option>}
              {types.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name[language.code.value]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {mayIgnoreQuiet && (
        <label class="choice">
          <input
            type="checkbox"
            checked={ignoresQuiet}
            onChange={(event) => draft.change({ ignoresQuiet: event.currentTarget.checked })}
          />
          {compose.ignoreQuiet}
        </label>
      )}
    </>
  )
}
