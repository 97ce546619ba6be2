import type { FileView } from '@courier-fleet/api-types'
import type { Http } from './http.ts'
import type { Repeatable } from './messages.ts'

export const fileCalls = (http: Http) => ({
  /** Uploads a file for messages of yours, which name it in `files`. @param bytes of a length that is known */
  uploadFile: (name: string, bytes: Blob | Uint8Array, { idempotencyKey }: Repeatable = {}) =>
    http.call<FileView>('POST', '/files', {
      query: { name },
      body: bytes,
      type: 'application/octet-stream',
      idempotencyKey,
    }),
})
