/**
 * Stored texts. A template is a stream of its versions, written as those of the settings are: the stream takes an entry only under a higher id
 * than its last, so that of two who write the same number Redis refuses the second. Its id is listed before it has a version: a crash in
 * between leaves an id without versions, which no list shows, and which is made by putting it again.
 */
import type { TemplateBody } from '@courier-fleet/api-types'
import { nanoid } from 'nanoid'
import { type Redis, redisNow } from '../connection/client.ts'
import { keys } from '../keys.ts'

/** What a version is fixed to be; with `archived` nothing is sent with the template until it has a later one. */
export type TemplateContent = TemplateBody & { readonly archived?: true }

export interface StoredTemplate {
  readonly id: string
  readonly version: number
  readonly by: string
  /** Unix ms */
  readonly atMs: number
  readonly content: TemplateContent
}

export interface TemplateChange {
  /** the version that was read before; 0 for none */
  readonly expected: number
  readonly content: TemplateContent
  readonly by: string
}

export interface Templates {
  /** @returns undefined where there is none */
  newest(id: string): Promise<StoredTemplate | undefined>
  /** Also where it is archived by now. @returns undefined where it is not kept */
  version(id: string, version: number): Promise<StoredTemplate | undefined>
  /** Newest first. */
  versions(id: string): Promise<StoredTemplate[]>
  /** Each in its newest version, by id. */
  list(): Promise<StoredTemplate[]>
  /** How many there are, archived ones too. */
  count(): Promise<number>
  /** @returns the new version; undefined where there is another than the expected one by now, and nothing was written */
  write(id: string, change: TemplateChange): Promise<number | undefined>
}

export const keptTemplateVersions = 100
/** read in one go */
const pageSize = 50

export function createTemplates(redis: Redis): Templates {
  const newest = async (id: string) => (await readNewest(redis, id, 1))[0]

  async function version(id: string, number: number): Promise<StoredTemplate | undefined> {
    const [entry] = await redis.xrange(keys.template(id), `${number}-0`, `${number}-0`)
    return entry && versionIn(id, ...entry)
  }

  return {
    newest,
    version,
    versions: (id) => readNewest(redis, id, keptTemplateVersions),
    count: () => redis.scard(keys.templates),
    write: (id, change) => writeVersion(redis, id, change),

    async list() {
      const ids = (await redis.smembers(keys.templates)).sort()
      const found: (StoredTemplate | undefined)[] = []
      for (let from = 0; from < ids.length; from += pageSize)
        found.push(...(await Promise.all(ids.slice(from, from + pageSize).map(newest))))
      return found.filter((template) => template !== undefined)
    },
  }
}

async function readNewest(redis: Redis, id: string, count: number): Promise<StoredTemplate[]> {
  const entries = await redis.xrevrange(keys.template(id), '+', '-', 'COUNT', count)
  return entries.map(([entry, fields]) => versionIn(id, entry, fields))
}

async function writeVersion(
  redis: Redis,
  id: string,
  { expected, content, by }: TemplateChange,
): Promise<number | undefined> {
  const [last] = await readNewest(redis, id, 1)
  if ((last?.version ?? 0) !== expected) return undefined
  if (expected === 0) await redis.sadd(keys.templates, id)
  const version = expected + 1
  const token = nanoid()
  const at = await redisNow(redis, keys.template(id))
  const fields = ['json', JSON.stringify(content), 'by', by, 'at', `${at}`, 'token', token]
  try {
    await redis.xadd(keys.template(id), 'MAXLEN', '=', keptTemplateVersions, `${version}-0`, ...fields)
  } catch (error) {
    // the reply of an entry that is in may have been lost, and the command been sent again
    if (!(error instanceof Error && error.message.includes('equal or smaller'))) throw error
    const [entry] = await redis.xrange(keys.template(id), `${version}-0`, `${version}-0`)
    if (!entry?.[1].includes(token)) return undefined
  }
  return version
}

function versionIn(id: string, entry: string, fields: readonly string[]): StoredTemplate {
  const said = new Map<string, string>()
  for (let at = 0; at + 1 < fields.length; at += 2) said.set(fields[at] as string, fields[at + 1] as string)
  return {
    id,
    version: Number.parseInt(entry, 10),
    by: said.get('by') ?? '',
    atMs: Number(said.get('at')),
    content: JSON.parse(said.get('json') ?? '{}') as TemplateContent,
  }
}
