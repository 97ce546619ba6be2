import { expect } from 'chai'
import { type Fixture, startFixture } from './fixture.ts'

describe('VK stand-in: messages.send', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.vk.stop())
  const texts = () => fixture.world.accepted.map(({ address, text }) => [address, text])
  const codeOf = async (params: Record<string, string | number>) =>
    (await fixture.call('messages.send', params)).error?.error_code

  it('takes one peer or many, under each of their names', async () => {
    const one = await fixture.call('messages.send', { user_id: 5, random_id: 1, message: 'раз' })
    expect(one.response).to.equal(1)
    expect((await fixture.call('messages.send', { peer_id: 6, random_id: 2, message: 'два' })).response).to.equal(2)
    const many = await fixture.call('messages.send', { user_ids: '7, 8', random_id: 3, message: 'три' })
    expect(many.response).to.deep.equal([
      { peer_id: 7, message_id: 3, conversation_message_id: 3 },
      { peer_id: 8, message_id: 4, conversation_message_id: 4 },
    ])
    await fixture.call('messages.send', { peer_ids: '9', random_id: 4, message: 'четыре' })
    expect(texts()).to.deep.equal([
      ['5', 'раз'],
      ['6', 'два'],
      ['7', 'три'],
      ['8', 'три'],
      ['9', 'четыре'],
    ])
    expect(fixture.world.accepted[3]).to.include({ channel: 'vk', key: '3', providerId: '4' })
  })

  it('folds a resend by random_id and peer, and only such', async () => {
    const send = (peers: string, randomId: number) =>
      fixture.call('messages.send', { peer_ids: peers, random_id: randomId, message: 'раз' })
    const first = await send('1,2', 77)
    expect(await send('2,1', 77)).to.deep.equal({ response: (first.response as unknown[]).toReversed() })
    expect(fixture.world.accepted).to.have.length(2)
    await send('1,3', 77)
    await send('1', 78)
    expect(texts().map(([peer]) => peer)).to.deep.equal(['1', '2', '3', '1'])
    await send('1', 0)
    await send('1', 0)
    expect(fixture.world.accepted, 'random_id 0 folds nothing').to.have.length(6)
  })

  it('tells what is wrong with one peer beside the success of the others', async () => {
    fixture.world.setPhone({ channel: 'vk', address: '2', state: 'blocked' })
    fixture.world.setPhone({ channel: 'vk', address: '3', state: 'deactivated' })
    fixture.world.setPhone({ channel: 'vk', address: '4', state: 'unknown' })
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '902', addresses: ['5'] })
    const { response } = await fixture.call('messages.send', { peer_ids: '1,2,3,4,5', random_id: 1, message: 'раз' })
    const codes = (response as { peer_id: number; error?: { code: number } }[]).map(({ peer_id, error }) => [
      peer_id,
      error?.code,
    ])
    expect(codes).to.deep.equal([
      [1, undefined],
      [2, 901],
      [3, 18],
      [4, 936],
      [5, 902],
    ])
    expect(texts()).to.deep.equal([['1', 'раз']])
    expect(await codeOf({ user_id: 2, random_id: 2, message: 'раз' }), 'alone it is the error of the call').to.equal(
      901,
    )
  })

  it('refuses what VK refuses, and reaches nobody then', async () => {
    const good = { peer_ids: '1,2', random_id: 1, message: 'раз' }
    expect(await codeOf({ peer_ids: '1', message: 'раз' }), 'no random_id').to.equal(100)
    expect(await codeOf({ ...good, message: ' ' }), 'empty text').to.equal(100)
    expect(await codeOf({ ...good, message: 'ё'.repeat(4097) }), 'long text').to.equal(914)
    expect(await codeOf({ ...good, peer_ids: Array.from({ length: 101 }, (_, i) => i + 1).join() })).to.equal(100)
    expect(await codeOf({ ...good, peer_ids: '1,x' })).to.equal(100)
    expect(await codeOf({ random_id: 1, message: 'раз' }), 'nobody').to.equal(100)
    expect(await codeOf({ ...good, keyboard: '[object Object]' })).to.equal(911)
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '10', addresses: ['2'] })
    expect(await codeOf(good), 'an error of the call, not of a peer').to.equal(10)
    expect(texts()).to.deep.equal([])
    fixture.world.clearFaults()
    const message = 'ё'.repeat(4096)
    const keyboard = JSON.stringify({ one_time: false, buttons: [] })
    expect(await codeOf({ ...good, message, keyboard })).to.equal(undefined)
  })

  it('answers the small methods around it', async () => {
    fixture.world.setPhone({ channel: 'vk', address: '2', state: 'blocked' })
    fixture.world.setPhone({ channel: 'vk', address: '3', state: 'unknown' })
    const allowed = async (user_id: number) =>
      (await fixture.call('messages.isMessagesFromGroupAllowed', { group_id: 1, user_id })).response
    expect(await allowed(1)).to.deep.equal({ is_allowed: 1 })
    expect(await allowed(2)).to.deep.equal({ is_allowed: 0 })
    const { response: users } = await fixture.call('users.get', { user_ids: '1,3' })
    expect((users as { id: number }[]).map(({ id }) => id)).to.deep.equal([1])
    const { response: group } = await fixture.call('groups.getById')
    expect((group as { groups: { id: number }[] }).groups[0]?.id).to.equal(fixture.vk.endpoint.groupId)
    expect((await fixture.call('no.such')).error?.error_code).to.equal(3)
  })
})
