import type { TemplateView } from '@courier-fleet/api-types'
import { useStores, useWords } from '../../stores.ts'
import { bodyOf, hasFlaws, inputOf, type TemplateDraft } from '../../template-draft.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { Title } from '../title.tsx'
import { useMoment } from '../use-moment.ts'
import { AskedFields } from './asked-fields.tsx'
import { NameFields } from './name-fields.tsx'
import type { Done } from './template-list.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { TemplateTexts } from './template-texts.tsx'
import { TemplateVersions } from './template-versions.tsx'
import { useTemplateDraft } from './use-template-draft.ts'

interface Props {
  /** empty: a new one */
  readonly id: string
  readonly onDone: (done: Done) => void
}

/** A template to be written, how it reads, and what it was before. */
export function TemplateEditor({ id, onDone }: Props) {
  const { language } = useStores()
  const words = useWords()
  const said = useTemplateWords()
  const { draft, change, newest, versions, loading, ...written } = useTemplateDraft(id, onDone)
  return (
    <>
      <Title>{newest?.name[language.code.value] ?? (id === '' ? said.create : id)}</Title>
      <Failure error={loading.error.value} retry={loading.run} />
      {!draft && loading.running.value && <p>{words.loading}</p>}
      {draft && (
        <div class="columns">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (!hasFlaws(draft)) return written.put(draft.id, inputOf(draft))
              event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus()
            }}
          >
            {newest?.archived && <p class="note">{said.isArchived}</p>}
            {id === '' && <IdField id={draft.id} isTaken={written.isTaken} onChange={change} />}
            <NameFields draft={draft} onChange={change} />
            <TemplateTexts texts={draft.texts} onChange={(texts) => change({ texts })} />
            <AskedFields draft={draft} onChange={(asked) => change({ asked })} />
            {newest && written.isStale && <Meanwhile newest={newest} />}
            <Failure error={written.error} />
            <div class="actions send-bar">
              <button type="submit" class="primary" aria-disabled={written.running}>
                {said.save}
              </button>
              {newest && !newest.archived && (
                <button type="button" class="danger" onClick={() => written.archive(newest)}>
                  {said.archive}
                </button>
              )}
            </div>
          </form>
          <div>
            <TemplatePreview draft={draft} />
            <TemplateVersions versions={versions} onRestore={(version) => written.put(id, bodyOf(version))} />
          </div>
        </div>
      )}
    </>
  )
}

interface IdProps {
  readonly id: string
  readonly isTaken: boolean
  readonly onChange: (changes: Partial<TemplateDraft>) => void
}

function IdField({ id, isTaken, onChange }: IdProps) {
  const said = useTemplateWords()
  return (
    <Field id="template-id" label={said.id} hint={said.idHint} error={isTaken ? said.taken : undefined}>
      {(ids) => (
        <input
          {...ids}
          required
          pattern={'[\\w\\-]{1,64}'}
          value={id}
          onInput={(event) => onChange({ id: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

/** Who was faster; what they wrote is the newest of the versions below. */
function Meanwhile({ newest: { by, at, version } }: { newest: TemplateView }) {
  const said = useTemplateWords()
  const moment = useMoment()
  return (
    <p class="failure" role="alert">
      {said.meanwhile(by, moment(at), version)}
    </p>
  )
}
