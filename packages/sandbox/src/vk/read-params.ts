import type { IncomingMessage } from 'node:http'

/** All of them text. */
export type Params = ReadonlyMap<string, string>

const maxBodyBytes = 16 * 1024 * 1024

export class BodyTooLarge extends Error {}

/** @throws BodyTooLarge */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A request's parameters, from its query and its form; the form wins. @throws BodyTooLarge */
export async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Params> {
  const body = await readBody(request, maxBodyBytes)
  return new Map([...query, ...new URLSearchParams(body.toString())])
}
