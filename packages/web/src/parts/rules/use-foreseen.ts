/** A change of the rules is made by one press where it concerns nobody who waits and nothing that is scheduled; else that is shown first. */
import type { SettingsConcern } from '@courier-fleet/api-types'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useAsync } from '../use-async.ts'

interface Calls<T> {
  /** asks, and changes nothing */
  foresee(change: T): Promise<{ readonly concerns: readonly SettingsConcern[] }>
  make(change: T): Promise<void>
}

export interface Foreseen<T> {
  readonly error: ReadonlySignal<unknown>
  /** What is to be known before this very change is made; undefined until it was asked. */
  concernsOf(change: T): readonly SettingsConcern[] | undefined
  press(change: T): Promise<void>
}

export function useForeseen<T>({ foresee, make }: Calls<T>): Foreseen<T> {
  const shown = useSignal<{ change: string; concerns: readonly SettingsConcern[] } | undefined>(undefined)
  const concernsOf = (change: T) => (shown.value?.change === JSON.stringify(change) ? shown.value.concerns : undefined)
  const pressing = useAsync(async (change: T) => {
    if (concernsOf(change)) return make(change)
    const { concerns } = await foresee(change)
    if (concerns.length === 0) return make(change)
    shown.value = { change: JSON.stringify(change), concerns }
  })
  return { error: pressing.error, concernsOf, press: pressing.run }
}
