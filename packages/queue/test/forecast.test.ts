import {
  type Acceptance,
  type ForecastReport,
  type ForecastView,
  type HistoryView,
  memberOf,
  type ProblemDocument,
  parseHistoryKey,
  type RehearsalView,
} from '@courier-fleet/api-types'
import { announceProcess, keys, newHistoryRef, pauseChannel, useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const tariffs = {
  currency: 'RUB',
  prices: [
    { prefix: '+7', perPart: 4_000_000 },
    { prefix: '+79', perPart: 2_150_000 },
    { prefix: '+44', perPart: 9_000_000 },
  ],
}

describe('the forecast of a rehearsal', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    for (const channel of ['telegram', 'sms']) await useChannel(fleet.redis, 16, channel)
    const numbers = { anna: '+79002220001', boris: '+78122220002', clara: '+447911123456', dmitri: '+33612345678' }
    for (const [id, number] of Object.entries(numbers)) await fleet.directory.linkContact('sms', id, number)
    await fleet.directory.linkContact('telegram', 'anna', '101')
    await fleet.set({ tariffs })
  })
  afterEach(() => fleet.stop())

  const everyone = ['group:own', 'group:other']
  const rehearse = async (more: object = {}) => {
    const body = { to: everyone, text: 'x', ...more }
    const { json } = await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'staff' }, body)
    return json.plan?.forecast as ForecastView
  }

  it('prices the parts of the text as it goes out, by the longest prefix of each number, and names who has no price', async () => {
    const { channels, cost } = await rehearse({ text: 'ж'.repeat(80) })
    expect([channels.sms?.people, channels.telegram?.people]).to.deep.equal([4, 1])
    expect({ ...cost, prices: cost?.prices.map(({ prefix, people }) => `${prefix} ${people}`).sort() }).to.deep.equal({
      people: 4,
      prices: ['+44 1', '+7 1', '+79 1'],
      unpriced: 1,
      currency: 'RUB',
      partsEach: 2,
      parts: 8,
      millionths: 2 * (4_000_000 + 2_150_000 + 9_000_000),
    })
  })

  it('counts whom the rules let have it there, and prices nobody else', async () => {
    await fleet.directory.setConsent('sms', 'anna', false)
    await fleet.set({ tariffs, caps: [{ n: 1, per: 'PT1H', over: 'drop' }] })
    const { cost, channels } = await rehearse()
    expect([channels.sms?.people, cost?.parts, cost?.millionths]).to.deep.equal([3, 3, 13_000_000])
  })

  it('says how many parts without tariffs, and nothing of money; without a text nothing of parts', async () => {
    await fleet.set({})
    const { cost } = await rehearse()
    expect(cost).to.deep.equal({ people: 4, prices: [], unpriced: 4, partsEach: 1, parts: 4 })
    expect((await rehearse({ text: undefined })).cost).to.deep.equal({ people: 4, prices: [], unpriced: 4 })
  })

  it('has no cost where none of its channels is paid for by the part, or none can take the text', async () => {
    expect(await rehearse({ channels: ['telegram'] })).not.to.have.property('cost')
    expect(Object.keys((await rehearse({ text: 'ж'.repeat(18_000) })).channels)).to.deep.equal(['telegram'])
  })

  describe('of the end', () => {
    const telegram = { to: ['user:anna'], channels: ['telegram'] }
    /** A courier as it would say of itself, and a message of the past that took so long for so many. */
    async function work(pace: object, ready = true): Promise<() => Promise<void>> {
      const courier = announceProcess(
        fleet.redis,
        { name: 'telegram-1', role: 'courier', channel: 'telegram', account: 'bot' },
        () => ({ ready, pace }),
      )
      await courier.refresh()
      return courier.stop
    }
    async function ended(people: number, tookMs: number): Promise<void> {
      const ref = newHistoryRef('trainer-1', 16)
      const now = Date.now()
      const history = {
        state: 'settled',
        size: people,
        due: now - tookMs - 1000,
        'telegram:s': people,
        'telegram:d': 0,
      }
      await fleet.redis.hset(keys.history(ref), { ...history, 'telegram:settled': now - 1000, settled: now - 1000 })
      await fleet.redis.zadd(keys.retention(ref.shard), now - 1000, memberOf(ref))
    }
    const span = async (more: object = {}) => {
      const { finish, channels } = await rehearse({ ...telegram, ...more })
      expect(channels.telegram?.finish).to.deep.equal(finish)
      if (!finish) return channels.telegram?.unknown
      return [Date.parse(finish.from), Date.parse(finish.to)].map((ms) => (ms - now) / 1000)
    }
    const now = Date.parse('2030-09-01T12:00:00Z')
    beforeEach(() => {
      fleet.clock.now = () => now
    })

    it('is not known without a courier that is ready', async () => {
      const stop = await work({}, false)
      expect(await span()).to.equal('no-courier')
      await stop()
    })

    it('is not known where there is no rate, and nothing was sent yet', async () => {
      const stop = await work({})
      expect(await span()).to.equal('nothing-known')
      await stop()
    })

    it('is not known while an operator has paused the channel, and of who is to be online first', async () => {
      const stop = await work({ perSecond: 10 })
      await pauseChannel(fleet.redis, 'telegram', 'operator-1')
      expect(await span()).to.equal('paused')
      expect(await span({ whenOnline: true })).to.equal('online')
      await stop()
    })

    it('has the deadline of its type beside it, from when it is due', async () => {
      const stop = await work({ perSecond: 0.5 })
      const type = { name: { ru: 'Тревога', en: 'Alert' }, deadline: 'PT5S' }
      await fleet.ask('PUT /v1/types/alert', { as: 'operator' }, type)
      expect((await rehearse({ ...telegram, type: 'alert' })).deadline).to.equal('2030-09-01T12:00:05.000Z')
      const at = '2030-09-01T13:00:00.000Z'
      expect((await rehearse({ ...telegram, type: 'alert', at })).deadline).to.equal('2030-09-01T13:00:05.000Z')
      expect((await rehearse(telegram)).deadline).to.equal(undefined)
      await stop()
    })

    it('goes by the allowed rate, from when it is due', async () => {
      const stop = await work({ perSecond: 0.5 })
      expect(await span()).to.deep.equal([0, 9])
      expect(await span({ at: new Date(now + 60_000).toISOString() })).to.deep.equal([60, 69])
      await stop()
    })

    it('goes by how long messages took that ended of late', async () => {
      const stop = await work({})
      await ended(1, 8_000)
      await ended(2, 12_000)
      expect(await span()).to.deep.equal([3, 29])
      await stop()
    })
  })

  describe('writes nothing', () => {
    const whole = async () => {
      const names = (await fleet.redis.keys('*')).sort()
      const dumps = await Promise.all(names.map((name) => fleet.redis.dumpBuffer(name)))
      return names.map((name, index) => `${name} ${dumps[index]?.toString('base64')}`)
    }
    const own = ['anna', 'boris', 'clara']
    const rehearsals: readonly [what: string, body: object][] = [
      ['of a plain text', { text: 'x' }],
      [
        'of a text in two languages with fields',
        { text: { ru: '{{name}}, ауд. {{room}}', en: '{{name}}, room {{room}}' }, fields: { room: '204' } },
      ],
      [
        'of steps',
        { text: 'x', steps: [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT10M', unless: 'sent' }] },
      ],
      ['of a template', { template: { id: 'exam' }, fields: { room: '204' } }],
      [
        'of recipients with fields of their own',
        { text: 'In {{room}}', recipients: own.map((person, index) => ({ person, fields: { room: `${index}` } })) },
      ],
    ]
    beforeEach(async () => {
      await fleet.set({ tariffs, caps: [{ n: 1, per: 'PT1H', over: 'drop' }], quiet: { from: '22:00', to: '08:00' } })
      for (const id of own) {
        const language = id === 'anna' ? 'en' : 'ru'
        await fleet.directory.putPerson({ id, name: id.toUpperCase(), role: 'student', timeZone: 'UTC', language })
      }
      const label = { ru: 'Аудитория', en: 'Room' }
      const template = {
        name: { ru: 'Экзамен', en: 'Exam' },
        text: 'In {{room}}',
        fields: [{ name: 'room', label, example: '204' }],
      }
      expect((await fleet.ask('PUT /v1/templates/exam', { as: 'staff' }, template)).status).to.equal(201)
    })

    for (const [what, body] of rehearsals)
      it(what, async () => {
        const before = await whole()
        const asked = { to: ['group:own'], ...body }
        const { status, json } = await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'staff' }, asked)
        expect([status, json.people], JSON.stringify(json)).to.deep.equal([200, own.length])
        expect(await whole()).to.deep.equal(before)
      })
  })

  describe('that is kept', () => {
    const body = { to: everyone, text: 'x', at: far, forecast: true }
    const accepted = async (more: object = {}) => {
      const call = await fleet.ask<Acceptance>('POST /v1/messages', { as: 'staff' }, { ...body, ...more })
      expect(call.status).to.equal(201)
      return call.json
    }
    const report = async (key: string) =>
      (await fleet.ask<ForecastReport>(`GET /v1/histories/${key}/forecast`, { as: 'staff' })).json

    it('is that of the rehearsal, where the message asks for it, and is shown beside what is', async () => {
      const { key, plan } = await accepted()
      const { plan: rehearsed } = (
        await fleet.ask<RehearsalView>(
          'POST /v1/audiences:resolve',
          { as: 'staff' },
          { to: everyone, text: 'x', at: far },
        )
      ).json
      expect(plan?.forecast).to.deep.equal(rehearsed?.forecast)
      const { json } = await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'staff' })
      expect(json.plan).to.deep.equal(plan)
      expect(await report(key)).to.deep.equal({ forecast: plan?.forecast, actual: { channels: {} } })
      const without = await accepted({ forecast: undefined })
      expect(without).not.to.have.property('plan')
      expect(await report(without.key)).to.deep.equal({ actual: { channels: {} } })
    })

    it('is made anew for another time', async () => {
      const courier = announceProcess(fleet.redis, { name: 'sms-1', role: 'courier', channel: 'sms' }, () => ({
        ready: true,
        pace: { perSecond: 1 },
      }))
      await courier.refresh()
      const { key } = await accepted({ channels: ['sms'] })
      const at = new Date(Date.parse(far) + 3_600_000).toISOString()
      await fleet.ask(`PATCH /v1/histories/${key}`, { as: 'staff' }, { at })
      const { forecast } = await report(key)
      expect(Date.parse(forecast?.finish?.from ?? '')).to.be.within(Date.parse(at), Date.parse(at) + 4_000)
      expect(forecast?.cost).to.include({ parts: 4, unpriced: 1 })
      await courier.stop()
    })

    it('is not made of what goes to URLs', async () => {
      const { plan } = await accepted({ to: ['url:https://example.org/hook'] })
      expect(plan).to.equal(undefined)
    })

    it('has held or not: those of the last messages of the sender', async () => {
      const courier = announceProcess(fleet.redis, { name: 'sms-1', role: 'courier', channel: 'sms' }, () => ({
        ready: true,
        pace: { perSecond: 1 },
      }))
      await courier.refresh()
      const record = async () =>
        (await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'staff' }, { to: everyone })).json.record
      expect(await record()).to.equal(undefined)
      const ended = async (afterMs: number, fields: Record<string, string> = {}) => {
        const { key } = await accepted({ channels: ['sms'] })
        const settled = Date.parse(far) + afterMs
        await fleet.redis.hset(keys.history(parseHistoryKey(key)), { state: 'settled', settled, ...fields })
        return (await report(key)).actual.isWithin
      }
      expect(await ended(4_000)).to.equal(true)
      expect(await ended(60_000)).to.equal(false)
      expect(await ended(4_000, { cancelled: '1' })).to.equal(undefined)
      expect(await record()).to.deep.equal({ of: 2, within: 1 })
      await courier.stop()
    })
  })

  it('takes no tariffs that say a prefix twice, or one that is none', async () => {
    const patch = (value: object) =>
      fleet.ask<ProblemDocument>(
        'PATCH /v1/settings',
        { as: 'operator', headers: { 'if-match': '"1"' } },
        { tariffs: { ...tariffs, ...value } },
      )
    const refused = await Promise.all([
      patch({ prices: [...tariffs.prices, { prefix: '+7', perPart: 1 }] }),
      patch({ prices: [{ prefix: '79', perPart: 1 }] }),
      patch({ prices: [{ prefix: '+79', perPart: 0.5 }] }),
      patch({ currency: 'roubles' }),
    ])
    expect(refused.map(({ status }) => status)).to.deep.equal([422, 422, 422, 422])
    expect(refused[0]?.json.detail).to.include('each prefix once')
  })
})
