/** The body of a call: the same at every try, for it is made of what was accepted and of nothing else. */
import type { Envelope, Item } from '../courier.ts'

/** It is what a receiver knows a repeated call by. */
export const idOf = ({ key }: Pick<Item, 'key'>): string => key.toString(16).padStart(16, '0')

export function bodyOf(item: Item, { person, history, createdMs, data }: Envelope): string {
  return JSON.stringify({
    id: idOf(item),
    created: new Date(createdMs).toISOString(),
    type: 'message',
    text: item.text,
    ...(person === undefined ? {} : { person }),
    history,
    ...(data === undefined ? {} : { data }),
    ...(item.files ? { files: item.files.map(({ id: _ours, ...file }) => file) } : {}),
  })
}
