import { type Durability, generationsFor, startDurability } from '@courier-fleet/store'
import { type OwnSentinel, ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const people = 12
const window = 4
const shards = 2
/** longer than a busy machine stalls: it would be told of a message as if a courier had died */
const leaseMs = 3_000
/** Sentinels that were late begin anew */
const failOverMs = 90_000

describe('engine: a fail-over to a replica that is behind', () => {
  let servers: OwnSentinel
  let fixture: Fixture
  let durability: Durability
  let courier: FakeCourier
  let answers: (() => void)[]

  beforeEach(async () => {
    servers = await ownSentinel({ lines: true })
    fixture = await createFixture({ url: servers.url, stop: async () => {} })
    answers = []
    const answer = () =>
      new Promise<Outcome>((resolve) => {
        answers.push(() => resolve({ kind: 'sent', providerId: `id-${answers.length}` }))
      })
    courier = fakeCourier({ foldsResends: false, batchSize: people, window, answer })
  })
  afterEach(async function () {
    // what did not come in time may be a fail-over
    if (this.currentTest?.state === 'failed') console.error(await servers?.standing())
    await fixture?.stop()
    durability?.stop()
    await servers?.stop()
  })

  async function run(level: 'master' | 'replica', before = () => {}) {
    const { redis } = fixture
    const at = { url: servers.url, redis, level, name: 'test' }
    const ref = await fixture.put(await fixture.people(people))
    const replicas = await startDurability({ ...at, level: 'replica' })
    // the message itself is there, whatever becomes of the master
    await until(
      () =>
        replicas
          .begin()()
          .then(
            () => true,
            () => false,
          ),
      'the replicas have it',
    )
    replicas.stop()
    before()
    durability = await startDurability(at)
    await fixture.run(courier, { durability, generations: generationsFor(at, shards), leaseMs })
    return ref
  }
  const handed = () => courier.handed.map(({ address }) => address)
  const answerAll = () => {
    for (const give of answers.splice(0)) give()
  }

  it('at level replica: nobody is sent to twice, nobody is lost, and what was accepted is told', async () => {
    const ref = await run('replica')
    await until(() => handed().length === window, 'the window is full')
    const master = await servers.master()
    master.line.hold()
    answerAll()
    // the next are marked on the master alone: they are not sent to
    await until(() => durability.troubles().length > 0, 'the replicas have not answered')
    expect(handed()).to.have.lengthOf(window)
    await master.kill()
    const answering = setInterval(answerAll, 20)
    try {
      const history = await until(
        async () => {
          const found = await fixture.get(ref).catch(() => undefined)
          return found?.state === 'settled' && found.channels.vk?.sent === people && found
        },
        'it has settled, with all that was accepted told',
        failOverMs,
      )
      expect(history.channels.vk).to.include({ sent: people, unknown: 0 })
    } finally {
      clearInterval(answering)
    }
    expect(handed()).to.have.lengthOf(people)
    expect(new Set(handed()).size).to.equal(people)
  })

  for (const [how, options] of [
    ['all at once', { batchSize: people }],
    ['through a window', { batchSize: people, window: people }],
  ] as const) {
    it(`at level replica nobody is sent to whose mark a master has alone, where resends are folded too: ${how}`, async () => {
      courier = fakeCourier(options)
      const master = await servers.master()
      const ref = await run('replica', () => void master.line.hold())
      await until(() => durability.troubles().length > 0, 'the replicas have not answered')
      expect(handed()).to.deep.equal([])
      await master.line.restore()
      await until(async () => (await fixture.get(ref)).channels.vk?.sent === people, 'all have it', failOverMs)
      expect(new Set(handed()).size).to.equal(people)
      expect(handed()).to.have.lengthOf(people)
    })
  }

  it('at level master somebody may be sent to twice: what was marked is gone', async () => {
    const ref = await run('master')
    await until(() => handed().length === window, 'the window is full')
    const master = await servers.master()
    master.line.hold()
    const answering = setInterval(answerAll, 20)
    try {
      await until(() => new Set(handed()).size === people, 'all were sent to')
      await master.kill()
      await until(
        async () => (await fixture.get(ref).catch(() => undefined))?.state === 'settled',
        'it has settled',
        failOverMs,
      )
    } finally {
      clearInterval(answering)
    }
    expect(handed().length).to.be.above(people)
  })
})
