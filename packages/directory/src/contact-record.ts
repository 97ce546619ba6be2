import type { Contact, ContactState } from './directory.ts'

/** As one hash field holds it. A contact that was never marked stays below the 64 bytes of Redis's compact hashes. */
export function writeContact(contact: Contact): string {
  const { address, state, reason, since } = contact
  return JSON.stringify({ address, state, reason, since })
}

export function readContact(text: string): Contact {
  const { address, state, reason, since } = JSON.parse(text) as Contact
  return {
    address,
    state: state satisfies ContactState,
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since }),
  }
}
