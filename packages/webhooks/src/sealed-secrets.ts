/** Secrets as they lie in Redis: nobody who reads its files learns one without the environment's FLEET_SECRET. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type Env, matching, optional, readSettings } from '@courier-fleet/process'

export type SealingKey = Uint8Array

/** of how a sealed secret is written */
const version = '1'
const ivBytes = 12
const tagBytes = 16

/** Undefined without FLEET_SECRET: then nothing that needs a secret can be created. */
export function sealingKey(env: Env): SealingKey | undefined {
  return derivedKey(env, 'webhook secrets', 32)
}

/** Made of FLEET_SECRET for one purpose: it tells nothing of that of another. */
export function derivedKey(env: Env, purpose: string, bytes: number): Uint8Array | undefined {
  const right = 'at least 32 characters, such as of openssl rand -hex 32'
  const { FLEET_SECRET } = readSettings(env, { FLEET_SECRET: optional(matching(/^.{32,}$/s, right)) })
  if (FLEET_SECRET === undefined) return undefined
  return new Uint8Array(hkdfSync('sha256', FLEET_SECRET, '', `courier-fleet: ${purpose}`, bytes))
}

/** @param of whose it is: sealed for one, it does not open for another */
export function sealSecret(key: SealingKey, secret: string, of: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(of))
  const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${sealed.toString('base64url')}`
}

/** @returns undefined when it was sealed under another FLEET_SECRET, for somebody else, or is damaged */
export function openSecret(key: SealingKey, sealed: string, of: string): string | undefined {
  const [written, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (written !== version || bytes.length < ivBytes + tagBytes) return undefined
  const end = bytes.length - tagBytes
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(end))
    return decipher.update(bytes.subarray(ivBytes, end), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
