/**
 * A new version of the settings. The stream takes an entry only under a higher id than its last: of two who write the same
 * number Redis refuses the second, in one command and without a script.
 */

import { nanoid } from 'nanoid'
import type { Redis } from '../connection/client.ts'
import { redisNow } from '../connection/client.ts'
import { markDirty } from '../dirty.ts'
import { hints, keys } from '../keys.ts'
import { readVersion, readVersions } from './read-versions.ts'
import { parseSettings, type StoredSettings } from './settings.ts'

export const keptVersions = 100

interface Change {
  /** the version that was read before; 0 for none */
  readonly expected: number
  /** all that is set, not only what has changed */
  readonly stored: StoredSettings
  readonly by: string
}

/** @returns the new version; undefined when there is another than the expected one by now, and nothing was written */
export async function writeSettings(redis: Redis, { expected, stored, by }: Change): Promise<number | undefined> {
  const [newest] = await readVersions(redis, 1)
  if ((newest?.version ?? 0) !== expected) return undefined
  const version = expected + 1
  const token = nanoid()
  const seconds = Math.floor((await redisNow(redis, keys.settings)) / 1000)
  const fields = ['json', JSON.stringify(stored), 'by', by, 'at', `${seconds * 1000}`, 'token', token]
  try {
    await redis.xadd(keys.settings, 'MAXLEN', '=', keptVersions, `${version}-0`, ...fields)
  } catch (error) {
    // the reply of an entry that is in may have been lost, and the command been sent again
    if (!isTaken(error)) throw error
    if ((await readVersion(redis, version))?.token !== token) return undefined
  }
  const before = storedIn(newest?.json)
  const types = [...(before.types ?? []), ...(stored.types ?? [])].map(({ id }) => id)
  await markDirty(redis, 'type', [...new Set(types)])
  await markDirty(redis, 'channel', oneOfBoth(before.tellRead, stored.tellRead))
  await redis.spublish(hints.settings, String(version))
  return version
}

/** Of the version before: it may be anything that somebody has written into Redis. */
function storedIn(json = '{}'): StoredSettings {
  try {
    return parseSettings(json)
  } catch {
    return {}
  }
}

/** What is in one of the two alone. */
const oneOfBoth = (before: readonly string[] = [], after: readonly string[] = []): string[] => [
  ...before.filter((name) => !after.includes(name)),
  ...after.filter((name) => !before.includes(name)),
]

const isTaken = (error: unknown) => error instanceof Error && error.message.includes('equal or smaller')
