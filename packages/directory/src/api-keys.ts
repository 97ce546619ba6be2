/**
 * API keys, `cf_<id>_<secret>`. The secret is 192 random bits, so a plain SHA-256 of it is safe to keep. The index is
 * written first and left last: no key is valid without being listed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { MadeRole } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { keys, type Redis, sharedRead } from '@courier-fleet/store'
import type { ApiKey, ApiKeys } from './directory.ts'
import { checkCallerRole, checkId, checkName } from './fields.ts'
import { readSet } from './sets.ts'

const form = /^cf_([0-9a-f]{16})_([A-Za-z0-9_-]{32})$/

interface ApiKeysDeps {
  readonly redis: Redis
  readonly clock: Clock
  /** those that operators have made, as they are now; default none but the five */
  readonly roles?: () => readonly MadeRole[]
}

export function createApiKeys({ redis, clock, roles = () => [] }: ApiKeysDeps): ApiKeys {
  const recordOf = sharedRead((id) => redis.hgetall(keys.apiKey(id)))

  return {
    async create({ owner, role, label, channels }) {
      const id = randomBytes(8).toString('hex')
      const secret = randomBytes(24).toString('base64url')
      const record = {
        owner: checkId(owner, 'owner'),
        role: checkCallerRole(role, 'role', roles()),
        label: checkName(label, 'label'),
        created: clock.now(),
        ...(channels ? { channels: channels.join(' ') } : {}),
        sha256: digest(secret).toString('hex'),
      }
      await redis.sadd(keys.apiKeys, id)
      await redis.hset(keys.apiKey(id), record)
      return { id, apiKey: `cf_${id}_${secret}` }
    },

    async authenticate(apiKey) {
      const [, id, secret] = form.exec(apiKey) ?? []
      if (id === undefined || secret === undefined) return undefined
      const { owner, role, sha256, channels } = await recordOf(id)
      if (owner === undefined || role === undefined || sha256 === undefined) return undefined
      if (!timingSafeEqual(digest(secret), Buffer.from(sha256, 'hex'))) return undefined
      return { id, owner, role, ...readChannels(channels) }
    },

    find: read,

    list,

    revoke,

    async revokeOf(owner) {
      const ids = (await list()).filter((key) => key.owner === owner).map(({ id }) => id)
      for (const id of ids) await revoke(id)
      return ids
    },
  }

  async function list(): Promise<ApiKey[]> {
    const ids = [...(await readSet(redis, keys.apiKeys))]
    const found = await Promise.all(ids.map(read))
    return found.filter((key) => key !== undefined).sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
  }

  async function revoke(id: string): Promise<boolean> {
    const existed = await redis.del(keys.apiKey(id))
    await redis.srem(keys.apiKeys, id)
    return existed === 1
  }

  async function read(id: string): Promise<ApiKey | undefined> {
    const { owner, role, label, created, channels } = await redis.hgetall(keys.apiKey(id))
    if (owner === undefined || role === undefined) return undefined
    return {
      id,
      owner,
      role,
      label: label ?? '',
      created: Number(created),
      ...readChannels(channels),
    }
  }
}

const readChannels = (text: string | undefined) => (text === undefined ? {} : { channels: text.split(' ') })

const digest = (secret: string) => createHash('sha256').update(secret).digest()
