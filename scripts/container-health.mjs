/** Exit code 0 when this container's timekeeper, notifier or courier has said of itself, not long ago, that it is ready. */
import { hostname } from 'node:os'
import { connectRedis, keys, reachRedis } from '@courier-fleet/store'

const name = [...process.argv.slice(2), hostname()].join('-')
const redis = connectRedis(process.env.REDIS_URL, { name: 'container-health', patienceMs: 1500 })
const ready = await reachRedis({ warn() {} }, redis)
  .then(() => redis.hget(keys.process(name), 'ready'))
  .catch(() => undefined)
redis.disconnect()
process.exitCode = ready === '1' ? 0 : 1
