/** What the wall of phones may do to a fleet of `npm start`, and who may not; up.test.ts has it in a whole one. */
import { EventEmitter } from 'node:events'
import { silentLog } from '@courier-fleet/process'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { linkFleet } from '../../packages/sandbox/src/fleet-link.ts'
import { type Sandbox, startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createFleetTrouble } from '../../scripts/fleet-trouble.mjs'

interface Now {
  readonly answers: boolean
  readonly channels: readonly { readonly channel: string; readonly running: number }[]
  readonly redisAwayForMs?: number
}

/** The two ends of the channel between `npm start` and its sandbox. */
function channel() {
  const [child, parent] = [new EventEmitter(), new EventEmitter()]
  const to = (end: EventEmitter) => (message: unknown) => queueMicrotask(() => end.emit('message', message))
  return {
    ofParent: Object.assign(parent, { connected: true, send: to(child) }),
    ofChild: Object.assign(child, { send: to(parent) }),
  }
}

describe('trouble for the fleet of npm start', () => {
  let server: OwnRedis
  const sandboxes: Sandbox[] = []

  before(async () => {
    server = await ownRedis()
  })
  afterEach(() => Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.stop())))
  after(() => server.stop())

  /** A sandbox of a fleet that runs nothing, with or without a Redis of its own. */
  async function start(options: { own: boolean; attached?: false }): Promise<Sandbox> {
    const { ofParent, ofChild } = channel()
    const sandbox = await startSandbox({ fleet: linkFleet(ofChild), log: silentLog })
    sandboxes.push(sandbox)
    const redis = server.redis()
    const trouble = createFleetTrouble({
      fleet: { names: () => ['queue', 'courier-vk-1'], pidOf: () => undefined },
      channels: ['vk', 'sms'],
      ...(options.own ? { redis } : {}),
      readChannels: async () => {
        throw new Error('away')
      },
    })
    if (options.attached !== false) trouble.attach(ofParent)
    await new Promise((resolve) => setImmediate(resolve))
    return sandbox
  }
  const post = async ({ url }: Sandbox, path: string, body: object, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    }
    const response = await fetch(`${url}${path}`, init)
    return { status: response.status, text: await response.text() }
  }
  const look = async ({ url }: Sandbox) => (await (await fetch(`${url}/fleet`)).json()) as Now

  it('has Redis answer nobody for five seconds, says so meanwhile, and then all is as before', async () => {
    const sandbox = await start({ own: true })
    const other = server.redis()
    expect((await look(sandbox)).redisAwayForMs).to.equal(0)
    const begunAt = performance.now()
    const asked = await post(sandbox, '/fleet/redis-away', {})
    expect(asked.status, asked.text).to.equal(200)
    const answered = other.ping().then(() => performance.now())
    const { redisAwayForMs } = await look(sandbox)
    // of a machine that has stood still meanwhile it may be over
    if (performance.now() - begunAt < 5000) expect(redisAwayForMs).to.be.within(1, 5000)
    expect((await answered) - begunAt).to.be.above(4900)
    await until(async () => (await look(sandbox)).redisAwayForMs === 0, 'it is said to answer again')
  })

  it('says which couriers run, and that the service does not answer', async () => {
    const { answers, channels } = await look(await start({ own: false }))
    expect(answers).to.equal(false)
    expect(channels.map(({ channel, running }) => [channel, running])).to.deep.equal([
      ['vk', 0],
      ['sms', 0],
    ])
  })

  it('touches no Redis that is not its own, and no courier of a channel that is real or does not run', async () => {
    const sandbox = await start({ own: false })
    expect(await look(sandbox)).not.to.have.property('redisAwayForMs')
    for (const [path, body, why] of [
      ['/fleet/redis-away', {}, 'this Redis is not the own one of the fleet'],
      ['/fleet/kill', { channel: 'telegram' }, 'couriers of telegram are not killed from here'],
      ['/fleet/kill', { channel: 'vk' }, 'no courier of vk runs now'],
    ] as const) {
      const { status, text } = await post(sandbox, path, body)
      expect(status).to.equal(409)
      expect(text).to.contain(why)
    }
    expect((await post(sandbox, '/fleet/kill', { channel: 'queue' })).status).to.equal(400)
  })

  it('is made by no page of another site, and by nobody where no fleet has started the sandbox', async () => {
    const sandbox = await start({ own: true })
    for (const headers of [{ origin: 'https://other.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await post(sandbox, '/fleet/redis-away', {}, headers)).status).to.equal(403)
    expect((await look(sandbox)).redisAwayForMs).to.equal(0)
    const alone = await start({ own: true, attached: false })
    expect(await look(alone)).to.deep.equal({ channels: [] })
    expect((await post(alone, '/fleet/redis-away', {})).status).to.equal(404)
  })
})
