import type { IncomingMessage } from 'node:http'

/** All of them text. */
export type Params = ReadonlyMap<string, string>

const maxBodyBytes = 16 * 1024 * 1024

export class BodyTooLarge extends Error {}

/** A request's parameters, from its query and its form; the form wins. @throws BodyTooLarge */
export async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Params> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return new Map([...query, ...new URLSearchParams(Buffer.concat(chunks).toString())])
}
