import { hash } from 'node:crypto'

/**
 * What two messages have in common that say the same: the first 48 bits, in base64url, of the SHA-256 of subject and text, blanks folded, and of the ids of its files.
 * The sender line is not part of it: the same words from two senders, or to two groups that somebody is in, are what nobody wants to read twice.
 */
export function textHashOf({
  text,
  subject = '',
  files = [],
}: {
  readonly text: string
  readonly subject?: string | undefined
  readonly files?: readonly { readonly id: string }[] | undefined
}): string {
  const said = [folded(subject), folded(text), ...files.map(({ id }) => id)].join('\n')
  return hash('sha256', said, 'base64url').slice(0, 8)
}

const folded = (text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ')
