/** Shards that grow while messages are sent and other things go wrong: as docs/cluster.md has it, every process is started anew. */
import { until } from '@courier-fleet/testkit/until'
import { createClient } from '../traffic/client.ts'
import type { Draw } from './fault.ts'
import { restartEach } from './process-faults.ts'

/** as many as there can be; a cluster begins with 64 */
const shards = 256
const askMs = 60_000
/** whoever was killed is heard of no more after fifteen seconds, and a timekeeper looks every second */
const grownMs = 90_000

/** They grow once: in a later round every process is started anew, and that is all. */
export const growth: Draw = (_random, at) => ({
  name: 'growth',
  what: `shards grow to ${shards}`,
  at,
  async happen({ fleet, onBadStop, onNotGrown }) {
    const client = createClient(fleet)
    // the same again changes nothing, and says how far it is
    const grow = async () => (await client.send({ method: 'PUT', path: '/v1/shards', body: { shards } }, askMs)).answer
    if ((await grow())?.status !== 200) return onNotGrown(`shards do not grow to ${shards}`)
    await restartEach(fleet.targets, onBadStop)
    const isGrown = async () => (await grow())?.body.laidBy === shards
    await until(isGrown, 'messages are laid by all shards', grownMs).catch((error: Error) => onNotGrown(error.message))
  },
})
