/**
 * After a restore: whom the providers may have been given since the backup. All that fell due meanwhile is woken, and whoever of it is
 * pending on a channel that folds no resends, and has a contact there, is presumed to be attempting: couriers treat them as after a
 * crash, and say `unknown`. Where resends are folded nothing is presumed: whoever was sent to is sent to again under the same key.
 */
import { classes, memberOf, refOfMember, shardNames } from '@courier-fleet/api-types'
import { channels } from '@courier-fleet/channels'
import { wakeShard } from '@courier-fleet/couriers'
import type { Directory } from '@courier-fleet/directory'
import { defineScript, keys, numberReply, parseRecord, type Redis, readAudience, tagOf } from '@courier-fleet/store'

const presumeScript = defineScript('presume-attempted', {
  keys: ['history', 'stream'],
  args: ['tag', 'message', 'channel', 'id', 'first', 'reachable'],
  reply: numberReply,
})

/** entries read at once; people looked at in one step; messages woken in one */
const pageSize = 1_000
const sliceSize = 10_000
const maxWoken = 50

export interface PresumeDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Pick<Directory, 'contactsOf'>
}

/** @returns by channel how many people; nothing of a channel that folds */
export async function presumeAttempted(deps: PresumeDeps): Promise<ReadonlyMap<string, number>> {
  const { redis, shards } = deps
  const unfolded = channels.filter(({ abilities }) => !abilities.foldsResends).map(({ name }) => name)
  const marked = new Map<string, number>(unfolded.map((channel) => [channel, 0]))
  for (const shard of shardNames(shards)) {
    for (let woken = maxWoken; woken > 0; ) woken = await wakeShard(redis, shard, maxWoken)
    for (const channel of unfolded)
      for (const cls of classes) {
        const stream = { shard, channel, name: keys.work(shard, channel, cls) }
        marked.set(channel, (marked.get(channel) ?? 0) + (await presumeStream(deps, stream)))
      }
  }
  return marked
}

interface Stream {
  readonly shard: string
  readonly channel: string
  readonly name: string
}

/** Entries that take the place of others stand behind them; there is nothing to be done about them then. */
async function presumeStream(deps: PresumeDeps, stream: Stream): Promise<number> {
  let marked = 0
  for (let after = '-'; ; ) {
    const page = await deps.redis.xrange(stream.name, after, '+', 'COUNT', pageSize)
    for (const [id, fields] of page) {
      marked += await presumeEntry(deps, stream, id, fields)
      after = `(${id}`
    }
    if (page.length < pageSize) return marked
  }
}

async function presumeEntry(deps: PresumeDeps, stream: Stream, id: string, fields: readonly string[]): Promise<number> {
  const { redis, directory } = deps
  const { shard, channel, name } = stream
  const at = (field: string) => fields[fields.indexOf(field) + 1] as string
  const ref = refOfMember(shard, at('message'))
  const record = await redis.get(keys.record(ref))
  if (record === null) return 0
  const { width } = parseRecord(record)
  const to = Number(at('to'))
  let marked = 0
  for (let first = Number(at('from')); first < to; first += sliceSize) {
    const people = await readAudience(redis, ref, width, first, Math.min(to, first + sliceSize))
    const contacts = await directory.contactsOf(channel, people)
    const reachable = contacts.map((contact) => (contact?.state === 'active' ? '1' : '0')).join('')
    const args = { tag: tagOf(shard), message: memberOf(ref), channel, id, first, reachable }
    marked += await presumeScript(redis, { history: keys.history(ref), stream: name }, args)
  }
  return marked
}
