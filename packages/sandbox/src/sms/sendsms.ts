/** The HTTP interface: a `sendsms` call as Kannel's smsbox takes it, its answers in Kannel's words, its delivery reports. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { isSameSecret, requestLimits, requestTarget } from '@courier-fleet/process'
import { refuses } from '../other-sites.ts'
import { toE164 } from './address.ts'
import type { Centre, Submission } from './centre.ts'
import type { DlrCalls } from './dlr-calls.ts'
import { partOf } from './reassembly.ts'
import { status } from './status.ts'

export const sendsmsPath = '/cgi-bin/sendsms'

export interface SendsmsDeps {
  readonly centre: Centre
  readonly dlrCalls: DlrCalls
  readonly username: string
  readonly password: string
  /** see StandInDeps */
  readonly names: readonly string[] | undefined
}

/** Long texts travel in the query: 255 parts of Cyrillic, percent-encoded, are about 100 KB. */
const maxHeaderBytes = 256 * 1024
const maxBodyBytes = 256 * 1024

export function createSendsmsServer({ centre, dlrCalls, username, password, names }: SendsmsDeps): Server {
  const listener: RequestListener = (request, response) => {
    if (refuses(request, response, names)) return
    // the caller is gone in the middle of its request
    take(request, response).catch(() => response.destroy())
  }

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = requestTarget(request.url)
    if (target.path !== sendsmsPath) return reply(response, 404, 'Unknown request.')
    const body = await readBody(request)
    if (body === undefined) return reply(response, 413, 'Too much.')
    const query = new URLSearchParams([...new URLSearchParams(target.query), ...new URLSearchParams(body)])
    const isUser = isSameSecret(first(query, 'username', 'user'), username)
    if (!isSameSecret(first(query, 'password', 'pass'), password) || !isUser)
      return reply(response, 403, 'Authorization failed for sendsms')
    const to = first(query, 'to')
    if (!to) return reply(response, 400, 'Missing receiver number, rejected')
    if (!first(query, 'from')) return reply(response, 400, 'Sender missing and no global set, rejected')
    const text = textOf(query)
    if (text === undefined) return reply(response, 400, 'Charset or coding unknown, rejected')
    const header = octetsOf(`${target.query}&${body}`, 'udh')
    submit(request, response, submissionOf(query, toE164(to), text, header))
  }

  const submissionOf = (query: URLSearchParams, address: string, text: string, header: Buffer): Submission => {
    const from = first(query, 'from')
    const mask = Number(first(query, 'dlr-mask'))
    const dlrUrl = first(query, 'dlr-url')
    return {
      address,
      text,
      part: partOf(headerElements(header), `${from} ${address}`),
      ...(dlrUrl && mask & 3
        ? {
            reports: {
              wanted: (mask & 3) === 3 ? 'all' : mask & 1 ? 'successes' : 'failures',
              send: (report) => dlrCalls.call(dlrUrl, { ...report, from }),
            },
          }
        : {}),
    }
  }

  const submit = (request: IncomingMessage, response: ServerResponse, submission: Submission) => {
    const verdict = centre.submit(submission)
    switch (verdict.kind) {
      case 'hang':
        return
      case 'disconnect':
        return request.socket.destroy()
      case 'refused':
        return verdict.status === status.throttled
          ? reply(response, 503, 'Temporal failure, try again later.')
          : reply(response, 403, 'Not routable. Do not try again.')
      case 'accepted':
        if (verdict.replyLost) request.socket.destroy()
        else reply(response, 202, '0: Accepted for delivery')
        setImmediate(verdict.answered)
    }
  }

  return createServer({ ...requestLimits, maxHeaderSize: maxHeaderBytes, noDelay: true }, listener)
}

function reply(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

function first(query: URLSearchParams, ...names: string[]): string {
  for (const name of names) {
    const value = query.get(name)
    if (value !== null) return value
  }
  return ''
}

/** `text` is UTF-8 unless `charset` says otherwise; `coding` 1 is eight-bit data. */
function textOf(query: URLSearchParams): string | undefined {
  const charset = first(query, 'charset').toLowerCase() || 'utf-8'
  if (!/^utf-?8$/.test(charset) || !/^[012]?$/.test(first(query, 'coding'))) return undefined
  return first(query, 'text')
}

/** A parameter that is octets, not text: percent-decoded without taking it for UTF-8. */
function octetsOf(query: string, name: string): Buffer {
  const raw = new RegExp(`(?:^|&)${name}=([^&]*)`).exec(query)?.[1] ?? ''
  const octets = raw.replace(/\+|%([0-9A-Fa-f]{2})/g, (_, hex) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ' ',
  )
  return Buffer.from(octets, 'latin1')
}

/** The information elements of a user data header with its length octet. */
function headerElements(header: Buffer): Buffer[] {
  const elements: Buffer[] = []
  for (let at = 1; at + 1 < header.length; ) {
    const end = at + 2 + (header[at + 1] as number)
    elements.push(header.subarray(at, end))
    at = end
  }
  return elements
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
