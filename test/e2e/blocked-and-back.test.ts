/** Whoever blocked us and comes back is written to again, and no sentence says so before it is true. */
import type { PersonDetails } from '@courier-fleet/api-types'
import type { ChannelName } from '@courier-fleet/channels'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { createLines, type Lines } from './lines.ts'
import { type TelegramPhone, telegramPhone } from './telegram-phone.ts'

/** who has an active contact on all three */
const student = { id: 's-ivt-101-07', telegram: '70001004', vk: '5001004', sms: '+79001000185' }

describe('somebody who blocked us', () => {
  let fleet: Fleet
  let inbound: Inbound[]
  let chat: TelegramPhone
  let lines: Lines

  before(async () => {
    lines = createLines()
    fleet = await startFleet({
      // a refusal on its way is still waited for when it comes
      env: { VK_DEADLINE_MS: '120000' },
      settings: (courier) => (courier.channel === 'vk' ? lines.lead(courier) : {}),
    })
    const names = ['bot', 'vk-inbound', 'sms-inbound'] as const
    inbound = await Promise.all(names.map((name) => startInbound(fleet, name)))
    chat = telegramPhone(fleet.sandbox, student.telegram)
    await chat.asks('/help', '/stop')
    await fleet.sandbox.say('vk', student.vk, 'привет')
    await until(async () => (await textsOn('vk')).length > 0, 'the community answers')
  })
  after(async () => {
    for (const each of inbound ?? []) await each.stop()
    await fleet?.stop()
    await lines?.close()
  })

  const stateOn = async (channel: ChannelName) =>
    (await fleet.api.get<PersonDetails>(`/v1/people/${student.id}`)).contacts[channel]?.state
  const becomes = (channel: ChannelName, state: string) =>
    until(async () => (await stateOn(channel)) === state, `the ${channel} contact is ${state}`)
  const setPhone = (channel: 'telegram' | 'vk' | 'sms', state: 'ok' | 'blocked') =>
    fleet.sandbox.phones([{ channel, address: student[channel], state }])
  const textsOn = async (channel: 'telegram' | 'vk' | 'sms') =>
    (await fleet.sandbox.accepted(undefined, channel))
      .filter(({ address }) => address === student[channel])
      .map(({ text }) => text)
  const send = async (channel: ChannelName, text: string) => {
    const { history } = await fleet.api.deliver({ to: [`user:${student.id}`], channels: [channel], text })
    return (await fleet.api.receipts(history.key))[0]?.channels[channel]
  }
  /** The provider refuses one message as for somebody who has blocked us, and nothing more is heard of it. */
  async function refuseOnce(channel: 'telegram' | 'vk' | 'sms'): Promise<void> {
    await fleet.sandbox.fault({ channel, kind: 'refuse-once', addresses: [student[channel]], count: 1 })
    expect((await send(channel, 'отказ'))?.state).to.equal('failed')
    expect(await stateOn(channel)).not.to.equal('active')
  }

  for (const channel of ['telegram', 'vk'] as const)
    it(`on ${channel} is not written to, and is once that is taken back`, async () => {
      await setPhone(channel, 'blocked')
      await becomes(channel, 'blocked')
      expect(await send(channel, 'мимо')).to.include({ state: 'failed', reason: 'blocked' })
      await setPhone(channel, 'ok')
      await becomes(channel, 'active')
      expect((await send(channel, `снова ${channel}`))?.state).to.equal('sent')
      expect(await textsOn(channel)).to.include(`снова ${channel}`)
    })

  it('is heard of by Telegram also while the bot is down', async () => {
    const [bot] = inbound as [Inbound]
    await bot.kill()
    await setPhone('telegram', 'blocked')
    await bot.start()
    await becomes('telegram', 'blocked')
    await bot.kill()
    await setPhone('telegram', 'ok')
    await bot.start()
    await becomes('telegram', 'active')
  })

  it('is written to again after /start, as the bot says', async () => {
    await refuseOnce('telegram')
    await chat.asks('/start', 'Сюда будут приходить сообщения')
    expect(await stateOn('telegram')).to.equal('active')
    expect((await send('telegram', 'после /start'))?.state).to.equal('sent')
    expect(await textsOn('telegram')).to.include('после /start')
  })

  it('is written to again after any message in, by VK and by SMS', async () => {
    for (const channel of ['vk', 'sms'] as const) {
      await refuseOnce(channel)
      await fleet.sandbox.say(channel, student[channel], 'я снова тут')
      await becomes(channel, 'active')
      expect((await send(channel, `вот ${channel}`))?.state).to.be.oneOf(['sent', 'delivered'])
      expect(await textsOn(channel)).to.include(`вот ${channel}`)
    }
  })

  it('is written to again who came back while the refusal was still on its way', async () => {
    await fleet.sandbox.fault({ channel: 'vk', kind: 'refuse-once', addresses: [student.vk], count: 1 })
    lines.hold('courier-vk-1')
    const key = await fleet.api.send({ to: [`user:${student.id}`], channels: ['vk'], text: 'отказ в пути' })
    await until(async () => (await fleet.sandbox.faults()).length === 0, 'VK has refused it')
    await setPhone('vk', 'blocked')
    await becomes('vk', 'blocked')
    await setPhone('vk', 'ok')
    await becomes('vk', 'active')
    await lines.release('courier-vk-1')
    await fleet.api.track(key)
    expect((await fleet.api.receipts(key))[0]?.channels.vk).to.include({ state: 'failed', reason: 'blocked' })
    expect(await stateOn('vk')).to.equal('active')
    expect((await send('vk', 'после отказа'))?.state).to.equal('sent')
  })

  it('stays away after STOP, whatever the provider tells, and hears how to return', async () => {
    await chat.asks('СТОП', 'больше не придут')
    await fleet.sandbox.say('vk', student.vk, 'СТОП')
    await becomes('vk', 'opted-out')
    for (const channel of ['telegram', 'vk'] as const) {
      await setPhone(channel, 'blocked')
      await setPhone(channel, 'ok')
    }
    await until(async () => (await textsOn('vk')).some((text) => /Вы отписались.*СТАРТ/.test(text)), 'VK tells')
    await chat.asks('есть кто?', 'Напишите /start, чтобы вернуться')
    expect([await stateOn('telegram'), await stateOn('vk')]).to.deep.equal(['opted-out', 'opted-out'])
    await chat.asks('/start', 'снова будут приходить')
    expect((await send('telegram', 'вернулся'))?.state).to.equal('sent')
  })

  it('is answered in their language, also when nobody may write to them', async () => {
    await fleet.api.call('PUT', `/v1/people/${student.id}`, { name: 'Daniel', role: 'student', language: 'en' })
    await chat.asks('СТОП', 'no more messages here')
    await chat.asks('привет', 'Write /start to come back')
    await chat.asks('/start', 'Messages will come here again')
  })
})
