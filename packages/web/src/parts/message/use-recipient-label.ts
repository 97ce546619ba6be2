import type { HistoryView } from '@courier-fleet/api-types'
import { narrowingWords } from '@courier-fleet/words'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'

/** The name behind a token, as far as the directory was read. */
export function useRecipientLabel(): (token: string) => string {
  const { directory, language } = useStores()
  const words = useWords()
  useEffect(directory.wanted, [])
  return (token) => {
    const [kind, id = ''] = token.split(':')
    const among = kind === 'group' ? directory.groups.value : kind === 'cohort' ? directory.cohorts.value : undefined
    const narrowing = narrowingWords(language.code.value, token)
    if (narrowing !== undefined) return narrowing
    if (kind === 'url') return urlLabel(token.slice('url:'.length))
    if (kind === 'role') return words.everyRole[id] ?? token
    if (kind === 'topic') return directory.topics.value?.find((each) => each.id === id)?.name[language.code.value] ?? id
    return among?.find((each) => each.id === id)?.name ?? id
  }
}

/** Whom a message is for, in words; nothing of one whose record is gone. */
export function useRecipients({ to = [] }: HistoryView): string {
  const labelOf = useRecipientLabel()
  return [...new Set(to.map(labelOf))].join(', ')
}

/** Without the query, which may hold a secret. */
function urlLabel(url: string): string {
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}
