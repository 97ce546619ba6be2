import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate, type OwnRedis, openTlsDoor, ownRedis, type TlsDoor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { startReceiver } from '../../packages/notifier/test/receiver.ts'
import { redisUsers } from '../../scripts/redis-users.mjs'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const passwords = {
  queue: 'queue-password-1',
  courier: 'courier-password',
  notifier: 'notifier-password',
  timekeeper: 'timekeeper-passw',
}
type User = keyof typeof passwords

/** What each may not do: keys of others, and what concerns the whole server. */
const refused: Readonly<Record<User, readonly string[][]>> = {
  queue: [
    ['SET', 'watcher', 'me'],
    ['HSET', 'figures', 'x', '1'],
    ['CONFIG', 'GET', 'dir'],
  ],
  courier: [
    ['GET', 'session:x'],
    ['HGETALL', 'api-key:x'],
    ['SET', 'sign-in:x', '1'],
    ['XADD', 'audit', '*', 'action', 'x'],
    ['HSET', 'people:{p0}', 'x', 'y'],
    ['CONFIG', 'GET', 'dir'],
  ],
  notifier: [
    ['GET', 'session:x'],
    ['HSET', 'api-key:x', 'role', 'admin'],
    ['HSET', 'people:{p0}', 'x', 'y'],
    ['SADD', 'role:admin', 'x'],
    ['CONFIG', 'GET', 'dir'],
  ],
  timekeeper: [
    ['GET', 'session:x'],
    ['HGETALL', 'api-key:x'],
    ['HSET', 'people:{p0}', 'x', 'y'],
    ['SADD', 'role:admin', 'x'],
  ],
}
const refusedToAll = [
  ['FLUSHALL'],
  ['KEYS', '*'],
  ['ACL', 'LIST'],
  ['SHUTDOWN'],
  ['REPLICAOF', 'NO', 'ONE'],
  ['FUNCTION', 'LIST'],
  ['SCRIPT', 'FLUSH'],
  ['GET', 'other'],
  ['PUBLISH', 'other', 'x'],
]

/** Has a subscriber told of people, of whom one changes, until it says that it is gone. */
async function tellSubscriber(fleet: Fleet): Promise<void> {
  const api = await fleet.apiOf('t-01', 'trainer')
  let secret = ''
  const receiver = await startReceiver(() => secret)
  try {
    const { url } = receiver
    const { body } = await api.call('POST', '/v1/subscriptions', { url, resource: 'person', resource_id: 't-01' })
    const made = body as { id: string; secret: string }
    secret = made.secret
    await until(() => receiver.view('t-01').role === 'trainer', 'the whole is told')
    receiver.behave(() => 410)
    expect((await fleet.api.call('PUT', '/v1/contacts/vk/t-01', { address: '123456' })).status).to.equal(204)
    await until(() => receiver.changes().length === 2, 'a change is told')
    await until(
      async () =>
        ((await api.call('GET', `/v1/subscriptions/${made.id}`)).body as { state: string }).state === 'disabled',
      'it is disabled',
    )
  } finally {
    await receiver.stop()
  }
}

/** Has an endpoint do nothing but fail for five days, which take two seconds here. */
async function tellOwnerOfEndpoint(fleet: Fleet): Promise<void> {
  const receiver = await startReceiver(() => '')
  try {
    receiver.behave(() => 500)
    const staff = await fleet.apiOf('d-03', 'staff')
    await staff.send({ to: [`url:${receiver.url}`], text: 'Никому' })
    const told = async () => (await fleet.sandbox.accepted()).some(({ text }) => text.includes('endpoints:enable'))
    await until(told, 'the owner of the endpoint is told')
  } finally {
    await receiver.stop()
  }
}

