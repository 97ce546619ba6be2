import type { Contact, ContactState } from './directory.ts'

/** As one hash field holds it: the bare address of a contact that was never marked, which nearly all are. Others are JSON, which `mark-contact` writes. */
export function writeActive(address: string): string {
  return address.startsWith('{') ? JSON.stringify({ address, state: 'active' }) : address
}

export function readContact(text: string): Contact {
  if (!text.startsWith('{')) return { address: text, state: 'active' }
  const { address, state, reason, since } = JSON.parse(text) as Contact
  return {
    address,
    state: state satisfies ContactState,
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since }),
  }
}
