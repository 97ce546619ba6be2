/** The Redis of a run: durable, killed like any other process, its data loaded again at every start. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Member, Processes } from './processes.ts'

export interface RedisServer {
  readonly member: Member
  readonly port: number
  /** of whoever sets the fleet up; the fleet itself may not change Redis's settings */
  readonly admin: Redis
  /** Resolves when it has loaded its data and answers. */
  ready(): Promise<void>
}

const adminPassword = 'chaos'

export async function startRedisServer(deps: {
  processes: Processes
  executable: string
  dir: string
  port: number
}): Promise<RedisServer> {
  const { processes, executable, dir, port } = deps
  const data = join(dir, 'redis')
  mkdirSync(data)
  const settings: readonly (readonly [name: string, ...values: string[]])[] = [
    ['bind', '127.0.0.1'],
    ['port', String(port)],
    ['dir', data],
    ['save', ''],
    ['appendonly', 'yes'],
    ['notify-keyspace-events', 'Ex'],
    ['maxmemory-policy', 'noeviction'],
    // as on a managed Redis: events can be turned off and the fleet cannot turn them on
    ['user', 'default', 'on', 'nopass', '~*', '&*', '+@all', '-config'],
    ['user', 'admin', 'on', `>${adminPassword}`, '~*', '&*', '+@all'],
  ]
  const args = settings.flatMap(([name, ...values]) => [`--${name}`, ...values])
  const member = processes.run({ name: 'redis', file: executable, args, env: {} })
  const admin = new Redis(port, '127.0.0.1', {
    username: 'admin',
    password: adminPassword,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  })
  admin.on('error', () => {}) // expected while it is away
  async function ready() {
    await admin.ping()
  }
  await ready()
  return { member, port, admin, ready }
}
