import { parseRedisUrl } from '../connection/address.ts'
import { connectNode } from '../connection/connect.ts'
import { ClusterReader, oneNode } from './cluster-reader.ts'
import { LinesSubscriber } from './lines-subscriber.ts'
import type { Subscriber } from './subscriber.ts'

/** Nothing depends on a hint: a second is all that a dead line costs, so there is no hurry in noticing it. */
const defaultAskEveryMs = 5_000

/**
 * Connects when it is first needed, and stays so until disconnect(). On a cluster what Redis tells of itself is heard at every node, replicas too, for one
 * of them may be master a moment later; a channel of the fleet's own at the master of its slot.
 */
export function connectSubscriber(url: string, options: { name: string; askEveryMs?: number }): Subscriber {
  const { name, askEveryMs = defaultAskEveryMs } = options
  const connect = (node: string) => connectNode(node, { name, listens: true })
  const address = parseRedisUrl(url)
  if (address?.kind !== 'cluster')
    return new LinesSubscriber({ connect, readNodes: async () => oneNode(url), askEveryMs, onEnd() {} })
  const reader = new ClusterReader({ address, connect })
  return new LinesSubscriber({ connect, readNodes: () => reader.read(), askEveryMs, onEnd: () => reader.close() })
}
