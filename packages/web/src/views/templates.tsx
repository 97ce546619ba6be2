import { useSignal } from '@preact/signals'
import { later } from '../parts/later.tsx'
import { type Done, TemplateList } from '../parts/templates/template-list.tsx'
import { useStores } from '../stores.ts'

const TemplateEditor = later(async () => (await import('../parts/templates/template-editor.tsx')).TemplateEditor)

/** The stored texts there are, or the one that the address names; an empty name is of a new one. For staff. */
export function Templates() {
  const { router } = useStores()
  const done = useSignal<Done | undefined>(undefined)
  const { id } = router.route.value.query ?? {}
  if (id === undefined) return <TemplateList done={done} />
  return (
    <TemplateEditor
      key={id}
      id={id}
      onDone={(now) => {
        done.value = now
        router.go({ view: 'templates' })
      }}
    />
  )
}
