/** One Redis, each process of the fleet behind a link of its own to it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Link, openLink } from '@courier-fleet/testkit/link'
import { freePort } from '../../../../scripts/free-port.mjs'
import { redisCommand, untilPong } from '../../../../scripts/redis-process.mjs'
import { connectAdmin, type RedisDeps, type RedisServer, redisSettings } from './redis-server.ts'

export async function startOneRedis({ processes, executable, dir: ofFleet }: RedisDeps): Promise<RedisServer> {
  const dir = join(ofFleet, 'redis')
  mkdirSync(dir)
  const port = await freePort()
  const command = redisCommand({ server: executable, dir, port, settings: redisSettings })
  const member = processes.run('redis', { ...command, env: {} })
  await untilPong(port, () => undefined)
  const admin = connectAdmin(port)
  const links = new Map<string, Link>()
  return {
    kind: 'one',
    url: `redis://127.0.0.1:${port}`,
    admin,
    nodes: [{ member, admin }],
    async urlOf(name) {
      const link = links.get(name) ?? (await openLink({ host: '127.0.0.1', port }))
      links.set(name, link)
      return `redis://127.0.0.1:${link.port}`
    },
    lineOf(name) {
      const link = links.get(name)
      if (!link) throw new Error(`${name} has no link`)
      return link
    },
    ready: async () => void (await admin.ping()),
    async close() {
      admin.disconnect()
      await Promise.all([...links.values()].map((link) => link.close()))
    },
  }
}
