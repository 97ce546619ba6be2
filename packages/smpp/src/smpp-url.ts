import { type Field, field, loginOf } from '@courier-fleet/process'

/** An account at an SMS centre, as one URL: smpp://systemId:password@host:port, smpps for TLS. */
export interface SmppUrl {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly systemId: string
  readonly password: string
}

/** A setting that is such a URL. */
export const smppUrl: Field<SmppUrl> = field('smpp://systemId:password@host:port, or smpps:// for TLS', parse)

function parse(text: string): SmppUrl | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const login = url && loginOf(url)
  if (!url || !login || !['smpp:', 'smpps:'].includes(url.protocol) || !url.hostname) return undefined
  const tls = url.protocol === 'smpps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (tls ? 3550 : 2775),
    tls,
    systemId: login.user,
    password: login.password,
  }
}
