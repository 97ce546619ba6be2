/** The Redis the fleet lives on: the one REDIS_URL names, or one that starts and stops with the fleet. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, writeAtomically } from './fleet-lock.mjs'
import { freePort } from './free-port.mjs'
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

/** What `--redis` may say; one process when it says nothing. Each keeps its data in a folder of its own. */
export const redisKinds = ['cluster', 'sentinel']
const folders = { one: 'redis', cluster: 'redis-cluster', sentinel: 'redis-sentinel' }

/**
 * One of the fleet's own, or several that replicate each other, supervised like the rest.
 * @param {{ server: string, kind?: string, fleet: ReturnType<typeof import('./fleet.mjs').createFleet>, dataDir: string,
 *   log: ReturnType<typeof import('./process-log.mjs').createProcessLog>, say: (text: string) => void }} deps
 * @returns its URL, once it answers
 */
export async function runRedis({ server, kind = 'one', fleet, dataDir, log, say }) {
  for (const [other, folder] of Object.entries(folders))
    if (other !== kind && existsSync(join(dataDir, folder)))
      say(
        `Redis: ${join(dataDir, folder)} holds another fleet: npm start${other === 'one' ? '' : ` -- --redis ${other}`}`,
      )
  const dir = join(dataDir, folders[kind])
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const run = ({ name, port, command }) => runServer({ fleet, log, name, port, command })
  if (kind === 'one') return runOne({ server, dir, portFile: join(dataDir, 'redis-port.json'), run })
  // only now: before npm ci what they need is not there
  const { runCluster, runSentinel } = await import('./fleet-redis-replicated.mjs')
  return kind === 'cluster' ? runCluster({ server, dir, run, say }) : runSentinel({ server, dir, run, say })
}

/** Resolves when it answers. */
function runServer({ fleet, log, name, port, command }) {
  let early
  fleet.run({
    name,
    marker: `127.0.0.1:${port}`, // Redis rewrites its command line to its name and address
    command: () => command,
    onEnd: (reason) => {
      early ??= new Error(`Redis ${reason}; its last words are in ${log.pathOf(name)}`)
    },
  })
  return untilPong(port, () => early)
}

/** On the port of last time where that is free, so that its URL stays. */
async function runOne({ server, dir, portFile, run }) {
  const port = await freePort(readJson(portFile)?.port)
  await run({ name: 'redis', port, command: redisCommand({ server, dir, port, settings: { appendonly: 'yes' } }) })
  writeAtomically(portFile, { port })
  return `redis://127.0.0.1:${port}`
}
