import { expect } from 'chai'
import { type Fixture, startFixture } from './fixture.ts'

const callback = { type: 'callback', label: 'Да', payload: '{"a":1}' }
const keyboardOf = (action: object, inline = true) => JSON.stringify({ inline, buttons: [[{ action }]] })

describe('VK stand-in: buttons that call back', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.vk.stop())

  const send = (keyboard: string) =>
    fixture.call('messages.send', { peer_id: 7, random_id: 1, message: 'раз', keyboard })
  const chats = () => fixture.world.chats.vk as NonNullable<typeof fixture.world.chats.vk>

  /** What the community hears when this is done. */
  async function heardAfter(act: () => void) {
    const { response } = await fixture.call('groups.getLongPollServer', { group_id: fixture.vk.endpoint.groupId })
    const { key, server, ts } = response as { key: string; server: string; ts: string }
    act()
    const answer = await fetch(`${server}?act=a_check&wait=5&key=${key}&ts=${ts}`)
    return ((await answer.json()) as { updates: { type: string; object: Record<string, unknown> }[] }).updates
  }

  it('tells the community of a press, and the phone what was answered, once', async () => {
    await send(keyboardOf(callback))
    const [shown] = chats().read('7').messages
    expect(shown?.buttons).to.deep.equal([['Да']])
    const message = shown?.id ?? 0
    expect(chats().press('7', { message, label: 'Нет' })).to.equal(false)
    expect(chats().press('8', { message, label: 'Да' }), 'not in that chat').to.equal(false)
    const [event] = await heardAfter(() => expect(chats().press('7', { message, label: 'Да' })).to.equal(true))
    expect(event?.type).to.equal('message_event')
    expect(event?.object).to.deep.include({ user_id: 7, peer_id: 7, payload: { a: 1 }, conversation_message_id: 1 })

    const event_id = String(event?.object.event_id)
    const answer = async (more: Record<string, string | number> = {}, text = 'Отмечено') => {
      const event_data = JSON.stringify({ type: 'show_snackbar', text })
      const given = { event_id, user_id: 7, peer_id: 7, event_data, ...more }
      return (await fixture.call('messages.sendMessageEventAnswer', given)).error?.error_code
    }
    expect(await answer({ user_id: 8 }), 'not their press').to.equal(100)
    expect(await answer({}, 'x'.repeat(91)), 'too long').to.equal(100)
    expect(await answer()).to.equal(undefined)
    expect(chats().read('7').notice).to.equal('Отмечено')
    expect(await answer(), 'answered before').to.equal(100)
  })

  it('tells what a client sends that is not honest', async () => {
    await send(keyboardOf(callback))
    const message = chats().read('7').messages[0]?.id ?? 0
    const heard = await heardAfter(() => chats().press('7', { message, data: 'no JSON' }))
    expect(heard[0]?.object.payload).to.equal('no JSON')
  })

  it('refuses what VK refuses', async () => {
    const refused = async (keyboard: string) => (await send(keyboard)).error?.error_code
    expect(await refused(keyboardOf({ ...callback, payload: 'x'.repeat(256) }))).to.equal(911)
    expect(await refused(keyboardOf({ ...callback, label: 'x'.repeat(41) }))).to.equal(911)
    expect(await refused(keyboardOf({ type: 'callback' }))).to.equal(911)
    const rows = Array.from({ length: 3 }, () => Array.from({ length: 4 }, () => ({ action: callback })))
    expect(await refused(JSON.stringify({ inline: true, buttons: rows })), 'twelve').to.equal(911)
    expect(await refused(JSON.stringify({ inline: false, buttons: rows }))).to.equal(undefined)
  })
})
