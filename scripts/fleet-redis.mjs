/** The Redis the fleet lives on: the one REDIS_URL names, or one that starts and stops with the fleet. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, writeAtomically } from './fleet-lock.mjs'
import { freePort } from './free-port.mjs'
import { findRedisServer } from './redis.mjs'
import { redisCommand, untilPong } from './redis-process.mjs'

/** @throws Error when REDIS_URL leads nowhere; its password is not repeated */
export async function givenRedis({ url, built, say }) {
  const { connectRedis, placeOfRedis, reachRedis } = built
  const redis = connectRedis(url, { name: 'npm-start' })
  try {
    await reachRedis({ warn: (_fields, text) => say(text) }, redis)
    say(`${placeOfRedis(redis)}, as REDIS_URL says`)
    return url
  } finally {
    redis.disconnect()
  }
}

/**
 * One of the fleet's own, supervised like the rest, on the port of last time where that is free, so that its URL stays.
 * @returns its URL, once it answers
 */
export async function runRedis({ fleet, dataDir, log, say }) {
  const server = findRedisServer({ say, dataDir })
  const dir = join(dataDir, 'redis')
  const portFile = join(dataDir, 'redis-port.json')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const port = await freePort(readJson(portFile)?.port)
  let early
  fleet.run({
    name: 'redis',
    marker: `127.0.0.1:${port}`, // Redis rewrites its command line to its name and address
    command: () => redisCommand({ server, dir, port, settings: { appendonly: 'yes' } }),
    onEnd: (reason) => {
      early ??= new Error(`Redis ${reason}; its last words are in ${log.pathOf('redis')}`)
    },
  })
  await untilPong(port, () => early)
  writeAtomically(portFile, { port })
  return `redis://127.0.0.1:${port}`
}
