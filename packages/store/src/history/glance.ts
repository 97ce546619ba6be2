/** The little of a history by which lists are filtered and counted: read of thousands where views are made of some. */
import { type HistoryRef, type ListState, textsOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { parseRecord } from './message-record.ts'

export interface Glance {
  readonly state: ListState
  /** in all of its languages; empty where they were not asked for, and where they are not kept any more */
  readonly text: string
  readonly to: readonly string[]
}

/** `undefined` where there is no such history any more. */
export async function glanceAt(
  redis: Redis,
  ref: HistoryRef,
  { withText }: { readonly withText: boolean },
): Promise<Glance | undefined> {
  const [[state, held], record] = await Promise.all([
    redis.hmget(keys.history(ref), 'state', 'held'),
    withText ? redis.get(keys.record(ref)) : null,
  ])
  if (!state) return undefined
  const { text, to, personal } = record === null ? { text: '', to: [] } : parseRecord(record)
  const texts = textsOf({ text, personal }).join('\n')
  return { state: (state === 'scheduled' && held ? 'held' : state) as ListState, text: texts, to }
}
