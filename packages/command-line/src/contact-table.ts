/** The contacts of somebody. */
import type { PersonDetails } from '@courier-fleet/api-types'
import { table } from './table.ts'

type Contact = Omit<PersonDetails['contacts'][string], 'others'> & { readonly channel: string }

/** Of several on a channel the first is the one that is used first. */
export const contactsOf = ({ contacts }: PersonDetails): readonly Contact[] =>
  Object.entries(contacts).flatMap(([channel, { others = [], ...first }]) =>
    [first, ...others].map((contact) => ({ channel, ...contact })),
  )

export function contactTable(contacts: readonly Contact[]): string {
  const rows = contacts.map(({ channel, address, state, reason, agreed }) => [
    channel,
    address,
    state,
    reason,
    agreed && [agreed.by, new Date(agreed.at).toISOString(), agreed.wording].filter(Boolean).join(' '),
  ])
  return table([['channel', 'address', 'state', 'reason', 'agreed by'], ...rows])
}
