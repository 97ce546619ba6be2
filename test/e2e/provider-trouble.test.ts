import { longText, seamless } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { left } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, channels, goodContacts, membersOf } from './roster.ts'

const group = membersOf('ivt-101')
const to = ['group:ivt-101']
const addressOn = (channel: (typeof channels)[number]) =>
  group.map(({ contacts }) => contacts[channel]).find((address) => address !== undefined) as string

describe('providers in trouble', () => {
  let fleet: Fleet

  before(async () => {
    fleet = await startFleet()
  })
  after(() => fleet.stop())
  afterEach(async () => {
    expect(await fleet.sandbox.faults()).to.deep.equal([])
  })

  async function expectEveryoneOnce(text: string, channel: (typeof channels)[number]): Promise<void> {
    expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(goodContacts(group, [channel]))
  }

  it('waits as long as a FLOOD_WAIT of Telegram says, and then sends', async () => {
    await fleet.sandbox.fault({ channel: 'telegram', kind: 'throttle', seconds: 2, count: 1 })
    const asked = Date.now()
    const { ending } = await fleet.api.deliver({ to, text: 'подождите', channels: ['telegram'] })
    expect(ending).to.be.oneOf(['everyone', 'handed-over'])
    await expectEveryoneOnce('подождите', 'telegram')
    const last = (await fleet.sandbox.accepted('подождите')).at(-1)
    expect((last?.at ?? 0) - asked).to.be.within(2000, 30_000)
  })

  it('asks VK again after "too many requests per second" (6)', async () => {
    await fleet.sandbox.fault({ channel: 'vk', kind: 'throttle', seconds: 1, count: 1 })
    const { ending } = await fleet.api.deliver({ to, text: 'не так быстро', channels: ['vk'] })
    expect(ending).to.be.oneOf(['everyone', 'handed-over'])
    await expectEveryoneOnce('не так быстро', 'vk')
  })

  it('submits again what the SMS centre throttled (ESME_RTHROTTLED)', async () => {
    await fleet.sandbox.fault({ channel: 'sms', kind: 'throttle', count: 3 })
    const { ending } = await fleet.api.deliver({ to, text: 'потише', channels: ['sms'] })
    expect(ending).to.be.oneOf(['everyone', 'handed-over'])
    await expectEveryoneOnce('потише', 'sms')
  })

  for (const channel of ['telegram', 'vk'] as const) {
    for (const kind of ['disconnect', 'reply-lost'] as const) {
      it(`sends on ${channel} to everyone once, though the line breaks: ${kind}`, async () => {
        const text = `${kind}, ${channel}`
        await fleet.sandbox.fault({ channel, kind, addresses: [addressOn(channel)], count: 1 })
        const { ending } = await fleet.api.deliver({ to, text, channels: [channel] })
        expect(ending).to.be.oneOf(['everyone', 'handed-over'])
        await expectEveryoneOnce(text, channel)
      })
    }
  }

  for (const [kind, arrived] of [
    ['disconnect', 0],
    ['reply-lost', 1],
  ] as const) {
    it(`says of an SMS whose answer never came that it is unknown, and never repeats it: ${kind}`, async () => {
      const text = `${kind}, sms`
      await fleet.sandbox.fault({ channel: 'sms', kind, count: 1 })
      const { history, ending } = await fleet.api.deliver({ to: ['user:t-01'], text, channels: ['sms'] })
      expect([ending, history.channels.sms?.unknown]).to.deep.equal(['unknown', 1])
      // the line is back, and whatever the centre had for it has been brought
      await fleet.api.deliver({ to: ['user:t-01'], text: `${text}, дальше`, channels: ['sms'] })
      expect(await fleet.sandbox.accepted(text)).to.have.length(arrived)
      const [row] = await fleet.api.receipts(history.key)
      expect(row?.channels.sms).to.include({
        state: 'unknown',
        reason: 'no-answer',
        detail: 'the SMS centre closed the connection',
      })
      expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
    })
  }

  for (const mode of ['early', 'late', 'twice', 'other-id-format'] as const) {
    it(`takes delivery receipts as they come: ${mode}`, async () => {
      const text = `квитанция ${mode}`
      const people = goodContacts(group, ['sms']).length
      await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode, seconds: 0.3, count: people })
      const { history } = await fleet.api.deliver({ to, text, channels: ['sms'] })
      const rows = await left(fleet.api, history.key, 'sms', ['sent', 'pending'])
      expect(rows.filter(({ channels: { sms } }) => sms?.state === 'delivered')).to.have.length(people)
      expect((await fleet.api.history(history.key)).channels.sms).to.include({ delivered: people, sent: 0 })
      expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
    })
  }

  it('believes a report that says it failed', async () => {
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'failed', count: 1 })
    const { history } = await fleet.api.deliver({ to: ['user:t-01'], text: 'не дошло', channels: ['sms'] })
    const [row] = await left(fleet.api, history.key, 'sms', ['sent'])
    expect(row?.channels.sms?.state).to.equal('failed')
    expect(row?.channels.sms).to.include({ reason: 'undelivered', detail: 'UNDELIV, error 001' })
  })

  it('carries 6000 characters whole on every channel', async () => {
    const text = longText(6000)
    const person = group.find(({ contacts }) => channels.every((channel) => contacts[channel]))
    const before = (await fleet.sandbox.accepted()).length
    const { ending } = await fleet.api.deliver({ to: [`user:${person?.id}`], text })
    expect(ending).to.be.oneOf(['everyone', 'handed-over'])
    const rows = (await fleet.sandbox.accepted()).slice(before)
    for (const channel of channels) {
      const parts = rows.filter((row) => row.channel === channel)
      expect(new Set(parts.map(({ address }) => address))).to.deep.equal(new Set([person?.contacts[channel]]))
      expect(seamless(parts.map((part) => part.text).join(''))).to.equal(seamless(text))
      expect(parts).to.have.length(channel === 'sms' ? 1 : 2)
    }
  })
})
