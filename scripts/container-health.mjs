/** Exit code 0 when this container's timekeeper, notifier or courier has said of itself, not long ago, that it is ready. */
import { hostname } from 'node:os'
import { keys } from '@courier-fleet/store'
import { Redis } from 'ioredis'

const name = [...process.argv.slice(2), hostname()].join('-')
const redis = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: 1, connectTimeout: 1000 })
redis.on('error', () => {})
const ready = await redis.hget(keys.process(name), 'ready').catch(() => undefined)
redis.disconnect()
process.exitCode = ready === '1' ? 0 : 1
