/** A text in the query of a gateway's call, as octets in whatever charset the gateway names. */

export type Query = Readonly<Record<string, Buffer>>

/** Percent-decodes without taking anything for UTF-8: Kannel's %b is octets. The first of equal names counts. */
export function octetsOf(query: string): Query {
  const found: Record<string, Buffer> = Object.create(null)
  for (const pair of query.split('&')) {
    const [name = '', ...rest] = pair.split('=')
    found[decode(name).toString('latin1')] ??= decode(rest.join('='))
  }
  return found
}

function decode(text: string): Buffer {
  const octets = text.replace(/\+|%([0-9a-f]{2})/gi, (_, hex) =>
    hex === undefined ? ' ' : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(octets, 'latin1')
}

/**
 * @param charset as Kannel's %C says it: GSM and none mean UTF-8 (Kannel has converted it), UTF-16BE means that
 * @param coding as %c says it: 0 GSM, 1 octets, 2 UCS-2; only where no charset is named it decides
 * @returns undefined when it is no text in that charset
 */
export function textOf(octets: Buffer, charset: string, coding: string): string | undefined {
  if (!/^[012]?$/.test(coding) || (coding === '1' && charset === '')) return undefined
  const label = charset === '' && coding === '2' ? 'utf-16be' : /^(|gsm)$/i.test(charset) ? 'utf-8' : charset
  try {
    return new TextDecoder(label, { fatal: true }).decode(octets)
  } catch {
    return undefined
  }
}
