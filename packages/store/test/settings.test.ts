/** The settings that every process holds: who hears of a change, when, and what becomes of nonsense. */
import { capturedLog, type FreshRedis, freshRedis, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectNode } from '../src/connection/index.ts'
import { hints, keys } from '../src/keys.ts'
import { firstSettings } from '../src/settings/first-settings.ts'
import { type LiveSettings, startLiveSettings } from '../src/settings/live-settings.ts'
import { readVersions } from '../src/settings/read-versions.ts'
import type { StoredSettings } from '../src/settings/settings.ts'
import { keptVersions, writeSettings } from '../src/settings/write-settings.ts'
import { connectSubscriber } from '../src/subscriber/connect-subscriber.ts'
import type { Subscriber } from '../src/subscriber/subscriber.ts'

const night = { from: '22:00', to: '08:00' }

describe('live settings', () => {
  let fresh: FreshRedis
  let subscriber: Subscriber
  let log: ReturnType<typeof capturedLog>
  let live: LiveSettings
  const start = (first: StoredSettings = {}) =>
    startLiveSettings({ redis: fresh.redis, subscriber, first, log: log.log })
  const write = (expected: number, stored: StoredSettings) =>
    writeSettings(fresh.redis, { expected, stored, by: 'operator-1' })
  const isVersion = (version: number) => () => live.current().version === version

  beforeEach(async () => {
    fresh = await freshRedis()
    subscriber = connectSubscriber(fresh.url, { name: 'settings-events' })
    log = capturedLog()
    live = await start({ quiet: night })
  })
  afterEach(async () => {
    live.stop()
    subscriber.disconnect()
    await fresh.stop()
  })

  it('are as the environment says until somebody sets them, and frozen to the last of their parts', () => {
    expect(live.current()).to.deep.include({ version: 0, quiet: night, quietJitterSeconds: 120, types: [] })
    expect(() => Object.assign(live.current().quiet as object, { from: '00:00' })).to.throw(TypeError)
  })

  it('come to every process by a hint, what is set over what the environment says', async () => {
    const heard = new Promise<void>((resolve) => live.changed(resolve))
    const before = live.current()
    expect(await write(0, { quietJitterSeconds: 5 })).to.equal(1)
    await heard
    expect(live.current()).to.deep.include({ version: 1, quiet: night, quietJitterSeconds: 5 })
    expect(before.quietJitterSeconds).to.equal(120)
    await write(1, { quiet: null })
    await until(isVersion(2), 'version 2 is used')
    expect(live.current()).to.deep.include({ quiet: null, quietJitterSeconds: 120 })
  })

  it('come without any hint, too, within the two seconds of a look', async () => {
    subscriber.unsubscribe(hints.settings)
    const since = performance.now()
    await write(0, { quietJitterSeconds: 5 })
    await until(isVersion(1), 'version 1 is used')
    expect(performance.now() - since).to.be.below(10_000)
  })

  it('are set by one of those who set them at once, and the others are told', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => write(0, { quietJitterSeconds: i })))
    expect(answers.filter((answer) => answer !== undefined)).to.deep.equal([1])
    const winner = answers.indexOf(1)
    expect((await readVersions(fresh.redis, 10)).map(({ version, json }) => [version, JSON.parse(json)])).to.deep.equal(
      [[1, { quietJitterSeconds: winner }]],
    )
    expect(await write(0, {})).to.equal(undefined)
    expect(await write(7, {})).to.equal(undefined)
  })

  it('whose reply was lost are set once, and by whoever set them', async () => {
    const gate = await redisGate(fresh.url)
    const redis = connectNode(gate.url, { name: 'settings-writer' })
    await redis.connect()
    gate.arm({
      matches: (sent) => sent.includes('xadd') || sent.includes('XADD'),
      moment: 'after',
      spring() {
        gate.cut()
        return 'drop'
      },
    })
    const before = gate.accepted()
    expect(await writeSettings(redis, { expected: 0, stored: { quietJitterSeconds: 5 }, by: 'operator-1' })).to.equal(1)
    expect(gate.accepted(), 'the line was cut, and the command sent again').to.equal(before + 1)
    expect(await readVersions(fresh.redis, 10)).to.have.length(1)
    redis.disconnect()
    await gate.close()
  })

  it('keep a process from starting that its environment does not go with, and say why', async () => {
    const types = [{ id: 'news', number: 2, name: { ru: 'а', en: 'a' }, interval: 'P8D' }]
    await write(0, { types })
    const refusal = await start({ retentionDays: 7 }).then(
      () => 'it starts',
      (error: Error) => error.message,
    )
    expect(refusal).to.match(/^the environment does not go with the settings: .*the longest window of a rule is 8 days/)
    const good = await start({ retentionDays: 8 })
    expect(good.current().version).to.equal(1)
    good.stop()
  })

  it('are kept as the newest hundred versions, each with whoever set it', async () => {
    for (let version = 0; version < keptVersions + 5; version += 1)
      await write(version, { quietJitterSeconds: version })
    const kept = await readVersions(fresh.redis, 1_000)
    expect([kept.length, kept[0]?.version, kept.at(-1)?.version]).to.deep.equal([keptVersions, 105, 6])
    expect(kept[0]).to.include({ by: 'operator-1' })
    expect(Date.now() - (kept[0]?.atMs ?? 0)).to.be.within(-1_000, 60_000)
  })

  for (const [what, json] of [
    ['no JSON', '{'],
    ['no object', '5'],
    ['what is no setting', '{"quietJitterSeconds":"soon"}'],
    ['a setting of another version of the fleet', '{"tides":1}'],
    [
      'two types with one number',
      '{"types":[{"id":"a","number":2,"name":{"ru":"а","en":"a"}},{"id":"b","number":2,"name":{"ru":"б","en":"b"}}]}',
    ],
  ] as const)
    it(`stay the last good ones while Redis holds ${what}, which is said once`, async () => {
      await write(0, { quietJitterSeconds: 5 })
      await until(isVersion(1), 'version 1 is used')
      await fresh.redis.xadd(keys.settings, '2-0', 'json', json)
      const problem = await until(() => live.problem(), 'the problem is told')
      expect(problem).to.match(/^version 2 of the settings in Redis cannot be used, version 1 still is: /)
      await live.look()
      expect(live.current()).to.deep.include({ version: 1, quietJitterSeconds: 5 })
      expect(log.text().split(JSON.stringify(problem))).to.have.length(2)

      const later = await start()
      expect(later.current()).to.deep.include({ version: 1, quietJitterSeconds: 5 })
      expect(later.problem()).to.equal(problem)
      later.stop()

      expect(await write(2, { quietJitterSeconds: 7 })).to.equal(3)
      await until(isVersion(3), 'version 3 is used')
      expect(live.problem()).to.equal(undefined)
    })

  it('are those of the environment again where Redis has lost them', async () => {
    await write(0, { quietJitterSeconds: 5 })
    await until(isVersion(1), 'version 1 is used')
    await fresh.redis.del(keys.settings)
    await until(isVersion(0), 'version 0 is used')
    expect(live.current()).to.deep.include({ quiet: night, quietJitterSeconds: 120 })
  })
})

describe('the first settings', () => {
  it('are what the environment says', () => {
    expect(firstSettings({})).to.deep.equal({ retentionDays: 90 })
    expect(firstSettings({ QUIET_HOURS: '22:00-08:00', RETENTION_DAYS: '0.5' })).to.deep.equal({
      quiet: night,
      retentionDays: 0.5,
    })
  })

  for (const [env, problem] of [
    [{ QUIET_HOURS: 'at night' }, /^QUIET_HOURS must be quiet hours such as 22:00-08:00/],
    [{ QUIET_HOURS: '8:00-9:00' }, /^QUIET_HOURS must be/],
    [{ QUIET_HOURS: '08:00-07:00' }, /^QUIET_HOURS must be .*at most 20 hours$/],
    [{ RETENTION_DAYS: '99999' }, /^RETENTION_DAYS must be at most 36500$/],
  ] as const)
    it(`are refused in one line: ${JSON.stringify(env)}`, () => {
      expect(() => firstSettings(env)).to.throw(problem)
    })
})
