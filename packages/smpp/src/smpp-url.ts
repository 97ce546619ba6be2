/** An account at an SMS centre, as one URL: smpp://systemId:password@host:port, smpps for TLS. */
export interface SmppUrl {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly systemId: string
  readonly password: string
}

/** @param name of the setting. @throws Error in one line that names the setting and hides its value */
export function parseSmppUrl(name: string, text: string): SmppUrl {
  if (!URL.canParse(text)) throw new Error(`${name} is not a URL`)
  const url = new URL(text)
  if (!['smpp:', 'smpps:'].includes(url.protocol)) throw new Error(`${name} must begin with smpp:// or smpps://`)
  if (!url.hostname) throw new Error(`${name} names no host`)
  if (!url.username) throw new Error(`${name} names no user`)
  const tls = url.protocol === 'smpps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (tls ? 3550 : 2775),
    tls,
    systemId: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}
