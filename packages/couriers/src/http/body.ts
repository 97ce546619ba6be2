/** The body of a call: the same at every try, for it is made of what was accepted and of nothing else. */
import type { Envelope, Item } from '../courier.ts'

/** What a program is told of a message it has: its new text, or that it is withdrawn. */
export interface Change {
  readonly type: 'corrected' | 'recalled'
  /** by ids of calls, commas between them */
  readonly of: string
}

/** What is said of one recipient. */
export interface Saying {
  readonly item: Item
  readonly envelope: Envelope
  /** absent: the message itself */
  readonly change?: Change | undefined
}

/** Of the message with each of its texts, the oldest first. */
function idsOf({ key }: Item, version: number): string[] {
  const first = key.toString(16).padStart(16, '0')
  return Array.from({ length: version }, (_, at) => (at === 0 ? first : `${first}-${at + 1}`))
}

/** It is what a receiver knows a repeated call by: so a message with another text, or a change of one, has another. */
export function idOf({ item, envelope: { version = 1 }, change }: Saying): string {
  return idsOf(item, change ? 1 : version).at(-1) as string
}

export function bodyOf(saying: Saying): string {
  const { item, envelope, change } = saying
  const { person, history, createdMs, data, version } = envelope
  const isRecalled = change?.type === 'recalled'
  return JSON.stringify({
    id: idOf(saying),
    created: new Date(createdMs).toISOString(),
    type: change?.type ?? 'message',
    ...(version === undefined ? {} : { version }),
    ...toldBefore(saying),
    ...(isRecalled ? {} : { text: item.text }),
    ...(person === undefined ? {} : { person }),
    history,
    ...(data === undefined || isRecalled ? {} : { data }),
    ...(item.files && !isRecalled ? { files: item.files.map(({ id: _ours, ...file }) => file) } : {}),
  })
}

/** Calls that are over with this one; of those of an older text nobody may know whether they came. */
function toldBefore({ item, envelope: { version = 1 }, change }: Saying): { replaces?: string[] } {
  const replaces = change ? change.of.split(',') : idsOf(item, version).slice(0, -1)
  return replaces.length > 0 ? { replaces } : {}
}
