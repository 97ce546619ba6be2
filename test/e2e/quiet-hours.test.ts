/**
 * Quiet hours in a whole fleet of processes, against the stand-ins of the providers. The clocks on people's walls are moved, by the same time
 * in all processes; nothing else is. When they are moved over a morning, what waits is called forward, as it is when the rules change.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ChannelList,
  type HistoryView,
  type MessageInput,
  parseHistoryKey,
  shardNames,
} from '@courier-fleet/api-types'
import type { ChannelName } from '@courier-fleet/channels'
import { createWallClock, type WallClock } from '@courier-fleet/launch'
import { bucketOf, callShardForward, keys, writeSettings } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { outcomeWords } from '@courier-fleet/words'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf, type Student, studentsOf } from './roster.ts'

const minuteMs = 60_000
const window = 5
const night = { from: '22:00', to: '08:00' }
/** ids, zones and addresses of people who are not in the demo */
const guests = [
  ['guest-berlin', 'Europe/Berlin', '5900001'],
  ['guest-howe', 'Australia/Lord_Howe', '5900002'],
  ['guest-moscow', 'Europe/Moscow', '5900003'],
] as const
const rows = guests.map(([id, zone, vk]) => `${id},Guest,student,${zone},ru,,${vk},,guests,,`)
const roster = `id,name,role,timezone,language,telegram,vk,phone,groups,owns,email\n${rows.join('\n')}\n`

