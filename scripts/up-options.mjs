/** What `npm start` is told after `--`. */
import { parseArgs } from 'node:util'
import { redisKinds } from './fleet-redis.mjs'

export const usage = `npm start                        the whole fleet on a Redis of its own, or the one REDIS_URL names
npm start -- --redis cluster     on a Redis Cluster of its own: three masters, three replicas
npm start -- --redis sentinel    on a Redis of its own with two replicas and three Sentinels
Everything else is said by environment variables, which .env.example explains.`

/**
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ help: boolean, redis?: string }}
 * @throws Error that says what would be right
 */
export function parseUpOptions(argv, env) {
  const options = { help: { type: 'boolean' }, redis: { type: 'string' } }
  let values
  try {
    values = parseArgs({ args: argv, options }).values
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`)
  }
  const { help = false, redis } = values
  if (redis !== undefined && !redisKinds.includes(redis))
    throw new Error(`--redis is ${redisKinds.join(' or ')}, not "${redis}"\n${usage}`)
  if (redis !== undefined && env.REDIS_URL)
    throw new Error(`--redis ${redis} starts a Redis of its own, and REDIS_URL names another: leave out one of them`)
  return { help, ...(redis && { redis }) }
}
