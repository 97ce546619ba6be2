/** The Redis of a run: durable, killed like any other process, its data loaded again at every start. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Member, Processes } from '@courier-fleet/launch'
import { Redis } from 'ioredis'
import { freePort } from '../../../scripts/free-port.mjs'
import { redisCommand, untilPong } from '../../../scripts/redis-process.mjs'

export interface RedisServer {
  readonly member: Member
  readonly port: number
  /** of whoever sets the fleet up; the fleet itself may not change Redis's settings */
  readonly admin: Redis
  /** Resolves when it has loaded its data and answers. */
  ready(): Promise<void>
}

const adminPassword = 'chaos'
const settings = {
  appendonly: 'yes',
  // what it has answered is in the file before, and outlives it: with everysec not where the disk is slow (docs/faults.md)
  appendfsync: 'no',
  // as on a managed Redis: events can be turned off and the fleet cannot turn them on
  user: [
    ['default', 'on', 'nopass', '~*', '&*', '+@all', '-config'],
    ['admin', 'on', `>${adminPassword}`, '~*', '&*', '+@all'],
  ],
}

export async function startRedisServer(deps: {
  processes: Processes
  executable: string
  dir: string
}): Promise<RedisServer> {
  const dir = join(deps.dir, 'redis')
  mkdirSync(dir)
  const port = await freePort()
  const command = redisCommand({ server: deps.executable, dir, port, settings })
  const member = deps.processes.run('redis', { ...command, env: {} })
  await untilPong(port, () => undefined)
  const admin = new Redis(port, '127.0.0.1', {
    username: 'admin',
    password: adminPassword,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  })
  admin.on('error', () => {}) // expected while it is away
  return { member, port, admin, ready: async () => void (await admin.ping()) }
}
