/**
 * `node scripts/api-key.mjs <owner> <role> [label]` prints a new API key: the first one of an installation that is not run
 * by `npm start`; whoever has it makes the others through the API.
 */

import { createApiKeys } from '@courier-fleet/directory'
import { systemClock } from '@courier-fleet/process'
import { Redis } from 'ioredis'

const [owner, role, label = 'scripts/api-key.mjs'] = process.argv.slice(2)
if (!owner || !role) {
  console.error(
    'usage: REDIS_URL=redis://… node scripts/api-key.mjs <owner> <student|trainer|staff|operator|admin|inbound> [label]',
  )
  process.exit(2)
}
const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', { maxRetriesPerRequest: 1 })
redis.on('error', () => {})
try {
  const { apiKey } = await createApiKeys({ redis, clock: systemClock }).create({ owner, role, label })
  console.log(apiKey)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  redis.disconnect()
}
