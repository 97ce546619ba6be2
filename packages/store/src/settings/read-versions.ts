/** The versions of the settings that are kept, each as it was set. */
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

export interface SettingsVersion {
  readonly version: number
  /** JSON of StoredSettings, unless somebody has written something else into Redis */
  readonly json: string
  readonly by: string
  readonly atMs: number
  /** of the call that wrote it */
  readonly token: string
}

/** Newest first. */
export async function readVersions(redis: Redis, count: number): Promise<SettingsVersion[]> {
  const entries = await redis.xrevrange(keys.settings, '+', '-', 'COUNT', count)
  return entries.map(([id, fields]) => versionIn(id, fields))
}

export async function readVersion(redis: Redis, version: number): Promise<SettingsVersion | undefined> {
  const [entry] = await redis.xrange(keys.settings, `${version}-0`, `${version}-0`)
  return entry && versionIn(...entry)
}

function versionIn(id: string, fields: readonly string[]): SettingsVersion {
  const said = new Map<string, string>()
  for (let at = 0; at + 1 < fields.length; at += 2) said.set(fields[at] as string, fields[at + 1] as string)
  const text = (name: string) => said.get(name) ?? ''
  return {
    version: Number.parseInt(id, 10),
    json: text('json'),
    by: text('by'),
    atMs: Number(text('at')),
    token: text('token'),
  }
}