describe('quiet hours', () => {
  let server: OwnRedis
  let redis: Redis
  let dir: string
  let clock: WallClock
  let fleet: Fleet
  let shards: string[]
  let version = 0

  before(async () => {
    server = await ownRedis()
    redis = server.redis()
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-walls-'))
    clock = createWallClock(dir)
    fleet = await startFleet({
      redis: server,
      wallClock: clock,
      couriers: { telegram: 0, vk: 2, sms: 1 },
      env: { LEASE_MS: '1500', SMS_PER_SECOND: '5', SMS_WINDOW: String(window) },
    })
    const { status } = await fleet.api.call('POST', '/v1/imports', roster)
    expect(status).to.equal(200)
    shards = shardNames(Number(await redis.hget(keys.fleet, 'shards')))
    await setQuiet(night)
  })
  after(async () => {
    await fleet.stop()
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  /** Resolves once every process holds people by these hours. */
  async function setQuiet(quiet: { from: string; to: string } | null): Promise<void> {
    const written = await writeSettings(redis, {
      expected: version,
      by: 'admin',
      stored: { quiet, quietJitterSeconds: 0 },
    })
    version = written as number
    const isApplied = async () => {
      const known = await Promise.all(shards.map((shard) => redis.get(keys.heldRules(shard))))
      return known.every((text) => text?.startsWith(`${version} `) && text.endsWith(' applied'))
    }
    await until(isApplied, 'the hours are applied')
    const couriers = fleet.names.filter((name) => name.startsWith('courier'))
    const versions = () => Promise.all(couriers.map((name) => redis.hget(keys.process(name), 'settings')))
    await until(async () => (await versions()).every((each) => each === String(version)), 'all couriers know')
  }
  const wish = async (person: string, quiet: { from: string; to: string } | 'never') =>
    expect((await fleet.api.call('PUT', `/v1/people/${person}/wishes`, { off: [], quiet })).status).to.equal(200)

  /** The clocks on the walls show this time, and everybody who waits is decided anew by them. */
  async function moveTo(moment: string): Promise<void> {
    clock.moveTo(moment)
    for (const shard of shards) await callShardForward(redis, shard)
  }
  const waves = async (key: string) => Number((await redis.hget(keys.history(parseHistoryKey(key)), 'waves')) ?? 0)
  /** … and whoever of this message has to wait on does. */
  async function stillHeldAt(moment: string, key: string): Promise<void> {
    const before = await waves(key)
    await moveTo(moment)
    await until(async () => (await waves(key)) > before && (await heldOf(key)) > 0, `they are held again at ${moment}`)
  }
  const heldIn = ({ waiting = [] }: HistoryView) => waiting.reduce((sum, { people }) => sum + people, 0)
  const heldOf = async (key: string) => heldIn(await fleet.api.history(key))
  const held = (key: string, people: number) => until(async () => (await heldOf(key)) === people, `${people} are held`)
  /** when they are sent to, by the clocks on the walls as they are now */
  const heldUntil = async (key: string) =>
    ((await fleet.api.history(key)).waiting ?? []).map(({ at, cause }) => `${cause} ${wallTime(at)}`)
  const wallTime = (at: string) => {
    const aheadMs = Date.parse('2030-01-01') - clock.realTimeOf('2030-01-01')
    // a wave is due at the next full minute
    return new Date(Math.floor((Date.parse(at) + aheadMs) / minuteMs) * minuteMs).toISOString().slice(0, 16)
  }
  const took = async (text: string) => addressesIn(await fleet.sandbox.accepted(text))
  const settled = async (key: string) => {
    const report = await fleet.api.track(key)
    expect(report.settled, JSON.stringify(report.history.waiting ?? report.history.channels)).to.equal(true)
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    return report
  }
  let texts = 0
  const sendTo = async (person: string, more: Partial<MessageInput> = {}) => {
    texts += 1
    const text = `тихо ${texts}`
    return { text, key: await fleet.api.send({ to: [`user:${person}`], text, channels: ['vk'], ...more }) }
  }

  it('that end in the hour which a night has not are over when the clocks are changed', async () => {
    await wish('guest-berlin', { from: '22:00', to: '02:30' })
    clock.moveTo('2027-03-28T00:30:00Z')
    const { key, text } = await sendTo('guest-berlin')
    await held(key, 1)
    expect(await heldUntil(key)).to.deep.equal(['quiet 2027-03-28T01:00'])
    await stillHeldAt('2027-03-28T00:59:30Z', key)
    await moveTo('2027-03-28T01:00:00Z')
    await settled(key)
    expect(await took(text)).to.deep.equal(['vk 5900001'])
  })

  it('… where it is half an hour', async () => {
    await wish('guest-howe', { from: '22:00', to: '02:15' })
    // 2027-10-03 at 02:00 it is 02:30
    clock.moveTo('2027-10-02T15:00:00Z')
    const { key, text } = await sendTo('guest-howe')
    await held(key, 1)
    expect(await heldUntil(key)).to.deep.equal(['quiet 2027-10-02T15:30'])
    await moveTo('2027-10-02T15:30:01Z')
    await settled(key)
    expect(await took(text)).to.deep.equal(['vk 5900002'])
  })

  it('that end twice in a night end twice: between the two ends it is quiet again', async () => {
    await wish('guest-berlin', { from: '22:00', to: '02:30' })
    clock.moveTo('2027-10-31T00:10:00Z')
    const first = await sendTo('guest-berlin')
    await held(first.key, 1)
    expect(await heldUntil(first.key)).to.deep.equal(['quiet 2027-10-31T00:30'])
    await moveTo('2027-10-31T00:30:00Z')
    await settled(first.key)
    clock.moveTo('2027-10-31T01:10:00Z')
    const second = await sendTo('guest-berlin')
    await held(second.key, 1)
    expect(await heldUntil(second.key)).to.deep.equal(['quiet 2027-10-31T01:30'])
    await moveTo('2027-10-31T01:30:00Z')
    await settled(second.key)
  })

  it('are counted by the clock of the fleet, Moscow, for whoever lives in no zone that is known', async () => {
    const bucket = keys.people(bucketOf('guest-howe'))
    const record = (await redis.hget(bucket, 'guest-howe')) as string
    await wish('guest-howe', night)
    await redis.hset(bucket, 'guest-howe', record.replace('Australia/Lord_Howe', 'Atlantis/Capital'))
    clock.moveTo('2027-02-01T20:00:00Z')
    const { key, text } = await sendTo('guest-howe')
    await held(key, 1)
    expect(await heldUntil(key)).to.deep.equal(['quiet 2027-02-02T05:00'])
    await moveTo('2027-02-02T05:00:00Z')
    await settled(key)
    expect(await took(text)).to.deep.equal(['vk 5900002'])
    await redis.hset(bucket, 'guest-howe', record)
    const metrics = async () => (await fetch(`${fleet.apiUrl}/metrics`)).text()
    await until(async () => /fleet_unknown_zones_total\{channel="vk"\} [1-9]/.test(await metrics()), 'it is counted')
  })

  it('follow whoever has moved to another zone meanwhile', async () => {
    clock.moveTo('2027-02-02T20:00:00Z')
    const { key, text } = await sendTo('guest-moscow')
    await held(key, 1)
    expect(await heldUntil(key)).to.deep.equal(['quiet 2027-02-03T05:00'])
    const bucket = keys.people(bucketOf('guest-moscow'))
    const record = (await redis.hget(bucket, 'guest-moscow')) as string
    await redis.hset(bucket, 'guest-moscow', record.replace('Europe/Moscow', 'Europe/Kaliningrad'))
    await stillHeldAt('2027-02-03T05:00:00Z', key)
    expect(await heldUntil(key)).to.deep.equal(['quiet 2027-02-03T06:00'])
    await moveTo('2027-02-03T06:00:00Z')
    await settled(key)
    expect(await took(text)).to.deep.equal(['vk 5900003'])
    await redis.hset(bucket, 'guest-moscow', record)
  })

  it('are nothing to what is urgent; what expires in them is said at once to have expired', async () => {
    clock.moveTo('2027-02-03T20:00:00Z')
    const urgent = await sendTo('guest-moscow', { class: 'urgent' })
    expect((await settled(urgent.key)).history.channels.vk?.sent).to.equal(1)
    await wish('guest-howe', 'never')
    const some = await fleet.api.send({
      to: ['user:guest-moscow', 'user:guest-howe'],
      text: 'кому можно',
      channels: ['vk'],
      expires: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const { history } = await settled(some)
    expect(history.channels.vk).to.include({ sent: 1, expired: 1 })
    expect(history.people?.why).to.deep.equal({ quiet: 1 })
  })

  it('that begin while it is being sent hold the rest, and nobody has it twice in the morning', async () => {
    const text = 'на ночь глядя'
    const students = studentsOf('all-students')
    const zones = await zonesOf(students)
    const inZone = (zone: string) =>
      goodContacts(
        students.filter(({ id }) => zones.get(id) === zone),
        ['sms'],
      )
    const moscow = inZone('Europe/Moscow')
    // all of Moscow would need twice as long
    clock.moveTo('2027-02-04T18:59:40Z')
    const beginsMs = clock.realTimeOf('2027-02-04T19:00:00Z')
    const key = await fleet.api.send({ to: ['cohort:all-students'], text, channels: ['sms'] })
    const ofMoscow = async () =>
      (await fleet.sandbox.accepted(text)).filter((row) => moscow.includes(`sms ${row.address}`))
    await until(async () => (await ofMoscow()).length > 0, 'some have it')
    await until(
      async () =>
        (await took(text)).filter((each) => inZone('Europe/Kaliningrad').includes(each)).length ===
        inZone('Europe/Kaliningrad').length,
      'those further west have it',
    )
    // not some of it: whom a courier still holds, judged in the evening, would be put off to a morning that is over
    const isRestHeld = async () => {
      const history = await fleet.api.history(key)
      return heldIn(history) === history.channels.sms?.pending
    }
    await until(isRestHeld, 'the rest is held')
    const early = await ofMoscow()
    expect(early.length, 'some had it').to.be.within(1, moscow.length - 1)
    // those in the window were marked before
    expect(early.filter(({ at }) => at > beginsMs).length, 'sent to afterwards').to.be.at.most(window)
    await moveTo('2027-02-05T05:00:00Z')
    await settled(key)
    expect(await took(text)).to.deep.equal(goodContacts(students, ['sms']))
  })

  it('that are over at 08:00 while the courier is down: it is back at 08:20, and who was held has it then and once', async () => {
    const students = membersOf('ivt-101').filter(({ timeZone }) => timeZone === 'Europe/Moscow')
    const [onVk, onSms] = (['vk', 'sms'] as const).map((channel) => goodContacts(students, [channel]))
    const all = (channel: ChannelName) => students.filter(({ contacts }) => contacts[channel]).length
    const justVk = students.filter(({ contacts }) => contacts.vk && !contacts.sms).length
    expect([onVk?.length, justVk].every(Boolean), 'somebody is on VK, and somebody on nothing else').to.equal(true)
    const text = 'курьера нет в восемь'

    clock.moveTo('2027-02-05T20:00:00Z')
    const key = await fleet.api.send({ to: students.map(({ id }) => `user:${id}`), text, channels: ['vk', 'sms'] })
    await held(key, all('vk') + all('sms'))
    expect(new Set(await heldUntil(key))).to.deep.equal(new Set(['quiet 2027-02-06T05:00']))
    const couriers = ['courier-vk-1', 'courier-vk-2']
    await Promise.all(couriers.map((name) => fleet.kill(name)))

    await moveTo('2027-02-06T05:00:00Z')
    const isMorning = async () => {
      const { waiting, channels } = await fleet.api.history(key)
      return !waiting && channels.sms?.state === 'settled'
    }
    await until(isMorning, 'who has a phone is sent to at eight, and nobody waits for a time any more')
    clock.moveTo('2027-02-06T05:20:00Z')
    const twentyPast = Date.now()
    const without = await fleet.api.history(key)
    expect(await took(text), 'by SMS alone').to.deep.equal(onSms)
    expect(without.state).to.equal('running')
    expect(without.channels.vk).to.include({ pending: all('vk'), sent: 0 })
    expect(without.people?.pending).to.equal(justVk)
    // neither that it is over nor when it will be
    expect(outcomeWords('en', without).sentence).to.match(/Not finished yet: VK\.$/)
    const { channels } = await fleet.api.get<ChannelList>('/v1/channels')
    expect(channels.find(({ channel }) => channel === 'vk')?.backlog).to.include({ inProgress: 0, unclaimed: 1 })

    await fleet.start(...couriers)
    const { history } = await settled(key)
    expect([history.waiting, history.people?.pending]).to.deep.equal([undefined, 0])
    expect(await took(text), 'each once').to.deep.equal([...(onSms ?? []), ...(onVk ?? [])].sort())
    const sentLate = (await fleet.sandbox.accepted(text)).filter(({ at }) => at >= twentyPast)
    expect(addressesIn(sentLate), 'at 08:20, and the others before').to.deep.equal(onVk)
    const told = (await fleet.api.receipts(key)).flatMap(({ channels: { vk } }) =>
      vk?.state === 'sent' ? [vk.at] : [],
    )
    expect(told.length).to.equal(onVk?.length)
    // told in whole seconds
    for (const at of told) expect(Date.parse(at ?? '')).to.be.at.least(twentyPast - 1000)
  })

  it('that are over by themselves are: the wave is due at that second', async () => {
    // full minutes of the walls are those of the fleet, and the next of them is eight o'clock
    const next = Math.ceil((Date.now() + 15_000) / minuteMs) * minuteMs
    const leftMs = next - Date.now()
    clock.moveTo(new Date(Date.parse('2027-02-08T05:00:00Z') - leftMs).toISOString())
    const { key, text } = await sendTo('guest-moscow')
    await held(key, 1)
    expect((await fleet.api.history(key)).waiting?.map(({ at }) => at)).to.deep.equal([new Date(next).toISOString()])
    await until(async () => (await took(text)).length === 1, 'it is sent')
    const [row] = await fleet.sandbox.accepted(text)
    expect((row?.at ?? 0) - next).to.be.within(0, minuteMs / 2)
    await settled(key)
  })

  it('that are lifted hold nobody any more, within seconds', async () => {
    clock.moveTo('2027-02-08T20:00:00Z')
    const { key, text } = await sendTo('guest-moscow')
    await held(key, 1)
    await setQuiet(null)
    await settled(key)
    expect(await took(text)).to.deep.equal(['vk 5900003'])
    await setQuiet(night)
  })

  async function zonesOf(students: readonly Student[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const { id } of students) {
      const [, , zone] = JSON.parse((await redis.hget(keys.people(bucketOf(id)), id)) as string) as string[]
      found.set(id, zone as string)
    }
    return found
  }
})
