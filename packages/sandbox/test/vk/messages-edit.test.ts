import { expect } from 'chai'
import { type Fixture, startFixture } from './fixture.ts'

const dayMs = 86_400_000

describe('VK stand-in: messages.edit and messages.delete', () => {
  let fixture: Fixture
  const { now } = Date
  beforeEach(async () => {
    fixture = await startFixture()
    await fixture.call('messages.send', { peer_ids: '5,6', random_id: 1, message: 'раз' })
  })
  afterEach(() => {
    Date.now = now
    return fixture.vk.stop()
  })
  const edit = (params: Record<string, string | number> = {}) =>
    fixture.call('messages.edit', { peer_id: 5, message_id: 1, message: 'два', ...params })
  const codeOf = async (params: Record<string, string | number>) => (await edit(params)).error?.error_code
  const chatOf = (address: string) => fixture.world.chats.vk?.read(address).messages

  it('changes one message of one person, who sees that it was', async () => {
    expect(await edit()).to.deep.equal({ response: 1 })
    expect(await edit(), 'again').to.deep.equal({ response: 1 })
    const [message] = chatOf('5') ?? []
    expect([message?.text, message?.editedAt !== undefined]).to.deep.equal(['два', true])
    expect(chatOf('6')?.map(({ text, editedAt }) => [text, editedAt])).to.deep.equal([['раз', undefined]])
    expect(fixture.world.accepted).to.have.length(2)
    expect(fixture.world.revisions[0]).to.include({ channel: 'vk', address: '5', providerId: '1', text: 'два' })
  })

  it('refuses what VK refuses, and changes nothing then', async () => {
    expect(await codeOf({ message_id: 2 }), 'of another').to.equal(100)
    expect(await codeOf({ message_id: 99 }), 'of nobody').to.equal(100)
    expect(await codeOf({ message: ' ' })).to.equal(100)
    expect(await codeOf({ message: 'ё'.repeat(4097) })).to.equal(914)
    fixture.world.setPhone({ channel: 'vk', address: '5', state: 'blocked' })
    expect(await codeOf({})).to.equal(901)
    expect(fixture.world.revisions).to.deep.equal([])
  })

  it('for a day', async () => {
    Date.now = () => now() + dayMs - 60_000
    expect(await edit()).to.deep.equal({ response: 1 })
    Date.now = () => now() + dayMs + 60_000
    expect((await edit({ message: 'три' })).error).to.include({
      error_code: 909,
      error_msg: "Can't edit this message, because it's too old",
    })
    expect(chatOf('5')?.[0]?.text).to.equal('два')
  })

  it('deletes one for both, for a day', async () => {
    const remove = (params: Record<string, string | number> = {}) =>
      fixture.call('messages.delete', { peer_id: 5, message_ids: 1, delete_for_all: 1, ...params })
    expect((await remove({ message_ids: 2 })).error?.error_code, 'of another').to.equal(100)
    Date.now = () => now() + dayMs + 60_000
    expect((await remove()).error?.error_code).to.equal(924)
    Date.now = () => now() + dayMs - 60_000
    const answer = { response: [{ peer_id: 5, message_id: 1, conversation_message_id: 1, response: 1 }] }
    expect(await remove()).to.deep.equal(answer)
    expect(await remove(), 'again').to.deep.equal(answer)
    expect(chatOf('5')).to.deep.equal([])
    expect(chatOf('6')).to.have.length(1)
  })
})
