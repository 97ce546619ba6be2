import type { Contact, ContactState } from './directory.ts'

/** As one hash field holds it: the bare address of a contact that was never marked, which nearly all are; else JSON. */
export function writeContact({ address, state, reason, since }: Contact): string {
  const isPlain = state === 'active' && reason === undefined && since === undefined && !address.startsWith('{')
  return isPlain ? address : JSON.stringify({ address, state, reason, since })
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
