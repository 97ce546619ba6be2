/**
 * Keeps other sites out. Nothing here asks for a secret, so a page of any site could have the browser of somebody on this
 * machine read sign-in codes, by a name of its own that it makes lead to 127.0.0.1, or change the phones. A request is taken
 * under a name of ours alone, and when it comes from a page, from our own. Programs say neither `Origin` nor `Sec-Fetch-Site`.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'

/**
 * @param names that lead here beside `localhost`; an address in digits needs none, for nobody can make it lead elsewhere
 * @returns why this request is refused; undefined when it is not
 */
export function refusalOf(headers: IncomingHttpHeaders, names: readonly string[] = []): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  const name = nameIn(host)
  if (name !== 'localhost' && !isIP(name) && !names.includes(name))
    return `the sandbox is not called ${JSON.stringify(host.slice(0, 100))}: use 127.0.0.1 or localhost`
  if (origin !== undefined && origin !== `http://${host}`)
    return `a page of ${origin.slice(0, 100)} may not ask the sandbox`
  // a link from elsewhere may lead to the phones
  const isElsewhere = site === 'cross-site' || site === 'same-site'
  if (isElsewhere && mode !== 'navigate') return 'a page of another site may not ask the sandbox'
  return undefined
}

/** @returns whether this request was refused, and answered so */
export function refuses({ headers }: IncomingMessage, response: ServerResponse, names?: readonly string[]): boolean {
  const refusal = refusalOf(headers, names)
  if (refusal !== undefined) response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(refusal)
  return refusal !== undefined
}

/** Without the port, and without the brackets of IPv6; empty when it is no host at all. */
function nameIn(host: string): string {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
}
