/**
 * Answers that a client has already are not sent again: 304 (RFC 9110). The tag is a hash of the answer itself, names and counts
 * included, so that nothing can change without it.
 */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** what else decides about the answer than the URL: who asks */
const vary = 'Accept, Authorization, Cookie, On-Behalf-Of'

/** `onSend` of a route. A stream is sent as it is. */
export async function tagAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  // as bytes once: text would be turned into them again to be counted, and again to be sent
  const bytes = Buffer.from(payload)
  const tag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
  // for its caller alone, and to be asked about each time
  reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', vary)
  if (!matches(request.headers['if-none-match'], tag)) return bytes
  reply.code(304).removeHeader('content-length').removeHeader('content-type')
  return null
}

/** @param condition tags after commas, weak ones too; or a star */
function matches(condition: string | undefined, tag: string): boolean {
  const tags = (condition ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag)
}
