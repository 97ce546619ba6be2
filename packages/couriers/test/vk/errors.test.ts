import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { type Fixture, items, neverAborted, startFixture } from './fixture.ts'

function expectRefusal(outcome: Outcome | undefined, code: string, refusal: string): void {
  expect(outcome, code).to.include({ kind: 'rejected', class: refusal })
  expect(outcome)
    .to.have.property('detail')
    .that.matches(new RegExp(`^${code}: `))
}

describe('vk: what its errors mean', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.stop())
  const one = async (code: string): Promise<Outcome | undefined> => {
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code, count: 1 })
    const [outcome] = await fixture.courier.send(items(1, 'а', BigInt(code) * 1000n), neverAborted)
    return outcome
  }

  it('final for the person', async () => {
    const contacts = { 900: 'blocked', 901: 'blocked', 902: 'blocked', 18: 'deactivated', 936: 'invalid' }
    for (const [code, refusal] of Object.entries(contacts)) expectRefusal(await one(code), code, refusal)
  })

  it('final for the message, and no fault of the contact', async () => {
    for (const code of ['911', '914', '917', '100']) expectRefusal(await one(code), code, 'refused')
  })

  it('wait', async () => {
    for (const code of ['9', '14', '29', '950']) {
      const outcome = await one(code)
      expect(outcome, code).to.include({ kind: 'throttled', scope: 'account' })
      expect(outcome).to.have.property('retryAfterMs').that.is.at.least(1000)
    }
    expect(await one('6'), 'a place of the second comes free soon').to.include({
      kind: 'throttled',
      scope: 'account',
      retryAfterMs: 250,
    })
    expect(await one('14'), 'a captcha')
      .to.have.property('retryAfterMs')
      .that.is.at.least(60_000)
  })

  it('nobody knows, where VK broke off on the way', async () => {
    for (const code of ['1', '10', '36']) expect(await one(code), code).to.include({ kind: 'unknown' })
  })

  it('a refused token holds everything up, and says so without telling it', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '5', count: 1 })
    const [outcome] = await fixture.courier.send(items(1, 'а'), neverAborted)
    expect(outcome).to.include({ kind: 'throttled', scope: 'account' })
    expect(outcome).to.have.property('reason').that.includes('token').and.does.not.include('vk1.a')
    const failure = await startFixture({}, { VK_TOKEN: 'vk1.a.wrong-token' }).catch((error: Error) => error.message)
    expect(failure).to.equal('VK refuses the token in VK_TOKEN')
  })

  it('tells people of one call apart', async () => {
    for (const address of ['3', '150']) fixture.world.setPhone({ channel: 'vk', address, state: 'blocked' })
    fixture.world.setPhone({ channel: 'vk', address: '200', state: 'unknown' })
    const outcomes = await fixture.courier.send(items(250, 'а'), neverAborted)
    const rejected = outcomes.flatMap(({ kind }, i) => (kind === 'rejected' ? [i + 1] : []))
    expect(rejected).to.deep.equal([3, 150, 200])
    expect(outcomes.filter(({ kind }) => kind === 'sent')).to.have.length(247)
    expect(fixture.requests).to.have.length(1)
  })

  it('matches calls that failed as a whole to their errors', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '914', addresses: ['150'] })
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '9', addresses: ['350'] })
    const outcomes = await fixture.courier.send(items(400, 'а'), neverAborted)
    const kinds = [0, 100, 200, 300].map((from) => [
      ...new Set(outcomes.slice(from, from + 100).map(({ kind }) => kind)),
    ])
    expect(kinds).to.deep.equal([['sent'], ['rejected'], ['sent'], ['throttled']])
    expectRefusal(outcomes[100], '914', 'refused')
    expect(fixture.world.accepted).to.have.length(200)
  })

  it('says of nobody what may be the error of another call, where one has none', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '9', addresses: ['50'] })
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '914', addresses: ['250'] })
    fixture.world.addFault({ channel: 'vk', kind: 'error-lost', addresses: ['50'] })
    const outcomes = await fixture.courier.send(items(300, 'а'), neverAborted)
    const unknown = { kind: 'unknown', why: 'VK did not say why the call failed' }
    expect(outcomes.slice(0, 100)).to.deep.equal(Array(100).fill(unknown))
    expect(new Set(outcomes.slice(100, 200).map(({ kind }) => kind))).to.deep.equal(new Set(['sent']))
    expect(outcomes.slice(200)).to.deep.equal(Array(100).fill(unknown))
  })

  it('tells the errors of edits from those of messages that go out with them', async () => {
    const [first] = items(1, 'а', 1n)
    const [outcome] = await fixture.courier.send([first as Item], neverAborted)
    const providerId = outcome?.kind === 'sent' ? outcome.providerId : ''
    fixture.requests.length = 0
    fixture.world.setPhone({ channel: 'vk', address: '1', state: 'blocked' })
    fixture.world.addFault({ channel: 'vk', kind: 'reject', code: '914', addresses: ['2'] })
    fixture.world.addFault({ channel: 'vk', kind: 'error-lost', addresses: ['1'] })
    const second = { ...(first as Item), address: '2', key: 2n }
    const [[edited], [sent]] = await Promise.all([
      fixture.courier.edit?.([{ ...(first as Item), text: 'б', providerId }], neverAborted) ?? [],
      fixture.courier.send([second], neverAborted),
    ])
    expect(fixture.requests, 'both in one').to.have.length(1)
    expect(edited).to.deep.equal({ kind: 'unknown', why: 'VK did not say why the call failed' })
    expectRefusal(sent, '914', 'refused')
  })

  it('nobody knows what became of anybody, where VK gives other results than it was asked for', async () => {
    const [first, second] = items(2, (i) => String(i), 1n, 1)
    fixture.answerInstead({ response: [[{ peer_id: 1, message_id: 1 }]] })
    const outcomes = await fixture.courier.send([first as Item, { ...(second as Item), address: '1' }], neverAborted)
    expect(outcomes).to.deep.equal(Array(2).fill({ kind: 'unknown', why: 'VK gave no result for the call' }))
  })
})
