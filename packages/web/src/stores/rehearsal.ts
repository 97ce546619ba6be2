/** Whom the draft would reach, asked anew whenever its audience changes. */
import type { RehearsalView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Draft } from './draft.ts'

export interface Rehearsal {
  /** undefined while nobody is chosen, or nothing is known yet */
  readonly view: ReadonlySignal<RehearsalView | undefined>
  readonly error: Signal<unknown>
  readonly asking: Signal<boolean>
  /** The directory may have changed. */
  again(): void
  /** Asks until this is called. */
  follow(): () => void
}

/** people tick several boxes in a row */
const pauseMs = 250

export function createRehearsal(api: Client, draft: Draft): Rehearsal {
  const view = signal<RehearsalView | undefined>(undefined)
  const error = signal<unknown>(undefined)
  const asking = signal(false)
  const round = signal(0)
  const audience = computed(() => draft.content.value.to.map(({ token }) => token).join(' '))

  async function ask(to: string[], signal: AbortSignal) {
    asking.value = true
    error.value = undefined
    try {
      view.value = await api.rehearse({ to }, signal)
    } catch (cause) {
      if (signal.aborted) return
      view.value = undefined
      error.value = cause
    }
    asking.value = false
  }

  return {
    view,
    error,
    asking,
    again() {
      round.value += 1
    },
    follow: () =>
      effect(() => {
        round.value
        const to = audience.value.split(' ').filter(Boolean)
        const stop = new AbortController()
        const timer = setTimeout(() => {
          if (to.length > 0) return ask(to, stop.signal)
          view.value = undefined
          error.value = undefined
          asking.value = false
        }, pauseMs)
        return () => {
          clearTimeout(timer)
          stop.abort()
          // what is shown must be of the audience that is chosen
          view.value = undefined
        }
      }),
  }
}
