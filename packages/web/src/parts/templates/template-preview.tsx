import type { RehearsalView } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { examplesOf, hasFlaws, inputOf, type TemplateDraft } from '../../template-draft.ts'
import { usePersonalWords } from '../../texts/personal-fields.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { marked } from './template-texts.tsx'

/** people type several letters in a row */
const pauseMs = 250

/** As one of its readers would read it, with the examples of what the sender is asked for: whoever writes it, or whoever of a group reads the longest. */
export function TemplatePreview({ draft }: { draft: TemplateDraft }) {
  const { session, directory } = useStores()
  const said = useTemplateWords()
  const personal = usePersonalWords()
  const to = useSignal(`user:${session.current.value?.owner}`)
  const { view, error } = useRehearsed(draft, to.value)
  useEffect(directory.wanted, [])
  const { preview } = view?.text ?? {}
  return (
    <>
      <Field id="template-reader" label={said.reader}>
        {(ids) => (
          <select {...ids} value={to.value} onChange={(event) => (to.value = event.currentTarget.value)}>
            <option value={`user:${session.current.value?.owner}`}>{said.me}</option>
            {directory.groups.value?.map(({ id, name }) => (
              <option key={id} value={`group:${id}`}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Refused error={error} />
      {preview && (
        <>
          <p class="bubble">{preview.text}</p>
          <p class="hint" role="status">
            {personal.asReads(preview.name ?? preview.person)} {view?.text && said.parts(view.text.sms.parts)}
          </p>
        </>
      )}
    </>
  )
}

/** What is not known of some of them is named. */
function Refused({ error }: { error: unknown }) {
  const said = useTemplateWords()
  if (!(error instanceof ApiError) || error.problem.code !== 'missing-field') return <Failure error={error} />
  const { people = 0, fields = [] } = error.problem
  return (
    <p class="error" role="status">
      {said.lacking(people, marked(fields))}
    </p>
  )
}

/** What the service says of it, once nothing is typed for a moment; nothing of a text that is not whole. */
function useRehearsed(draft: TemplateDraft, to: string): { view?: RehearsalView; error?: unknown } {
  const { api } = useStores()
  const answer = useSignal<{ view?: RehearsalView; error?: unknown }>({})
  const { text, language } = inputOf(draft)
  const isWhole = !hasFlaws(draft) && draft.texts.every((each) => each.text.trim() !== '')
  const question = JSON.stringify({ to: [to], text, language, fields: examplesOf(draft) })
  useEffect(() => {
    const stop = new AbortController()
    answer.value = {}
    const timer = setTimeout(async () => {
      if (!isWhole) return
      try {
        answer.value = { view: await api.rehearse(JSON.parse(question), stop.signal) }
      } catch (error) {
        if (!stop.signal.aborted) answer.value = { error }
      }
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [question, isWhole])
  return answer.value
}
