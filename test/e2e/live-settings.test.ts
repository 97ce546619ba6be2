/** Settings that change while a whole fleet works: they hold at the providers while it does, and nothing is lost by it. */
import type { ChannelList } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { randomNumbers, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const group = 'ivt-102'
const expected = goodContacts(membersOf(group))
const slow = '2'
/** at two a second they take more than a minute */
const many = 150
/** couriers, the queue and the timekeeper */
const processes = 7
/** keeps messages for less than the longest window of a rule that is set later: it cannot use those settings */
const shortOfMemory = 'courier-vk-1'

describe('settings that change live', () => {
  let fleet: Fleet
  let client: ReturnType<typeof createClient>
  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 1, sms: 2 },
      // nobody takes over from a slow one whom an SMS may have reached
      env: { TELEGRAM_RATE_PER_SECOND: slow, SMS_PER_SECOND: slow, SMS_WINDOW: '10', LEASE_MS: '60000' },
      settings: ({ name }) => (name === shortOfMemory ? { RETENTION_DAYS: '5' } : {}),
    })
    client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
  })
  after(() => fleet.stop())

  const change = async (patch: Parameters<typeof client.changeSettings>[1]) =>
    client.changeSettings((await client.settings()).version, patch)
  const send = (text: string) => fleet.api.send({ to: [`group:${group}`], text })
  const smsOf = async (text: string) => (await fleet.sandbox.accepted(text, 'sms')).length
  const people = expected.filter((each) => each.startsWith('sms ')).length

  it('are used at the providers by what is under way, by all processes, and told to be', async () => {
    const texts = Array.from({ length: 12 }, (_, i) => `быстрее ${i}`)
    const keys = await Promise.all(texts.map(send))
    const sms = async () => (await Promise.all(texts.map(smsOf))).reduce((sum, count) => sum + count, 0)
    await until(async () => (await sms()) >= 2, 'SMS go out, two a second')
    const before = await sms()
    const { version } = await change({ channels: { sms: { perSecond: 200 }, telegram: { perSecond: 'off' } } })
    const sinceChange = performance.now()
    await until(async () => (await sms()) >= before + many, 'many more SMS go out')
    expect(performance.now() - sinceChange, 'ms').to.be.below((many / Number(slow)) * 1000 * 0.6)
    const { settings, channels } = await until(async () => {
      const list = await fleet.api.get<ChannelList>('/v1/channels')
      return list.settings.using === processes && list
    }, 'all processes use it')
    expect(settings).to.deep.equal({ version, using: processes, of: processes, behind: [] })
    const courier = channels.find(({ channel }) => channel === 'sms')?.couriers[0]
    expect(courier?.pace).to.include({ perSecond: 200, window: 10 })
    expect(courier?.startedWith).to.include({ perSecond: 2 })
    for (const key of keys) expect((await fleet.api.track(key)).settled).to.equal(true)

    await change({ channels: { sms: { perSecond: 1 } } })
    await until(async () => {
      const { settings } = await fleet.api.get<ChannelList>('/v1/channels')
      return settings.using === processes
    }, 'all processes use it')
    const [since, key] = [performance.now(), await send('медленнее')]
    await until(async () => (await smsOf('медленнее')) >= 3, 'three go out')
    expect(performance.now() - since, 'at one a second').to.be.above(1_500)
    await change({ channels: { sms: { perSecond: null }, telegram: { perSecond: null } } })
    await change({ channels: { sms: { perSecond: 'off' }, telegram: { perSecond: 'off' } } })
    expect((await fleet.api.track(key)).settled).to.equal(true)
    expect(await smsOf('медленнее')).to.equal(people)
  })

  it('of which a process that cannot take them is named with what it uses, until it can; of one that is gone nothing is said', async () => {
    const use = async () => (await fleet.api.get<ChannelList>('/v1/channels')).settings
    const usedBy = (count: number) =>
      until(async () => {
        const now = await use()
        return now.using === count && now
      }, `${count} use the newest`)
    const { version: before } = await usedBy(processes)
    await change({ caps: [{ n: 1000, per: 'P7D' }] })
    const { of, behind } = await usedBy(processes - 1)
    const named = behind.map(({ seenAt: _, ...each }) => each)
    expect([of, named]).to.deep.equal([processes, [{ name: shortOfMemory, version: before }]])
    const { version } = await change({ caps: [] })
    await usedBy(processes)

    await fleet.kill(shortOfMemory, 'SIGKILL')
    await until(async () => (await use()).of === processes - 1, 'it is not counted any more')
    expect(await use()).to.deep.equal({ version, using: processes - 1, of: processes - 1, behind: [] })
    await fleet.start(shortOfMemory)
    await usedBy(processes)
  })

  it('forget what has been over for longer than messages are kept from then on, and nothing else', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const status = async (key: string) => (await fleet.api.call('GET', `/v1/histories/${key}`)).status
    const over = await send('прошло')
    expect((await fleet.api.track(over)).settled).to.equal(true)
    const later = await fleet.api.send({ to: [`group:${group}`], text: 'потом', at: tomorrow })
    expect(await status(over)).to.equal(200)
    await change({ retentionDays: 0.00001 })
    await until(async () => (await status(over)) === 404, 'it is forgotten')
    await change({ retentionDays: 90 })
    expect(await status(later)).to.equal(200)
    expect((await fleet.api.call('DELETE', `/v1/histories/${later}`)).status).to.equal(200)
  })

  it('change at random several times a second, and everyone gets everything exactly once, nobody unknown', async () => {
    const numbers = randomNumbers(1)
    const random = <T>(...of: readonly T[]): T => of[Math.floor(numbers() * of.length)] as T
    const tuning = () => ({
      batchSize: random(1, 3, 20, 2500, null),
      concurrency: random(1, 2, 7, 20, null),
      window: random(1, 5, 50, null),
      perSecond: random<number | 'off' | null>(20, 100, 'off', 'off'),
    })
    await fleet.sandbox.forget()
    const sent: { key: string; text: string }[] = []
    for (let round = 0; round < 25; round += 1) {
      const text = `наугад ${round}`
      sent.push({ key: await send(text), text })
      await change({
        channels: { telegram: tuning(), vk: tuning(), sms: tuning() },
        weights: { urgent: random(1, 9), normal: random(1, 9), bulk: random(1, 9) },
      })
    }
    await change({ channels: { telegram: { perSecond: 'off' }, vk: { perSecond: 'off' }, sms: { perSecond: 'off' } } })
    for (const { key, text } of sent) {
      const { settled, history } = await fleet.api.track(key)
      expect(settled, text).to.equal(true)
      for (const ledger of Object.values(history.channels)) {
        const told = JSON.stringify(await fleet.api.receipts(key))
        expect(ledger, told).to.include({ pending: 0, unknown: 0 })
      }
    }
    const accepted = await fleet.sandbox.accepted()
    for (const { text } of sent)
      expect(addressesIn(accepted.filter((row) => row.text === text)), text).to.deep.equal(expected)
  })
})
