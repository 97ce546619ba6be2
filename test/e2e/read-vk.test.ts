/** VK tells who has read: by the community's events, through the real clients, and a step goes to those only who have not. */
import type { ChannelList, HistoryView, SettingsView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'

const people = ['reader', 'writer', 'silent'].map((id, index) => ({
  id,
  vk: String(593_000_001 + index),
  sms: `+7900301${2001 + index}`,
}))
const [reader, writer, silent] = people as [(typeof people)[number], (typeof people)[number], (typeof people)[number]]
const to = people.map(({ id }) => `user:${id}`)

describe('a message that people read in VK', () => {
  let fleet: Fleet
  let inbound: Inbound
  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0 } })
    inbound = await startInbound(fleet, 'vk-inbound')
    for (const { id, vk, sms } of people) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name: id, role: 'student', language: 'ru' })
      await fleet.api.call('PUT', `/v1/contacts/vk/${id}`, { address: vk })
      await fleet.api.call('PUT', `/v1/contacts/sms/${id}`, { address: sms })
    }
  })
  after(() => inbound?.stop().finally(() => fleet.stop()))

  const history = (key: string) => fleet.api.get<HistoryView>(`/v1/histories/${key}`)
  const stateOf = async (key: string, { id }: (typeof people)[number], channel = 'vk') =>
    (await fleet.api.receipts(key)).find(({ person }) => person === id)?.channels[channel]
  const isRead = (key: string, who: (typeof people)[number]) =>
    until(async () => (await stateOf(key, who))?.state === 'read', `${who.id} has read it`)
  const open = ({ vk }: (typeof people)[number]) => fleet.sandbox.open('vk', vk)
  const inVk = (text: string) => fleet.api.deliver({ to, text, channels: ['vk'] })

  it('says nothing of it until an operator has said that the community tells it', async () => {
    const { history: before } = await inVk('Никто не слушает')
    await open(reader)
    // what is written after it is read after it
    await fleet.sandbox.say('vk', reader.vk, 'привет')
    await until(
      async () => (await fleet.sandbox.chat('vk', reader.vk)).messages.some(({ text }) => /Здравствуйте/.test(text)),
      'the event is dealt with',
    )
    expect((await stateOf(before.key, reader))?.state).to.equal('sent')
    const { version } = await fleet.api.get<SettingsView>('/v1/settings')
    const { status } = await fleet.api.call(
      'PATCH',
      '/v1/settings',
      { tellRead: ['vk'] },
      { 'if-match': `"${version}"` },
    )
    expect(status).to.equal(200)
    await until(async () => {
      const { use } = await fleet.api.get<SettingsView>('/v1/settings')
      return use.using === use.of
    }, 'every process uses it')
    const { channels } = await fleet.api.get<ChannelList>('/v1/channels')
    const told = Object.fromEntries(channels.map(({ channel, tells }) => [channel, tells]))
    expect(told).to.deep.include({ vk: ['sent', 'read'], sms: ['sent', 'delivered'] })
  })

  it('is read with all before it, of a long text with its last part; and everyone is told so in words', async () => {
    const first = (await inVk('Первое')).history
    const long = (await inVk(`${'Второе. '.repeat(700)}Конец`)).history
    expect(first.people).to.include({ sentToChat: 3, handedOver: 0 })
    await open(reader)
    await isRead(first.key, reader)
    await isRead(long.key, reader)
    expect((await stateOf(first.key, writer))?.state, 'nobody else').to.equal('sent')
    const next = (await inVk('Третье')).history
    expect((await stateOf(next.key, reader))?.state, 'what came later').to.equal('sent')
    const { sentence } = await fleet.api.track(first.key)
    expect(sentence).to.include('1 delivered; 2 sent to the chat').and.to.include('VK: read by 1.')
    const { channels, state } = await history(first.key)
    expect([state, channels.vk?.read, channels.vk?.sent]).to.deep.equal(['settled', 1, 2])
    expect((await fleet.api.recount(first.key)).balanced).to.equal(true)
  })

  it('keeps the next step from whoever has read it, in that moment, and from nobody else', async () => {
    const steps = [{ channels: ['vk'] }, { channels: ['sms'], after: 'PT60S', unless: 'read' as const }]
    const key = await fleet.api.send({ to, text: 'Экзамен перенесли', steps })
    await until(async () => (await history(key)).steps?.[1]?.at !== undefined, 'they wait for the second step')
    const dueMs = Date.parse((await history(key)).steps?.[1]?.at as string)
    await open(reader)
    await isRead(key, reader)
    expect(await stateOf(key, reader, 'sms')).to.include({ state: 'cancelled', reason: 'reached-elsewhere' })
    expect(Date.now(), 'long before the step').to.be.below(dueMs)

    // nobody reads the events meanwhile: VK keeps them
    await inbound.kill()
    await open(writer)
    expect((await stateOf(key, writer))?.state).to.equal('sent')
    await inbound.start()
    await isRead(key, writer)
    expect(Date.now()).to.be.below(dueMs)

    const report = await fleet.api.track(key, 120)
    expect(report.settled).to.equal(true)
    const sent = (await fleet.sandbox.accepted(undefined, 'sms')).filter(({ text }) => text.includes('Экзамен'))
    expect(sent.map(({ address }) => address)).to.deep.equal([silent.sms])
    expect(report.history.steps?.[1]).to.include({ unless: 'read', sent: 1, spared: 2, waiting: 0 })
    await open(silent)
    await isRead(key, silent)
    expect((await stateOf(key, silent, 'sms'))?.state, 'what was sent stays').not.to.equal('cancelled')
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })
})
