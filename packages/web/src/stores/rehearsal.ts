/** Whom the draft would reach, and when: asked anew whenever its audience changes, or what decides when they are sent it. */
import type { RehearsalInput, RehearsalView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Draft, type DraftContent, rulesOf, saidOf, unsaidIn } from './draft.ts'
import type { Session } from './session.ts'

export interface Rehearsal {
  /** undefined while nobody is chosen, or nothing is known yet */
  readonly view: ReadonlySignal<RehearsalView | undefined>
  readonly error: Signal<unknown>
  readonly asking: Signal<boolean>
  /** of the fleet, as far as one was told of all of them; else those that are chosen */
  readonly channels: ReadonlySignal<readonly string[]>
  /** What is known once it is: undefined where it cannot be found out, or nobody is chosen. */
  answer(): Promise<RehearsalView | undefined>
  /** The directory may have changed. */
  again(): void
  /** Asks until this is called. */
  follow(): () => void
}

/** A text that all read alike is not asked about; another once all that it needs of the sender is said. */
function askedOf(content: DraftContent): Pick<RehearsalInput, 'text' | 'template' | 'fields' | 'preview'> {
  const said = saidOf(content)
  if (!said.fields || unsaidIn(content).length > 0) return {}
  return { ...said, ...(content.reader === undefined ? {} : { preview: content.reader }) }
}

/** people tick several boxes in a row */
const pauseMs = 250

export function createRehearsal(api: Client, draft: Draft, session: Session): Rehearsal {
  const view = signal<RehearsalView | undefined>(undefined)
  const error = signal<unknown>(undefined)
  const asking = signal(false)
  const round = signal(0)
  const told = signal<readonly string[]>([])
  /** as text, so that a plain text that is typed meanwhile asks nothing */
  const question = computed(() => {
    const { content } = draft
    const to = content.value.to.map(({ token }) => token)
    const { at, ...rules } = rulesOf(content.value, session.timeZone.value)
    const { confirm } = content.value
    // a time that is not there yet is not asked about
    return JSON.stringify({
      to,
      ...askedOf(content.value),
      ...rules,
      ...(confirm ? { confirm } : {}),
      ...(at === '' ? {} : { at }),
    })
  })

  async function ask(wanted: RehearsalInput, signal: AbortSignal) {
    asking.value = true
    error.value = undefined
    try {
      const answer = await api.rehearse(wanted, signal)
      view.value = answer
      // in the steps of its type it goes by no other channels: those that are there otherwise are known already, or these
      const goesByAll = !wanted.channels && !wanted.steps && (!answer.steps || told.value.length === 0)
      if (goesByAll) told.value = Object.keys(answer.channels)
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
    channels: computed(() => {
      const { channels, smsLater } = draft.content.value
      return told.value.length > 0 ? told.value : (channels ?? (smsLater ? [...smsLater, 'sms'] : []))
    }),
    answer: () =>
      new Promise((resolve) => {
        const stop = effect(() => {
          if (view.value || error.value !== undefined || draft.content.value.to.length === 0)
            queueMicrotask(() => {
              stop()
              resolve(view.peek())
            })
        })
      }),
    again() {
      round.value += 1
    },
    follow: () =>
      effect(() => {
        round.value
        const wanted = JSON.parse(question.value) as RehearsalInput
        const stop = new AbortController()
        const timer = setTimeout(() => {
          if (wanted.to.length > 0) return ask(wanted, stop.signal)
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
