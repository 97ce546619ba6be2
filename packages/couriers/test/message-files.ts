/** Files of messages, for tests of couriers that upload them. */
import { createHash } from 'node:crypto'
import type { MessageFile } from '@courier-fleet/api-types'
import type { SentFile } from '@courier-fleet/sandbox'

export interface MessageFiles {
  /** What the queue gives out by their links. */
  readonly bytesOf: ReadonlyMap<string, Buffer>
  file(id: string, name: string, bytes: Buffer): MessageFile
  /** As the provider has it, where it came whole. */
  asSent(file: MessageFile): SentFile
}

export function messageFiles(): MessageFiles {
  const bytesOf = new Map<string, Buffer>()
  return {
    bytesOf,
    file(id, name, bytes) {
      bytesOf.set(id, bytes)
      const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
      const link = `https://fleet.example/f/${id}?e=tln5c0&s=q1w2e3r4t5y6u7i8`
      return { id, name, type: 'application/pdf', size: bytes.length, until, link }
    },
    asSent: ({ id, name, size }) => ({
      name,
      size,
      sha256: createHash('sha256')
        .update(bytesOf.get(id) as Buffer)
        .digest('hex'),
    }),
  }
}

/** As it stands below a text. */
export const linkOf = ({ name, link }: MessageFile) => `${name}: ${link}`
