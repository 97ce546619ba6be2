/**
 * `node scripts/api-key.mjs <owner> <role> [label]` prints a new API key: the first one of an installation that is not run
 * by `npm start`; whoever has it makes the others through the API.
 */

import { createApiKeys } from '@courier-fleet/directory'
import { systemClock } from '@courier-fleet/process'
import { connectRedis, reachRedis } from '@courier-fleet/store'

const [owner, role, label = 'scripts/api-key.mjs'] = process.argv.slice(2)
if (!owner || !role) {
  console.error(
    'usage: REDIS_URL=redis://… node scripts/api-key.mjs <owner> <student|trainer|staff|operator|admin|inbound> [label]',
  )
  process.exit(2)
}
let redis
try {
  redis = connectRedis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', { name: 'api-key', patienceMs: 1500 })
  await reachRedis({ warn: (_fields, text) => console.error(text) }, redis)
  const { apiKey } = await createApiKeys({ redis, clock: systemClock }).create({ owner, role, label })
  console.log(apiKey)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  redis?.disconnect()
}
