/** Who sends: the key that a request shows, and whether its token is signed with that, for this service and for now (RFC 8292). */
import { createPublicKey, verify } from 'node:crypto'

const maxAheadSeconds = 24 * 3600

/** @param origin of the service. @returns the key, base64url; or why the request is refused */
export function senderOf(authorization: string | undefined, origin: string): { key: string } | { why: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (!isSigned(`${head}.${claims}`, signature, key)) return { why: 'no token, or it is not signed with its key' }
  const { aud, exp, sub } = claimsIn(claims)
  const aheadSeconds = Number(exp) - Date.now() / 1000
  if (aud !== origin) return { why: `the token is for ${JSON.stringify(aud)}` }
  if (!(aheadSeconds > 0 && aheadSeconds <= maxAheadSeconds))
    return { why: 'the token has expired, or is good for too long' }
  if (typeof sub !== 'string' || !/^(mailto:|https:)/.test(sub)) return { why: 'the token names nobody to turn to' }
  return { key }
}

function isSigned(text: string, signature: string, key: string): boolean {
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65 || point[0] !== 4) return false
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  try {
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
    const given = Buffer.from(signature, 'base64url')
    return verify('sha256', Buffer.from(text), { key: publicKey, dsaEncoding: 'ieee-p1363' }, given)
  } catch {
    return false
  }
}

function claimsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
