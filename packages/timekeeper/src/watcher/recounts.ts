/** Recounts ledgers in small steps: what has settled lately first, and everything that is kept, over and over. */
import { type HistoryRef, historyKeyOf, refOfMember, shardNames } from '@courier-fleet/api-types'
import { defineScript, type Histories, keys, listReply, type Redis, textReply } from '@courier-fleet/store'

/** ledgers of a shard in one step */
const stepMessages = 5

const toRecountScript = defineScript('to-recount', {
  keys: ['retention'],
  args: ['after', 'upTo', 'rank', 'max'],
  reply: listReply(listReply(textReply)),
})

interface RecountsDeps {
  readonly redis: Redis
  readonly shards: number
  readonly histories: Pick<Histories, 'recount' | 'state'>
}

export interface Recounts {
  /** A few ledgers of each shard. @returns the keys of those found wrong, now or before and still */
  step(stopping: AbortSignal): Promise<string[]>
}

/** How far a shard has come. */
interface Place {
  /** up to when what has settled was recounted, Unix ms */
  recent: number
  /** of the next in the round through everything */
  rank: number
}

/** What is looked at in a step. */
interface Next {
  readonly shard: string
  /** what has settled lately, each with when */
  readonly settled: readonly string[]
  readonly around: readonly string[]
}

export function createRecounts({ redis, shards, histories }: RecountsDeps): Recounts {
  const places = new Map<string, Place>(shardNames(shards).map((shard) => [shard, { recent: Date.now(), rank: 0 }]))
  const wrong = new Map<string, HistoryRef>()

  async function look(ref: HistoryRef): Promise<void> {
    const channels = (await histories.state(ref)) === 'settled' ? await histories.recount(ref) : []
    if (channels.every(({ balanced }) => balanced)) wrong.delete(historyKeyOf(ref))
    else wrong.set(historyKeyOf(ref), ref)
  }

  async function readNext(shard: string, { recent, rank }: Place): Promise<Next> {
    const args = { after: recent, upTo: Date.now(), rank, max: stepMessages }
    const [settled = [], around = []] = await toRecountScript(redis, { retention: keys.retention(shard) }, args)
    return { shard, settled, around }
  }

  async function lookAtShard({ shard, settled, around }: Next, place: Place): Promise<void> {
    for (let at = 0; at < settled.length; at += 2) {
      await look(refOfMember(shard, settled[at] as string))
      place.recent = Number(settled[at + 1])
    }
    for (const member of around) await look(refOfMember(shard, member))
    place.rank = around.length < stepMessages ? 0 : place.rank + stepMessages
  }

  return {
    async step(stopping) {
      for (const ref of [...wrong.values()]) await look(ref)
      const next = await Promise.all([...places].map((each) => readNext(...each)))
      for (const each of next) {
        if (stopping.aborted) break
        await lookAtShard(each, places.get(each.shard) as Place)
      }
      return [...wrong.keys()]
    },
  }
}
