import { expect } from 'chai'
import type { Edit, Outcome } from '../../src/courier.ts'
import { type Fixture, items, neverAborted, startFixture } from './fixture.ts'

const dayMs = 86_400_000

describe('vk: a message that is edited', () => {
  let fixture: Fixture
  const { now } = Date
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => {
    Date.now = now
    return fixture.stop()
  })

  async function sent(count: number, text = 'В понедельник'): Promise<Edit[]> {
    const all = items(count, text)
    const outcomes = await fixture.courier.send(all, neverAborted)
    fixture.requests.length = 0
    return all.map((item, i) => ({
      ...item,
      text: 'Во вторник',
      providerId: (outcomes[i] as Outcome & { providerId: string }).providerId,
    }))
  }
  const edit = (edits: readonly Edit[]) => fixture.courier.edit?.(edits, neverAborted) ?? []
  const textsOf = (address: string) => fixture.world.chats.vk?.read(address).messages.map(({ text }) => text)

  it('is one call of 25 in an execute; nobody is sent another; again it changes nothing', async () => {
    const edits = await sent(60)
    for (const _ of [1, 2]) {
      const outcomes = await edit(edits)
      expect(outcomes).to.deep.equal(edits.map(({ providerId }) => ({ kind: 'sent', providerId })))
    }
    expect(fixture.requests.map(({ method }) => method)).to.deep.equal(Array(6).fill('execute'))
    for (const { params } of fixture.requests) expect(params.get('code')).to.not.contain('вторник')
    for (const { address } of edits) expect(textsOf(address)).to.deep.equal(['Во вторник'])
  })

  it('where it took several messages, or takes them now, is refused and not touched', async () => {
    const [long] = await sent(1, `${'абв '.repeat(1500)}конец`)
    expect(long?.providerId).to.equal('1,2')
    const [short] = await sent(1)
    const outcomes = await edit([long as Edit, { ...(short as Edit), text: 'я'.repeat(5000) }])
    expect(outcomes.map((each) => each.kind === 'rejected' && each.class)).to.deep.equal(['refused', 'refused'])
    expect(fixture.requests).to.deep.equal([])
  })

  it('until a day later; after that it is refused as too old, and says nothing of the contact', async () => {
    const edits = await sent(2)
    Date.now = () => now() + dayMs - 60_000
    expect((await edit(edits.slice(0, 1)))[0]?.kind).to.equal('sent')
    Date.now = () => now() + dayMs + 60_000
    expect(await edit(edits)).to.deep.equal(
      Array(2).fill({
        kind: 'rejected',
        class: 'refused',
        detail: "909: Can't edit this message, because it's too old",
      }),
    )
  })

  it('of somebody who has blocked the community, or beside somebody whose message is gone, is each one’s own matter', async () => {
    const edits = await sent(3)
    fixture.world.setPhone({ channel: 'vk', address: '1', state: 'blocked' })
    const outcomes = await edit(edits.map((each, i) => (i === 1 ? { ...each, providerId: '999' } : each)))
    expect(outcomes.map((each) => (each.kind === 'rejected' ? each.class : each.kind))).to.deep.equal([
      'blocked',
      'refused',
      'sent',
    ])
  })

  it('whose answer is lost is unknown, and is edited again', async () => {
    const edits = await sent(2)
    fixture.world.addFault({ channel: 'vk', kind: 'reply-lost', count: 1 })
    expect((await edit(edits)).map(({ kind }) => kind)).to.deep.equal(['unknown', 'unknown'])
    expect((await edit(edits)).map(({ kind }) => kind)).to.deep.equal(['sent', 'sent'])
  })

  it('is deleted likewise, all parts of it, within a day', async () => {
    const [long] = (await sent(1, `${'абв '.repeat(1500)}конец`)) as [Edit]
    const short = await sent(30)
    const recall = (messages: readonly Edit[]) => fixture.courier.recall?.(messages, neverAborted) ?? []
    for (const _ of [1, 2])
      expect((await recall([long, ...short])).map(({ kind }) => kind)).to.deep.equal(Array(31).fill('sent'))
    expect(fixture.requests).to.have.length(4)
    for (const { address } of short) expect(textsOf(address)).to.deep.equal([])
    const [late] = (await sent(1)) as [Edit]
    Date.now = () => now() + dayMs + 60_000
    expect(await recall([late])).to.deep.equal([
      { kind: 'rejected', class: 'refused', detail: "924: Can't delete this message for everybody" },
    ])
  })

  it('is deleted where VK says so of this very message, and of no other', async () => {
    const messages = await sent(8)
    const of = (at: number, more: object) => ({ peer_id: Number(messages[at]?.address), ...more })
    const id = (at: number) => Number(messages[at]?.providerId)
    const error = { code: 924, description: "Can't delete this message for everybody" }
    const response = [
      [of(0, { message_id: id(0), conversation_message_id: 1, response: 1 })],
      [of(1, { message_id: id(1), response: 0, error })],
      [of(2, { message_id: id(2), response: 0 })],
      [of(3, { message_id: id(4), response: 1 })],
      [of(3, { message_id: id(4), response: 1 })],
      [],
      1,
      false,
    ]
    const execute_errors = [{ method: 'messages.delete', error_code: 924, error_msg: error.description }]
    fixture.answerInstead({ response, execute_errors })
    const outcomes = await fixture.courier.recall?.(messages, neverAborted)
    expect(outcomes?.map((each) => [each.kind, 'detail' in each ? each.detail : undefined])).to.deep.equal([
      ['sent', undefined],
      ['rejected', "924: Can't delete this message for everybody"],
      ['rejected', 'VK says that it was not deleted'],
      ['unknown', undefined],
      ['unknown', undefined],
      ['unknown', undefined],
      ['unknown', undefined],
      ['rejected', "924: Can't delete this message for everybody"],
    ])
  })
})
