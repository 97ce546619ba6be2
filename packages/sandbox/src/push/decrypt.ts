/** What a browser makes of a body: RFC 8188 with the keys of RFC 8291. */
import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import { madeUpKeys } from '@courier-fleet/channels'

/** the private key of the example in RFC 8291, which is that of every browser of the sandbox: no secret */
const privateKey = Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
const publicKey = Buffer.from(madeUpKeys.p256dh, 'base64url')
const auth = Buffer.from(madeUpKeys.auth, 'base64url')

const saltBytes = 16
const headBytes = saltBytes + 4 + 1
const tagBytes = 16
/** ends the text of the last record; behind it are zeros */
const lastDelimiter = 2

const derive = (secret: Uint8Array, salt: Uint8Array, info: string | Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

/** @returns undefined when it is for another browser, or damaged */
export function decrypt(body: Buffer): string | undefined {
  try {
    const salt = body.subarray(0, saltBytes)
    const idBytes = body[headBytes - 1] ?? 0
    const sender = body.subarray(headBytes, headBytes + idBytes)
    const sealed = body.subarray(headBytes + idBytes)
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(privateKey)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
    const secret = derive(pair.computeSecret(sender), auth, info, 32)
    const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
    const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
    const end = sealed.length - tagBytes
    const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: tagBytes })
    decipher.setAuthTag(sealed.subarray(end))
    const text = Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()])
    const last = text.findLastIndex((byte) => byte !== 0)
    return text[last] === lastDelimiter ? text.subarray(0, last).toString('utf8') : undefined
  } catch {
    return undefined
  }
}
