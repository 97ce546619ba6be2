import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useWords } from '../stores.ts'
import { Failure } from './failure.tsx'
import { useAsync } from './use-async.ts'

/** A view that is loaded when it is shown: what few people open does not weigh on everybody's page. */
export function later(load: () => Promise<ComponentType>): ComponentType {
  return function Later() {
    const words = useWords()
    const view = useSignal<{ readonly Shown: ComponentType } | undefined>(undefined)
    const loading = useAsync(async () => {
      view.value = { Shown: await load() }
    })
    useEffect(() => {
      loading.run()
    }, [])
    if (view.value) return <view.value.Shown />
    return loading.error.value ? <Failure error={loading.error.value} retry={loading.run} /> : <p>{words.loading}</p>
  }
}