describe('a Redis that knows who is who', () => {
  let dir: string
  let redis: OwnRedis
  let admin: Redis
  let door: TlsDoor
  let fleet: Fleet
  const connections: Redis[] = []

  const urlOf = (user: User) => {
    const url = new URL(redis.url)
    url.username = user
    url.password = passwords[user]
    return url.href
  }
  /** where the fleet speaks to it: by TLS */
  const encrypted = (url: string) => url.replace('redis:', 'rediss:').replace(/:\d+$/, `:${door.port}`)
  const userOf = (name: string): User => name.replace(/-.*/, '') as User

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-acl-'))
    const file = join(dir, 'users.acl')
    writeFileSync(file, `${redisUsers(passwords).join('\n')}\n`)
    const certificate = createCertificate()
    const authority = join(dir, 'authority.pem')
    writeFileSync(authority, certificate.cert)
    redis = await ownRedis({ config: { aclfile: file } })
    door = await openTlsDoor(Number(new URL(redis.url).port), certificate)
    admin = redis.redis()
    fleet = await startFleet({
      redis,
      notifiers: 1,
      couriers: { http: 1 },
      env: { HTTP_RETRY_SCALE: '0.000005' },
      envOf: () => ({ NODE_EXTRA_CA_CERTS: authority }),
      redisUrlOf: async (name) => encrypted(urlOf(userOf(name))),
    })
  })
  after(async () => {
    for (const connection of connections) connection.disconnect()
    await fleet.stop()
    await door.close()
    await redis.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  it('lets the whole fleet work, from a message to its receipts, and nobody is refused anything', async () => {
    const expected = goodContacts(membersOf('ivt-101'))
    const { settled, history } = await fleet.api.deliver({ to: ['group:ivt-101'], text: 'Пары не будет' })
    expect(settled).to.equal(true)
    expect(addressesIn(await fleet.sandbox.accepted('Пары не будет'))).to.deep.equal(expected)
    expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
    const later = await fleet.api.send({ to: ['user:t-01'], text: 'позже', at: ahead(600_000) })
    expect((await fleet.api.call('DELETE', `/v1/histories/${later}`)).status).to.be.within(200, 204)
    for (const [method, path, body] of [
      ['GET', '/v1/channels'],
      ['GET', '/v1/histories'],
      ['GET', '/v1/people?limit=5'],
      ['GET', '/v1/audit'],
      ['GET', '/v1/stats'],
      ['POST', '/v1/audiences:resolve', { to: ['group:ivt-101'] }],
      ['POST', '/v1/api-keys', { owner: 't-01', role: 'trainer', label: 'x' }],
      ['POST', '/v1/sign-ins', { person: 't-01' }],
    ] as const)
      expect((await fleet.api.call(method, path, body)).status, path).to.be.within(200, 202)
    expect((await fetch(`${fleet.apiUrl}/metrics`)).status).to.equal(200)
    expect(door.made.encrypted, 'connections by TLS').to.be.above(4)
    expect(door.made.plain).to.equal(0)
    await tellSubscriber(fleet)
    await tellOwnerOfEndpoint(fleet)
    await until(async () => (await admin.get('watcher')) !== null, 'the timekeeper watches')
    await until(async () => (await admin.exists('figures')) === 1, 'couriers have told their figures')
    await until(async () => (await admin.keys('stats-hour:*')).length >= 24, 'a timekeeper has summed the hours')
    const log = (await admin.call('ACL', 'LOG')) as unknown[][]
    expect(
      log.map((entry) => entry.slice(0, 12).join(' ')),
      'refused',
    ).to.deep.equal([])
  })

  for (const user of Object.keys(passwords) as User[]) {
    it(`refuses the ${user} what is not its own`, async () => {
      const connection = new Redis(urlOf(user), { lazyConnect: true })
      connections.push(connection)
      await connection.connect()
      for (const [command = '', ...args] of [...refused[user], ...refusedToAll]) {
        const reply = await connection.call(command, ...args).catch((error: Error) => error.message)
        expect(String(reply), [command, ...args].join(' ')).to.match(/^NOPERM/)
      }
      const inScript = await connection
        .eval("return redis.call('GET', 'other')", 0)
        .catch((error: Error) => error.message)
      expect(String(inScript)).to.match(/user executing the script can't access|ACL failure/)
    })
  }

  it('knows nobody with another password', async () => {
    const url = new URL(urlOf('queue'))
    url.password = passwords.courier
    const connection = new Redis(url.href, { lazyConnect: true, retryStrategy: null })
    connections.push(connection)
    connection.on('error', () => {})
    const said = await connection.get('fleet').catch((error: Error) => error.message)
    expect(said).to.be.a('string').and.not.equal('3')
  })
})
