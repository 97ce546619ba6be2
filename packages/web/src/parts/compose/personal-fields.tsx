/** A stored text instead of one that is written, and what the fields of either are to say. */
import type { TemplateView } from '@courier-fleet/api-types'
import { maxFieldLength } from '@courier-fleet/api-types/personal-text'
import { ApiError } from '@courier-fleet/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ChosenTemplate, fieldsOf } from '../../stores/draft.ts'
import { useStores } from '../../stores.ts'
import { usePersonalWords } from '../../texts/personal-fields.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  /** somebody has tried to send it: what is missing is said */
  readonly isTried: boolean
}

export function PersonalFields({ isTried }: Props) {
  const { draft } = useStores()
  const words = usePersonalWords()
  const names = fieldsOf(draft.content.value)
  return (
    <>
      <TemplateField />
      {names.length > 0 && (
        <fieldset class="choices">
          <legend>{words.fields}</legend>
          {names.map((name) => (
            <ValueField key={name} name={name} isTried={isTried} />
          ))}
        </fieldset>
      )}
      <ReaderField />
    </>
  )
}

/** Nothing where there are none. */
function TemplateField() {
  const { api, draft, language } = useStores()
  const words = usePersonalWords()
  const all = useSignal<readonly TemplateView[]>([])
  const loading = useAsync(async () => {
    all.value = (await api.templates()).templates
  })
  useEffect(() => {
    loading.run()
  }, [])
  const { template } = draft.content.value
  const code = language.code.value
  const choose = (id: string) => draft.change({ template: chosenFrom(all.value.find((each) => each.id === id)) })
  if (loading.error.value) return <Failure error={loading.error.value} retry={loading.run} />
  if (all.value.length === 0 && !template) return null
  return (
    <>
      <Field id="template" label={words.template}>
        {(ids) => (
          <select {...ids} value={template?.id ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">{words.none}</option>
            {all.value.map(({ id, name }) => (
              <option key={id} value={id}>
                {name[code]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {template && <p class="bubble">{textIn(template, code)}</p>}
    </>
  )
}

function chosenFrom(template: TemplateView | undefined): ChosenTemplate | undefined {
  if (!template) return undefined
  const { id, version, text, fields } = template
  return { id, version, text, fields }
}

const textIn = ({ text }: ChosenTemplate, code: string): string =>
  typeof text === 'string' ? text : (text[code] ?? Object.values(text)[0] ?? '')

function ValueField({ name, isTried }: Props & { readonly name: string }) {
  const { draft, rehearsal, language } = useStores()
  const words = usePersonalWords()
  const { template, values } = draft.content.value
  const asked = template?.fields.find((field) => field.name === name)
  const value = values[name] ?? ''
  const people = value === '' ? lackingIn(rehearsal.error.value, name) : undefined
  const unsaid = isTried && asked && value.trim() === '' ? words.missing : undefined
  const hint = asked?.example === undefined ? undefined : words.such(asked.example)
  return (
    <Field
      id={`field-${name}`}
      label={asked?.label?.[language.code.value] ?? name}
      hint={asked ? hint : words.ofAll}
      error={people === undefined ? unsaid : words.noValue(people)}
    >
      {(ids) => (
        <input
          {...ids}
          maxLength={maxFieldLength}
          value={value}
          onInput={({ currentTarget }) => draft.change({ values: { ...values, [name]: currentTarget.value } })}
        />
      )}
    </Field>
  )
}

/** Of so many people this is not known. */
function lackingIn(error: unknown, name: string): number | undefined {
  if (!(error instanceof ApiError) || error.problem.code !== 'missing-field') return undefined
  return error.problem.fields?.includes(name) ? error.problem.people : undefined
}

/** Who it is that reads it as it is shown. */
function ReaderField() {
  const { draft, rehearsal } = useStores()
  const words = usePersonalWords()
  const { preview } = rehearsal.view.value?.text ?? {}
  const { to, reader } = draft.content.value
  const persons = to.filter(({ token }) => token.startsWith('user:'))
  if (!preview && reader === undefined) return null
  return (
    <>
      {persons.length > 1 && (
        <Field id="reader" label={words.reader}>
          {(ids) => (
            <select
              {...ids}
              value={reader ?? ''}
              onChange={({ currentTarget: { value } }) => draft.change({ reader: value === '' ? undefined : value })}
            >
              <option value="">{words.longest}</option>
              {persons.map(({ token, label }) => (
                <option key={token} value={token.slice('user:'.length)}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {preview && (
        <p class="hint" role="status">
          {words.asReads(preview.name ?? preview.person)}
        </p>
      )}
    </>
  )
}
