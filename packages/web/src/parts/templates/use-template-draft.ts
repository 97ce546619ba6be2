/** A template that is being written: what it was when it was read, what it is by now, and how it becomes another. */
import type { TemplateInput, TemplateView } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { blank, draftOf, type TemplateDraft } from '../../template-draft.ts'
import { useTemplateWords } from '../../texts/templates.ts'
import { useAsync } from '../use-async.ts'
import type { Done } from './template-list.tsx'
import { type Change, undo } from './undo.ts'

const isRefused = (error: unknown, ...statuses: number[]) =>
  error instanceof ApiError && statuses.includes(error.problem.status)

/** @param id empty: a new one */
export function useTemplateDraft(id: string, onDone: (done: Done) => void) {
  const { api } = useStores()
  const said = useTemplateWords()
  /** undefined until it is read */
  const draft = useSignal<TemplateDraft | undefined>(id === '' ? blank : undefined)
  /** the newest first */
  const versions = useSignal<readonly TemplateView[]>([])
  const [newest] = versions.value
  /** the version that the draft began as */
  const begun = useSignal<number | undefined>(undefined)
  const loading = useAsync(async () => {
    if (id === '') return
    versions.value = (await api.templateVersions(id)).versions
    const [now] = versions.value
    if (draft.value || !now) return
    draft.value = draftOf(now)
    begun.value = now.version
  })
  useEffect(() => {
    loading.run()
  }, [])
  const changing = useAsync(async (text: (change: Change) => string, make: () => Promise<Change | undefined>) => {
    try {
      const change = await make()
      if (change) onDone({ said: text(change), undo: () => undo(api, change) })
      else onDone({ said: said.unchanged, undo: undefined })
    } catch (error) {
      // somebody was faster: who it was, and what they wrote, is shown
      if (isRefused(error, 412)) await loading.run()
      throw error
    }
  })
  const error = changing.error.value
  const isTaken = id === '' && isRefused(error, 412, 428)
  const isStale = newest?.version !== begun.value
  return {
    draft: draft.value,
    change(changes: Partial<TemplateDraft>) {
      if (draft.value) draft.value = { ...draft.value, ...changes }
    },
    versions: versions.value,
    newest,
    loading,
    running: changing.running.value,
    /** a new one has an id that another has */
    isTaken,
    /** somebody has changed it since it was read; what is put now takes the place of theirs */
    isStale,
    /** but for what is said by these two */
    error: isTaken || (isStale && isRefused(error, 412)) ? undefined : error,
    put: (wanted: string, body: TemplateInput) =>
      changing.run(
        ({ version }) => said.saved(version),
        async () => {
          const { outcome, version } = await api.putTemplate(wanted, body, newest?.version)
          return outcome === 'unchanged' ? undefined : { id: wanted, before: newest, version }
        },
      ),
    archive: (before: TemplateView) =>
      changing.run(
        () => said.archivedNow,
        async () => {
          await api.archiveTemplate(id, before.version)
          return { id, before, version: before.version + 1 }
        },
      ),
  }
}
