/** The language of the page: what was chosen here, else the person's, else the browser's. Only its words are loaded. */

import { addCatalogue } from '@courier-fleet/words'
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Words } from '../texts/en.ts'
import type { Session } from './session.ts'

const texts = {
  ru: async () => (await import('../texts/ru.ts')).ru,
  en: async () => (await import('../texts/en.ts')).en,
} as const satisfies Record<string, () => Promise<Words>>

export type LanguageCode = keyof typeof texts
export const languageCodes = Object.keys(texts) as readonly LanguageCode[]

export interface Language {
  /** whose words are shown */
  readonly code: ReadonlySignal<LanguageCode>
  /** there after `load()` */
  readonly words: ReadonlySignal<Words>
  /** @throws when the words cannot be loaded */
  load(): Promise<void>
  /** What is shown stays until the words are there. @throws as above */
  choose(code: LanguageCode): Promise<void>
}

const storageKey = 'language'

export function createLanguage({ current }: Session): Language {
  const chosen = signal(localStorage.getItem(storageKey))
  const wanted = computed(() => {
    const tags = [chosen.value, current.value?.person?.language, ...navigator.languages]
    return tags.map((tag) => tag?.slice(0, 2) ?? '').find(isKnown) ?? 'en'
  })
  const shown = signal<{ readonly code: LanguageCode; readonly words: Words } | undefined>(undefined)

  async function load() {
    const code = wanted.peek()
    const words = await texts[code]()
    addCatalogue(code, words.known)
    if (code === wanted.peek()) shown.value = { code, words }
  }
  // when it is known who looks, it may be another language; where that cannot be loaded, the one that is shown stays
  effect(() => {
    if (shown.value && wanted.value !== shown.value.code) load().catch(() => {})
  })

  return {
    code: computed(() => shown.value?.code ?? wanted.value),
    words: computed(() => {
      if (!shown.value) throw new Error('the words are not loaded')
      return shown.value.words
    }),
    load,
    async choose(next) {
      await texts[next]()
      localStorage.setItem(storageKey, next)
      chosen.value = next
      await load()
    },
  }
}

const isKnown = (tag: string): tag is LanguageCode => tag in texts
