/** The keys clients have agreed on, and who has logged in with them; kept in a file, so that sessions outlive a restart. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha1 } from './crypto.ts'
import { generateRsaKey, parseRsaKey, type RsaKey } from './rsa-key.ts'
import { baseLayer } from './tl/layers.ts'

export interface AuthKey {
  /** the low 64 bits of its SHA-1, hexadecimal */
  readonly id: string
  readonly key: Buffer
  readonly salt: bigint
  /** the layer the client has named last */
  layer: number
  /** the bot that has logged in with it */
  botId?: bigint
  /** a temporary key acts for this permanent one */
  boundTo?: string
}

export interface AuthKeys {
  readonly rsa: RsaKey
  get(id: string): AuthKey | undefined
  add(key: Buffer, salt: bigint): AuthKey
  /** after a change of layer or login */
  save(): void
  remove(id: string): void
}

interface Stored {
  rsa: string
  keys: { key: string; salt: string; layer: number; botId?: string; boundTo?: string }[]
}

const idOf = (key: Buffer) => sha1(key).subarray(12).toString('hex')

/** @param path where to keep them; in memory only when absent */
export function openAuthKeys(path?: string): AuthKeys {
  const stored = path ? read(path) : undefined
  const rsa = stored ? parseRsaKey(stored.rsa) : generateRsaKey()
  const keys = new Map<string, AuthKey>()
  for (const { key: text, salt, layer, botId, boundTo } of stored?.keys ?? []) {
    const key = Buffer.from(text, 'base64')
    const id = idOf(key)
    keys.set(id, {
      id,
      key,
      salt: BigInt(salt),
      layer,
      ...(botId === undefined ? {} : { botId: BigInt(botId) }),
      ...(boundTo === undefined ? {} : { boundTo }),
    })
  }

  const save = () => {
    if (path) write(path, { rsa: rsa.privatePem, keys: [...keys.values()].map(storedForm) })
  }
  if (!stored) save()

  return {
    rsa,
    save,
    get: (id) => keys.get(id),
    add(key, salt) {
      const added: AuthKey = { id: idOf(key), key, salt, layer: baseLayer }
      keys.set(added.id, added)
      save()
      return added
    },
    remove(id) {
      if (keys.delete(id)) save()
    },
  }
}

function storedForm({ key, salt, layer, botId, boundTo }: AuthKey): Stored['keys'][number] {
  return {
    key: key.toString('base64'),
    salt: String(salt),
    layer,
    ...(botId === undefined ? {} : { botId: String(botId) }),
    ...(boundTo === undefined ? {} : { boundTo }),
  }
}

function read(path: string): Stored | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stored
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all: a half-written file would lose every session. */
function write(path: string, stored: Stored): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(stored), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
