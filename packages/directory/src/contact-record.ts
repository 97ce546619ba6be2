import type { Contact, ContactState, FurtherContact, PlainContact } from './directory.ts'

/** `wishes`: the person has some, which stand elsewhere; see wishes.ts. */
export interface StoredContact extends Omit<Contact, 'wishes'> {
  readonly wishes?: true
}

/** As scripts write it into a hash field: the bare address of a contact that was never marked, which nearly all are; else JSON. */
export function readContact(text: string): StoredContact {
  if (!text.startsWith('{')) return { address: text, state: 'active' }
  const { wishes, others, ...first } = JSON.parse(text) as StoredContact
  return {
    ...oneOf(first),
    ...(wishes ? { wishes } : {}),
    ...(others ? { others: others.map(oneOf) } : {}),
  }
}

function oneOf({ address, state, reason, since, agreed }: FurtherContact): FurtherContact {
  return {
    address,
    state: state satisfies ContactState,
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since }),
    ...(agreed === undefined ? {} : { agreed }),
  }
}

/** All of somebody on a channel, each by itself, in order. */
export function eachOf(contact: (PlainContact & { readonly wishes?: unknown }) | null | undefined): FurtherContact[] {
  if (!contact) return []
  const { others = [], wishes: _, ...own } = contact
  return [own, ...others]
}

/** Likewise, each with what its person wishes there. */
export const contactsIn = ({ others = [], ...first }: Contact): Contact[] => [
  first,
  ...others.map((other) => ({ ...other, ...(first.wishes ? { wishes: first.wishes } : {}) })),
]

/** Likewise: their addresses. */
export const addressesOf = (contact: Pick<Contact, 'address' | 'others'> | null | undefined): string[] =>
  contact ? [contact.address, ...(contact.others ?? []).map((other) => other.address)] : []

/** Whether it is one of theirs, of somebody's contacts on a channel. */
export const hasAddress = (contact: Pick<Contact, 'address' | 'others'> | null | undefined, address: string): boolean =>
  addressesOf(contact).includes(address)

/**
 * As it is to be used: the one that messages go to is the first, before the others. That is the first that can be written to, and of those
 * the ones their person has agreed to come before the rest; where none can be, the first.
 */
export function inOrderOfUse(contact: Contact): Contact {
  const { others, wishes } = contact
  if (!others) return contact
  const rank = ({ state, agreed }: FurtherContact) => (state !== 'active' ? 2 : agreed ? 0 : 1)
  const [first = contact, ...following] = eachOf(contact).sort((one, other) => rank(one) - rank(other))
  return { ...first, ...(wishes ? { wishes } : {}), others: following }
}
