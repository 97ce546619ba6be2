/** The language of the page: what was chosen here, else the person's, else the browser's. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { en } from '../texts/en.ts'
import { ru } from '../texts/ru.ts'
import type { Session } from './session.ts'

export const languages = { ru, en } as const
export type LanguageCode = keyof typeof languages

export interface Language {
  readonly code: ReadonlySignal<LanguageCode>
  readonly words: ReadonlySignal<typeof en>
  choose(code: LanguageCode): void
}

const storageKey = 'language'

export function createLanguage({ current }: Session): Language {
  const chosen = signal(localStorage.getItem(storageKey))
  const code = computed(() => {
    const wanted = [chosen.value, current.value?.person?.language, ...navigator.languages]
    return wanted.map((tag) => tag?.slice(0, 2) ?? '').find(isKnown) ?? 'en'
  })
  return {
    code,
    words: computed(() => languages[code.value]),
    choose(next) {
      chosen.value = next
      localStorage.setItem(storageKey, next)
    },
  }
}

const isKnown = (tag: string): tag is LanguageCode => tag in languages
