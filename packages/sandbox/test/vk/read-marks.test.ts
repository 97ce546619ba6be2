import { expect } from 'chai'
import { type Fixture, startFixture } from './fixture.ts'

describe('VK stand-in: who has read', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.vk.stop())

  const send = async (peer: number, message: string) =>
    (await fixture.call('messages.send', { peer_id: peer, random_id: 0, message })).response as number

  /** What the community hears when this is done, and of a word that somebody writes after it. */
  async function heardAfter(act: () => void) {
    const { response } = await fixture.call('groups.getLongPollServer', { group_id: fixture.vk.endpoint.groupId })
    const { key, server, ts } = response as { key: string; server: string; ts: string }
    act()
    fixture.world.say({ channel: 'vk', address: '99', text: 'это всё' })
    const answer = await fetch(`${server}?act=a_check&wait=5&key=${key}&ts=${ts}`)
    const { updates } = (await answer.json()) as { updates: { type: string; object: Record<string, unknown> }[] }
    return updates.filter(({ type }) => type !== 'message_new')
  }
  const open = (address: string) => fixture.world.open({ channel: 'vk', address })

  it('tells of the newest message in a chat that is opened, once', async () => {
    await send(7, 'раз')
    const newest = await send(7, 'два')
    await send(8, 'другому')
    const read = { from_id: 7, peer_id: 7, read_message_id: newest, conversation_message_id: newest }
    expect((await heardAfter(() => open('7'))).map(({ type, object }) => [type, object])).to.deep.equal([
      ['message_read', read],
    ])
    expect(await heardAfter(() => open('7')), 'nothing new in it').to.deep.equal([])
    expect(await heardAfter(() => open('6')), 'nothing in it at all').to.deep.equal([])
    const next = await send(7, 'три')
    expect((await heardAfter(() => open('7')))[0]?.object).to.include({ read_message_id: next })
  })

  it('tells nothing of a phone that is off', async () => {
    await send(7, 'раз')
    fixture.world.setPhone({ channel: 'vk', address: '7', state: 'off' })
    expect(await heardAfter(() => open('7'))).to.deep.equal([])
    fixture.world.setPhone({ channel: 'vk', address: '7', state: 'ok' })
    expect(await heardAfter(() => open('7'))).to.have.length(1)
  })
})
