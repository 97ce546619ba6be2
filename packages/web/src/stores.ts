/** Everything the views share, built once. */

import type { Client } from '@courier-fleet/client'
import { computed, effect, untracked } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createPageClient } from './page-client.ts'
import { createRouter, type Router } from './router.ts'
import { createDirectoryStore, type DirectoryStore } from './stores/directory.ts'
import { createDraft, type Draft } from './stores/draft.ts'
import { createHistoryList, type HistoryList } from './stores/history-list.ts'
import { createLanguage, type Language } from './stores/language.ts'
import { createMessageTypes, type MessageTypes } from './stores/message-types.ts'
import { createNotices, type Notices } from './stores/notices.ts'
import { createRehearsal, type Rehearsal } from './stores/rehearsal.ts'
import { createSession, type Session } from './stores/session.ts'

export interface Stores {
  readonly api: Client
  readonly router: Router
  readonly session: Session
  readonly language: Language
  readonly notices: Notices
  readonly directory: DirectoryStore
  readonly draft: Draft
  readonly rehearsal: Rehearsal
  readonly messageTypes: MessageTypes
  readonly histories: HistoryList
  /** of the sandbox; absent when messages are real */
  readonly phonesPageUrl: string | undefined
}

export function createStores(): Stores {
  const session = createSession()
  const api = createPageClient({ csrfToken: () => session.current.value?.csrfToken, onNoSession: session.end })
  const draft = createDraft(sessionStorage)
  const directory = createDirectoryStore(api)
  const histories = createHistoryList(api)
  const owner = computed(() => session.current.value?.owner)
  effect(() => {
    const person = owner.value
    // this effect depends on who is signed in, not on the stores that it resets
    if (person !== undefined) untracked(() => resetFor(person))
  })
  function resetFor(person: string) {
    draft.openFor(person)
    directory.forget()
    histories.forget()
  }
  return {
    api,
    session,
    draft,
    router: createRouter(),
    language: createLanguage(session),
    notices: createNotices(),
    directory,
    rehearsal: createRehearsal(api, draft, session),
    messageTypes: createMessageTypes(api, session),
    histories,
    phonesPageUrl: document.querySelector<HTMLMetaElement>('meta[name=phones-page]')?.content,
  }
}

export const StoresContext = createContext<Stores | undefined>(undefined)

export function useStores(): Stores {
  const stores = useContext(StoresContext)
  if (!stores) throw new Error('outside of StoresContext')
  return stores
}

export function useWords() {
  return useStores().language.words.value
}
