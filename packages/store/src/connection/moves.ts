/** Slots of a cluster that go from node to node key by key (`redis-cli --cluster reshard`): what scripts ask of them waits until they have arrived. */
import { type Log, steadyClock } from '@courier-fleet/process'
import { mastersOf, nameOf, type Redis, type RedisNode } from './client.ts'
import { PatientCluster } from './retry-policy.ts'

export interface SlotMove {
  readonly slot: number
  /** of nodes, `host:port` */
  readonly from: string
  readonly to: string
}

/** Those under way now, as the nodes say that have the slots; one that does not answer says nothing. None on one Redis. */
export async function slotMoves(redis: Redis): Promise<SlotMove[]> {
  if (!(redis instanceof PatientCluster)) return []
  const found = await Promise.all(
    mastersOf(redis).map(async (node) => {
      const view = await node?.cluster('NODES').catch(() => undefined)
      return node && view !== undefined ? movesFrom(node, String(view)) : []
    }),
  )
  return found.flat().sort((one, other) => one.slot - other.slot)
}

/** A node says of itself alone what it gives away: `[93->-<id of the other>]` at the end of its own line. */
function movesFrom(node: RedisNode, view: string): SlotMove[] {
  const lines = view.split('\n').map((line) => line.split(' '))
  const addressOf = new Map(lines.map(([id, address = '']) => [id, address.replace(/[@,].*/, '')]))
  const own = lines.find(([, , flags]) => flags?.includes('myself')) ?? []
  return own.flatMap((word) => {
    const [, slot, id = ''] = /^\[(\d+)->-(\w+)\]$/.exec(word) ?? []
    return slot === undefined ? [] : [{ slot: Number(slot), from: nameOf(node), to: addressOf.get(id) ?? id }]
  })
}

const lookEveryMs = 1_000

/** Says which slots are under way once something waits for them, and once they have arrived. */
export function tellMoves(redis: Redis, log: Log): void {
  let isLooking = false
  const look = async (since: number, toldSlots: string): Promise<void> => {
    const moves = await slotMoves(redis)
    const slots = moves.map(({ slot }) => slot).join(', ')
    const waitedMs = Math.round(steadyClock.now() - since)
    if (slots !== '' && slots !== toldSlots)
      log.warn({ moves }, 'slots of the Redis cluster move key by key; what is for them waits until they have arrived')
    if (slots === '') {
      isLooking = false
      if (toldSlots !== '') log.warn({ slots: toldSlots, waitedMs }, 'slots of the Redis cluster have arrived')
    } else {
      setTimeout(look, lookEveryMs, since, slots).unref()
    }
  }
  redis.on('waits for slots', () => {
    if (isLooking) return
    isLooking = true
    void look(steadyClock.now(), '')
  })
}
