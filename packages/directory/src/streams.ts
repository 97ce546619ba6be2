/** Streams: groups of groups. Order of writing as in groups.ts. */

import { Problem } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Directory } from './directory.ts'
import { checkId } from './fields.ts'
import { checkGroup, readGroup, sameList, writeGroup } from './groups.ts'
import { readSet } from './sets.ts'

type Streams = Pick<Directory, 'putStream' | 'getStream' | 'listStreams' | 'deleteStream'>

export function createStreams({ redis }: { redis: Redis }): Streams {
  async function get(id: string) {
    const [record, groups] = await Promise.all([redis.hgetall(keys.stream(id)), readSet(redis, keys.streamGroups(id))])
    const stream = readGroup(id, record)
    return stream && { ...stream, groups: [...groups].sort() }
  }

  return {
    /** @throws Problem 422 `bad-field` · 422 `unknown-group` (field `groups.N`) */
    async putStream(input) {
      const stream = checkGroup(input)
      for (const [index, group] of input.groups.entries()) checkId(group, `groups.${index}`)
      const known = await Promise.all(input.groups.map((group) => redis.exists(keys.group(group))))
      const missing = known.indexOf(0)
      if (missing >= 0) {
        throw new Problem(422, 'unknown-group', `no group "${input.groups[missing]}"`, `groups.${missing}`)
      }
      const groups = [...new Set(input.groups)].sort()
      const before = await get(stream.id)
      const present = await readSet(redis, keys.streamGroups(stream.id))
      const gone = [...present].filter((group) => !groups.includes(group))
      await redis.sadd(keys.streams, stream.id)
      if (groups.length > 0) await redis.sadd(keys.streamGroups(stream.id), ...groups)
      if (gone.length > 0) await redis.srem(keys.streamGroups(stream.id), ...gone)
      await redis.hset(keys.stream(stream.id), writeGroup(stream))
      if (!before) return 'created'
      const same =
        before.name === stream.name && sameList(before.owners, stream.owners) && sameList(before.groups, groups)
      return same ? 'unchanged' : 'updated'
    },

    getStream: get,

    async listStreams() {
      const ids = [...(await readSet(redis, keys.streams))].sort()
      return (await Promise.all(ids.map(get))).filter((stream) => stream !== undefined)
    },

    async deleteStream(id) {
      await redis.del(keys.streamGroups(id))
      const existed = await redis.del(keys.stream(id))
      await redis.srem(keys.streams, id)
      return existed === 1
    },
  }
}
