import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useWords } from '../stores.ts'
import { Failure } from './failure.tsx'
import { useAsync } from './use-async.ts'

/** A view that is loaded when it is shown: what is not looked at does not weigh on the page. */
export function later<P extends object = object>(load: () => Promise<ComponentType<P>>): Later<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined)
  async function prefetch() {
    loaded.value = await load()
  }
  function Later(props: P) {
    const words = useWords()
    const loading = useAsync(prefetch)
    useEffect(() => {
      if (!loaded.value) loading.run()
    }, [])
    const Loaded = loaded.value
    if (Loaded) return <Loaded {...props} />
    return loading.error.value ? <Failure error={loading.error.value} retry={loading.run} /> : <p>{words.loading}</p>
  }
  return Object.assign(Later, { prefetch })
}

export type Later<P> = ComponentType<P> & {
  /** Once it is there it is shown, also where it was waited for. @throws when it cannot be loaded */
  readonly prefetch: () => Promise<void>
}
