/** What a phone shows of a message, and what names it: enough of RFC 5322 and MIME for one part of text. */

export interface ReadMessage {
  readonly text: string
  readonly messageId: string
  /** the one-click address it offers */
  readonly unsubscribe?: string
}

export function readMessage(content: Buffer): ReadMessage {
  const raw = content.toString('latin1')
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const [, unsubscribe] = /^<(https:[^>]+)>$/.exec(field('List-Unsubscribe')) ?? []
  const body = decodeBody(raw.slice(end + 4), field('Content-Transfer-Encoding').toLowerCase())
  return {
    // a message always ends with the end of a line; that one is not of the text
    text: body.toString('utf8').replace(/\r\n/g, '\n').replace(/\n$/, ''),
    messageId: field('Message-ID'),
    ...(unsubscribe ? { unsubscribe } : {}),
  }
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding === 'quoted-printable') return Buffer.from(unquote(body.replace(/=\r\n/g, '')), 'latin1')
  return Buffer.from(body, 'latin1')
}

const unquote = (text: string) =>
  text.replace(/=([0-9A-F]{2})/gi, (_whole, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
