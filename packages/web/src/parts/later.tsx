import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useWords } from '../stores.ts'
import { Failure } from './failure.tsx'
import { useAsync } from './use-async.ts'

/** A view that is loaded when it is shown: what is not looked at does not weigh on the page. */
export function later<P extends object = object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let Loaded: ComponentType<P> | undefined
  async function prefetch() {
    Loaded = await load()
  }
  function Later(props: P) {
    const words = useWords()
    const [, shown] = useState(Loaded !== undefined)
    const loading = useAsync(async () => {
      await prefetch()
      shown(true)
    })
    useEffect(() => {
      if (!Loaded) loading.run()
    }, [])
    if (Loaded) return <Loaded {...props} />
    return loading.error.value ? <Failure error={loading.error.value} retry={loading.run} /> : <p>{words.loading}</p>
  }
  return Object.assign(Later, { prefetch })
}

export type Later<P> = ComponentType<P> & {
  /** Once it is there it is shown at once. @throws when it cannot be loaded */
  readonly prefetch: () => Promise<void>
}
