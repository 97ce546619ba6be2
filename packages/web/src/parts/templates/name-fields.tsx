import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import type { TemplateDraft } from '../../template-draft.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly draft: TemplateDraft
  readonly onChange: (changes: Partial<TemplateDraft>) => void
}

/** What it is called, and what messages with it are about. */
export function NameFields({ draft: { name, type }, onChange }: Props) {
  const { messageTypes, language } = useStores()
  const said = useTemplateWords()
  const loading = useAsync(messageTypes.load)
  useEffect(() => {
    loading.run()
  }, [])
  const types = (messageTypes.all.value ?? []).filter(({ id }) => id !== 'service')
  return (
    <>
      {(['ru', 'en'] as const).map((code) => (
        <Field key={code} id={`template-${code}`} label={said.nameIn[code]}>
          {(ids) => (
            <input
              {...ids}
              required
              maxLength={200}
              value={name[code]}
              onInput={(event) => onChange({ name: { ...name, [code]: event.currentTarget.value } })}
            />
          )}
        </Field>
      ))}
      <Failure error={loading.error.value} retry={loading.run} />
      <Field id="template-type" label={said.type}>
        {(ids) => (
          <select {...ids} value={type} onChange={(event) => onChange({ type: event.currentTarget.value })}>
            <option value="">{said.noType}</option>
            {type !== '' && !types.some(({ id }) => id === type) && <option value={type}>{type}</option>}
            {types.map(({ id, name }) => (
              <option key={id} value={id}>
                {name[language.code.value]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}
