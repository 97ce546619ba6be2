import http from 'node:http'
import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { expect } from 'chai'
import { type MessageContext, VK } from 'vk-io'
import { type Fixture, startFixture } from './fixture.ts'

/** The stand-in has to serve clients that know nothing of this project: here vk-io as people use it. */
describe('VK stand-in: a client of its own', () => {
  let fixture: Fixture
  let vk: VK
  let agent: http.Agent
  beforeEach(async () => {
    fixture = await startFixture()
    agent = new http.Agent({ keepAlive: true })
    vk = new VK({
      token: fixture.vk.endpoint.token,
      apiBaseUrl: vkApiUrl(fixture.vk.endpoint),
      agent: agent as never,
      pollingGroupId: fixture.vk.endpoint.groupId,
      apiMode: 'parallel',
      apiLimit: 20,
    })
  })
  afterEach(async () => {
    await vk.updates.stop()
    agent.destroy()
    await fixture.vk.stop()
  })

  it('sends through its own batching', async () => {
    const results = await Promise.allSettled(
      [1, 2, 3].map((peer) =>
        vk.api.messages.send({
          peer_id: peer,
          random_id: peer,
          message: peer === 2 ? 'x'.repeat(5000) : `Письмо "${peer}"\n`,
        }),
      ),
    )
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
    expect(fixture.world.accepted.map(({ text }) => text)).to.deep.equal(['Письмо "1"\n', 'Письмо "3"\n'])
  })

  it('hears by long poll what people write', async () => {
    const heard: [number, string | undefined][] = []
    const two = new Promise<void>((resolve) => {
      vk.updates.on('message_new', (context: MessageContext) => {
        heard.push([context.senderId, context.text])
        if (heard.length === 2) resolve()
      })
    })
    await vk.updates.startPolling()
    fixture.world.say({ channel: 'sms', address: '+79160000001', text: 'не сюда' })
    fixture.world.say({ channel: 'vk', address: '7', text: 'СТОП' })
    fixture.world.say({ channel: 'vk', address: '8', text: 'а я — нет' })
    await two
    expect(heard).to.deep.equal([
      [7, 'СТОП'],
      [8, 'а я — нет'],
    ])
  })

  it('tells a client that was away for too long that it has missed something', async () => {
    const { response } = await fixture.call('groups.getLongPollServer', { group_id: fixture.vk.endpoint.groupId })
    const { key, server, ts } = response as { key: string; server: string; ts: string }
    for (let i = 0; i < 1100; i++) fixture.world.say({ channel: 'vk', address: '7', text: String(i) })
    const ask = async (query: string) => (await fetch(`${server}?act=a_check&wait=1&${query}`)).json()
    expect(await ask(`key=${key}&ts=${ts}`)).to.deep.equal({ failed: 1, ts: 1100 })
    expect(await ask(`key=other&ts=${ts}`)).to.deep.equal({ failed: 2 })
    const late = (await ask(`key=${key}&ts=1098`)) as {
      ts: string
      updates: { object: { message: { text: string } } }[]
    }
    expect(late.ts).to.equal('1100')
    expect(late.updates.map(({ object }) => object.message.text)).to.deep.equal(['1098', '1099'])
  })
})
