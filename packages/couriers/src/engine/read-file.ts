/** Reads files of messages from the queue, as whoever has their link may: a courier needs neither their folder nor a secret. */
import { type MessageFile, maxFileBytes } from '@courier-fleet/api-types'

/** `gone`: what the link of it says, too. Rejects where nobody knows. */
export type ReadFile = (file: MessageFile, signal: AbortSignal) => Promise<Buffer | 'gone'>

/** @param filesUrl where couriers reach the queue, without a trailing slash; absent: where the links lead */
export function createReadFile(filesUrl: string | undefined): ReadFile {
  return async ({ link, size }, signal) => {
    const response = await fetch(filesUrl === undefined ? link : movedTo(filesUrl, link), { signal, redirect: 'error' })
    if (response.status === 404 || response.status === 410) return 'gone'
    if (!response.ok) throw new Error(`the queue answered ${response.status}`)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > maxFileBytes) break
      chunks.push(chunk)
    }
    if (bytes !== size) throw new Error(`the queue gave ${bytes} bytes, and the file has ${size}`)
    return Buffer.concat(chunks)
  }
}

/** The path of a link begins where that of PUBLIC_URL ends, whatever that is. */
const movedTo = (filesUrl: string, link: string) => `${filesUrl}${link.slice(link.lastIndexOf('/f/'))}`
