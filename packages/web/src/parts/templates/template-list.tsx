import type { TemplateView } from '@courier-fleet/api-types'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { Anchor } from '../anchor.tsx'
import { Failure } from '../failure.tsx'
import { Title } from '../title.tsx'
import { useAsync } from '../use-async.ts'

/** What has been changed last. */
export interface Done {
  readonly said: string
  /** undefined where nothing was changed. @throws where somebody has changed it since */
  readonly undo: (() => Promise<unknown>) | undefined
}

/** All of them; the last change can be taken back. */
export function TemplateList({ done }: { done: Signal<Done | undefined> }) {
  const { api } = useStores()
  const words = useWords()
  const said = useTemplateWords()
  const withArchived = useSignal(false)
  const list = useSignal<readonly TemplateView[] | undefined>(undefined)
  const loading = useAsync(async () => {
    list.value = (await api.templates(withArchived.value ? { archived: 'true' } : {})).templates
  })
  const undoing = useAsync(async () => {
    await done.value?.undo?.().finally(loading.run)
    done.value = { said: said.undone, undo: undefined }
  })
  useEffect(() => {
    loading.run()
  }, [withArchived.value])
  return (
    <>
      <Title>{words.nav.templates}</Title>
      <p>{said.intro}</p>
      <p role="status">{done.value?.said}</p>
      <Failure error={loading.error.value} retry={loading.run} />
      <Failure error={undoing.error.value} />
      <p class="actions">
        <Anchor to={{ view: 'templates', query: { id: '' } }} class="button">
          {said.create}
        </Anchor>
        {done.value?.undo && (
          <button type="button" aria-disabled={undoing.running.value} onClick={() => undoing.run()}>
            {said.undo}
          </button>
        )}
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={withArchived.value}
          onChange={(event) => (withArchived.value = event.currentTarget.checked)}
        />
        {said.archivedToo}
      </label>
      {!list.value && loading.running.value && <p>{words.loading}</p>}
      {list.value?.length === 0 && <p>{said.none}</p>}
      <ul class="groups">
        {list.value?.map((template) => (
          <Row key={template.id} template={template} />
        ))}
      </ul>
    </>
  )
}

function Row({ template: { id, version, name, fields, archived } }: { template: TemplateView }) {
  const { language } = useStores()
  const said = useTemplateWords()
  const code = language.code.value
  const asked = fields.map((field) => field.label?.[code] ?? field.name).join(', ')
  return (
    <li>
      <Anchor to={{ view: 'templates', query: { id } }} class="link">
        {name[code]}
      </Anchor>
      <span class="hint">{[id, said.version(version), ...(asked === '' ? [] : [said.asks(asked)])].join(' · ')}</span>
      {archived && <span class="badge">{said.archived}</span>}
    </li>
  )
}
