import type { AskedField } from '@courier-fleet/api-types'
import { maxFieldLength } from '@courier-fleet/api-types/personal-text'
import { fallbackIn, namesIn, type TemplateDraft } from '../../template-draft.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { Field } from '../field.tsx'
import { marked } from './template-texts.tsx'

interface Props {
  readonly draft: TemplateDraft
  readonly onChange: (asked: readonly AskedField[]) => void
}

/** Of each field of the texts, what it stands for: a value that the sender is asked for, or each person's own. */
export function AskedFields({ draft: { texts, asked }, onChange }: Props) {
  const said = useTemplateWords()
  return (
    <>
      {namesIn(texts).map((name) => {
        const field = asked.find((each) => each.name === name)
        const others = asked.filter((each) => each.name !== name)
        const fallback = fallbackIn(texts, name)
        return (
          <fieldset key={name}>
            <label class="choice">
              <input
                type="checkbox"
                checked={field !== undefined}
                onChange={(event) => onChange(event.currentTarget.checked ? [...asked, { name }] : others)}
              />
              {said.ask(marked([name]))}
            </label>
            {!field && <p class="hint">{said.ofEach}</p>}
            {fallback !== undefined && <p class="hint">{said.otherwise(fallback)}</p>}
            {field && (
              <Question
                field={field}
                onChange={(next) => onChange(asked.map((each) => (each === field ? next : each)))}
              />
            )}
          </fieldset>
        )
      })}
    </>
  )
}

interface QuestionProps {
  readonly field: AskedField
  readonly onChange: (field: AskedField) => void
}

/** How the sender is asked: in both languages, or by the name of the field. */
function Question({ field, onChange }: QuestionProps) {
  const said = useTemplateWords()
  const { name, label = { ru: '', en: '' }, example = '' } = field
  const isCalled = `${label.ru}${label.en}`.trim() !== ''
  return (
    <>
      {(['ru', 'en'] as const).map((code) => (
        <Field key={code} id={`label-${code}-${name}`} label={said.label[code]}>
          {(ids) => (
            <input
              {...ids}
              required={isCalled}
              maxLength={200}
              value={label[code]}
              onInput={(event) => onChange({ ...field, label: { ...label, [code]: event.currentTarget.value } })}
            />
          )}
        </Field>
      ))}
      <Field id={`example-${name}`} label={said.example}>
        {(ids) => (
          <input
            {...ids}
            maxLength={maxFieldLength}
            value={example}
            onInput={(event) => onChange({ ...field, example: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}
