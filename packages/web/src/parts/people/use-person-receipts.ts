import type { PersonReceipts } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { useAsync } from '../use-async.ts'

export type Received = PersonReceipts['messages'][number]

/** What one person was sent, the latest first: the first page at once, and another whenever `reading` is run again. */
export function usePersonReceipts(person: string) {
  const { api } = useStores()
  const messages = useSignal<PersonReceipts['messages']>([])
  const next = useSignal<string | undefined>(undefined)
  const isRead = useSignal(false)
  const reading = useAsync(async () => {
    const page = await api.receiptsOfPerson(person, next.value === undefined ? {} : { to: next.value })
    messages.value = [...messages.value, ...page.messages]
    next.value = page.next
    isRead.value = true
  })
  useEffect(() => {
    reading.run()
  }, [])
  return {
    reading,
    messages: messages.value,
    hasOlder: next.value !== undefined,
    isEmpty: isRead.value && messages.value.length === 0,
    replace(message: Received) {
      messages.value = messages.value.map((each) => (each.key === message.key ? message : each))
    },
  }
}
