/** A certificate for 127.0.0.1 and localhost that vouches for itself, made anew for each test: X.509 in DER, as far as that takes. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** both as PEM */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const dayMs = 86_400_000

export function createCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const version = tagged(0xa0, number(Buffer.from([2])))
  const serial = number(Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const validity = sequence(time(Date.now() - dayMs), time(Date.now() + dayMs))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const extensions = tagged(0xa3, sequence(mayVouch, names))
  const body = sequence(version, serial, ecdsaWithSha256, holder, validity, holder, key, extensions)
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: pem(sequence(body, ecdsaWithSha256, signature)),
  }
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const number = (bytes: Buffer) => tagged(0x02, bytes)
const octets = (content: Buffer) => tagged(0x04, content)
const id = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
/** YYMMDDhhmmssZ */
const time = (ms: number) => tagged(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/\D/g, '')}Z`))

const ecdsaWithSha256 = sequence(id('2a8648ce3d040302'))
const holder = sequence(tagged(0x31, sequence(id('550403'), tagged(0x0c, Buffer.from('a test of courier-fleet')))))
const yes = Buffer.from([0x01, 0x01, 0xff])
/** critical; of a certificate authority */
const mayVouch = sequence(id('551d13'), yes, octets(sequence(yes)))
const names = sequence(
  id('551d11'),
  octets(sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])))),
)

const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
