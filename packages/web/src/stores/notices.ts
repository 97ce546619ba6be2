/** What a screen reader is told of, politely, when something changes without a click. */
import { type Signal, signal } from '@preact/signals'

export interface Notices {
  readonly text: Signal<string>
  announce(text: string): void
}

export function createNotices(): Notices {
  const text = signal('')
  return {
    text,
    announce(next) {
      text.value = next
    },
  }
}
