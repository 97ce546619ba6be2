import type { Contact, ContactState } from './directory.ts'

/** `wishes`: the person has some, which stand elsewhere; see wishes.ts. */
export interface StoredContact extends Omit<Contact, 'wishes'> {
  readonly wishes?: true
}

/** As scripts write it into a hash field: the bare address of a contact that was never marked, which nearly all are; else JSON. */
export function readContact(text: string): StoredContact {
  if (!text.startsWith('{')) return { address: text, state: 'active' }
  const { address, state, reason, since, wishes, agreed } = JSON.parse(text) as StoredContact
  return {
    address,
    state: state satisfies ContactState,
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since }),
    ...(agreed === undefined ? {} : { agreed }),
    ...(wishes ? { wishes } : {}),
  }
}
