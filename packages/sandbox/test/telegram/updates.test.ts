import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Api } from 'telegram'
import type { Chats } from '../../src/stand-in.ts'
import { type Fixture, startFixture } from './fixture.ts'
import { connectRawClient, type RawClient, refusalOf, sendMessage } from './raw-client.ts'

describe('telegram-dc: what people write', () => {
  let fixture: Fixture
  let raw: RawClient
  let updates: Api.TypeUpdate[]

  beforeEach(async () => {
    fixture = await startFixture()
    raw = await connectRawClient(fixture.endpoint)
    updates = []
    raw.sender._updateCallback = (_client, update: unknown) => {
      if (update instanceof Api.Updates) updates.push(...update.updates)
    }
  })
  afterEach(async () => {
    await raw.close()
    await fixture.stop()
  })

  const say = (text: string) => fixture.world.say({ channel: 'telegram', address: '501', text })

  it('is pushed to the bot', async () => {
    say('/start')
    await until(() => updates.length === 1, 'the update has come')
    const { message } = (updates[0] as Api.UpdateNewMessage & { message: Api.Message }) ?? {}
    expect(message.message).to.equal('/start')
    expect(String((message.peerId as Api.PeerUser).userId)).to.equal('501')
  })

  it('is not pushed for other channels', async () => {
    fixture.world.say({ channel: 'sms', address: '+79160000000', text: 'нет' })
    say('да')
    await until(() => updates.length > 0, 'the update has come')
    expect(updates).to.have.length(1)
  })

  it('can be asked for after a gap', async () => {
    const before = (await raw.call(new Api.updates.GetState())) as Api.updates.State
    say('раз')
    say('два')
    const since = (pts: number) => raw.call(new Api.updates.GetDifference({ pts, date: before.date, qts: 0 }))
    const difference = (await since(before.pts)) as Api.updates.Difference
    expect(difference.newMessages.map((message) => (message as Api.Message).message)).to.deep.equal(['раз', 'два'])
    const state = difference.state as Api.updates.State
    expect(state.pts).to.equal(before.pts + 2)
    expect(await since(state.pts)).to.be.instanceOf(Api.updates.DifferenceEmpty)
  })

  it('presses the button that has this label', async () => {
    const button = new Api.KeyboardButtonCallback({ text: 'Отправить', data: Buffer.from('send:1') })
    const replyMarkup = new Api.ReplyInlineMarkup({ rows: [new Api.KeyboardButtonRow({ buttons: [button] })] })
    const sent = (await raw.call(
      Object.assign(sendMessage('501', 1, 'Отправить?'), { replyMarkup }),
    )) as Api.UpdateShortSentMessage
    say('Отправить')
    await until(() => updates.length === 1, 'the press has come')
    const press = updates[0] as Api.UpdateBotCallbackQuery
    expect(press).to.be.instanceOf(Api.UpdateBotCallbackQuery)
    expect(press.msgId).to.equal(sent.id)
    expect(press.data?.toString()).to.equal('send:1')
    const answer = () => raw.call(new Api.messages.SetBotCallbackAnswer({ queryId: press.queryId, cacheTime: 0 }))
    expect(await answer()).to.equal(true)
    expect(await refusalOf(answer())).to.equal('QUERY_ID_INVALID')
  })

  it('shows the chat as it looks on the phone, and lets its buttons be pressed, honestly and not', async () => {
    const markup = (text: string) => {
      const button = new Api.KeyboardButtonCallback({ text, data: Buffer.from(`data of ${text}`) })
      return new Api.ReplyInlineMarkup({ rows: [new Api.KeyboardButtonRow({ buttons: [button] })] })
    }
    const request = Object.assign(sendMessage('601', 1, 'Отправить?'), { replyMarkup: markup('Да') })
    const { id } = (await raw.call(request)) as Api.UpdateShortSentMessage
    const { peer } = request
    await raw.call(new Api.messages.EditMessage({ peer, id, message: 'Точно?', replyMarkup: markup('Точно') }))
    fixture.world.say({ channel: 'telegram', address: '601', text: 'погоди' })
    const chats = fixture.world.chats.telegram as Chats
    const shown = chats.read('601').messages.map(({ from, text, buttons }) => ({ from, text, buttons }))
    expect(shown).to.deep.equal([
      { from: 'client', text: 'Точно?', buttons: [['Точно']] },
      { from: 'person', text: 'погоди', buttons: undefined },
    ])

    expect(chats.press('601', { message: id, label: 'Да' })).to.equal(false)
    expect(chats.press('602', { message: id, label: 'Точно' })).to.equal(false)
    expect(chats.press('601', { message: id, label: 'Точно' })).to.equal(true)
    expect(chats.press('601', { message: id, data: 'forged' })).to.equal(true)
    const presses = () => updates.filter((update) => update instanceof Api.UpdateBotCallbackQuery)
    await until(() => presses().length === 2, 'both have come')
    expect(presses().map(({ data }) => data?.toString())).to.deep.equal(['data of Точно', 'forged'])
    const queryId = (presses()[0] as Api.UpdateBotCallbackQuery).queryId
    await raw.call(new Api.messages.SetBotCallbackAnswer({ queryId, cacheTime: 0, message: 'Готово' }))
    expect(chats.read('601').notice).to.equal('Готово')
  })

  it('a message can be edited, by its id and in its chat', async () => {
    const { id } = await raw.send('501', 1, 'было')
    const edit = (address: string, message: string) => {
      const { peer } = sendMessage(address, 1)
      return raw.call(new Api.messages.EditMessage({ peer, id, message }))
    }
    const changed = (await edit('501', 'стало')) as Api.Updates
    expect(((changed.updates[0] as Api.UpdateEditMessage).message as Api.Message).message).to.equal('стало')
    expect(await refusalOf(edit('501', 'стало'))).to.equal('MESSAGE_NOT_MODIFIED')
    expect(await refusalOf(edit('502', 'чужое'))).to.equal('MESSAGE_ID_INVALID')
  })
})
