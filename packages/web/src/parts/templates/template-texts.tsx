import { maxTextLength } from '@courier-fleet/api-types/split-text'
import { flawIn, isTaken, type TemplateDraft, type WrittenText } from '../../template-draft.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { Field } from '../field.tsx'

type Texts = TemplateDraft['texts']

interface Props {
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
}

export const marked = (names: readonly string[]) => names.map((name) => `{{${name}}}`).join(', ')

/** The text for everybody, or one for each language, that for all other languages first. */
export function TemplateTexts({ texts, onChange }: Props) {
  const said = useTemplateWords()
  const change = (at: number, changes: Partial<WrittenText>) =>
    onChange(texts.map((each, index) => (index === at ? { ...each, ...changes } : each)) as unknown as Texts)
  return (
    <>
      {texts.map((each, at) => (
        <TextRow
          key={at}
          at={at}
          texts={texts}
          written={each}
          onChange={(changes) => change(at, changes)}
          onDrop={() => onChange(texts.filter((other) => other !== each) as unknown as Texts)}
        />
      ))}
      <p class="actions">
        <button type="button" onClick={() => onChange([...texts, { language: '', text: '' }])}>
          {said.addText}
        </button>
      </p>
    </>
  )
}

interface RowProps {
  readonly at: number
  readonly texts: Texts
  readonly written: WrittenText
  readonly onChange: (changes: Partial<WrittenText>) => void
  readonly onDrop: () => void
}

function TextRow({ at, texts, written, onChange, onDrop }: RowProps) {
  const said = useTemplateWords()
  const { language, text } = written
  const isOne = texts.length === 1 && language === ''
  const flaw = flawIn(texts, written)
  const wrong = flaw && (flaw.is === 'slip' ? said.wrong(flaw.mark) : said.lacks(marked(flaw.names)))
  return (
    <>
      {!isOne && (
        <Field
          id={`language-${at}`}
          label={said.language}
          hint={at === 0 ? said.forOthers : undefined}
          error={language !== '' && isTaken(texts, language) ? said.sameLanguage : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              required={texts.length > 1}
              pattern="[a-z]{2,3}"
              autocomplete="off"
              value={language}
              onInput={(event) => onChange({ language: event.currentTarget.value.trim() })}
            />
          )}
        </Field>
      )}
      <Field
        id={`text-${at}`}
        label={isOne ? said.text : said.textIn(language)}
        hint={at === 0 ? said.textHint : undefined}
        error={wrong}
      >
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            required
            maxLength={maxTextLength}
            value={text}
            onInput={(event) => onChange({ text: event.currentTarget.value })}
          />
        )}
      </Field>
      {texts.length > 1 && (
        <button type="button" class="link" onClick={onDrop}>
          {said.dropText(language)}
        </button>
      )}
    </>
  )
}
