import { setMaxListeners } from 'node:events'
import { expect } from 'chai'
import { type Fixture, items, neverAborted, startFixture } from './fixture.ts'

describe('vk: many people in few calls', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.stop())
  const sent = (outcomes: readonly { kind: string }[]) => outcomes.filter(({ kind }) => kind === 'sent').length

  it('sends to 2500 people in one execute, and holds one turn for it', async () => {
    const outcomes = await fixture.courier.send(items(2500, 'Привет'), neverAborted)
    expect(sent(outcomes)).to.equal(2500)
    expect(fixture.requests.map(({ method }) => method)).to.deep.equal(['execute'])
    expect(fixture.calls()).to.equal(1)
    expect(fixture.world.accepted.map(({ address }) => address)).to.deep.equal(
      items(2500, '').map(({ address }) => address),
    )
    expect(new Set(fixture.world.accepted.map(({ key }) => key)).size, 'a random_id for each hundred').to.equal(25)
  })

  it('never writes what somebody wrote into the script, and sends each text once', async () => {
    const text = '"});return API.groups.getById();//\n\\u0022 {{x}}'
    await fixture.courier.send(items(2500, text), neverAborted)
    const { params } = fixture.requests[0] ?? { params: new URLSearchParams() }
    expect(params.get('code')).to.match(/^return \[(API\.messages\.send\(\{[\w.,:]+\}\),?)+\];$/)
    expect([...params.values()].filter((value) => value === text)).to.have.length(1)
    expect(new Set(fixture.world.accepted.map((entry) => entry.text))).to.deep.equal(new Set([text]))
  })

  it('puts different messages of one batch together', async () => {
    const outcomes = await fixture.courier.send(
      items(100, (i) => `Напоминание № ${i}`, 1n, 1),
      neverAborted,
    )
    expect(sent(outcomes)).to.equal(100)
    expect(fixture.requests).to.have.length(4)
    expect(fixture.world.accepted.map(({ text }) => text)).to.have.members(
      items(100, (i) => `Напоминание № ${i}`).map(({ text }) => text),
    )
  })

  it('sends each text of a hundred in one call, whoever stands between its people', async () => {
    const texts = ['Привет', 'Hello', 'Hallo']
    const mixed = items(300, (i) => texts[i % 3] as string, 7n).map((item, i) => ({
      ...item,
      key: item.key + BigInt((i % 3) * 1000),
    }))
    const outcomes = await fixture.courier.send(mixed, neverAborted)
    expect(sent(outcomes)).to.equal(300)
    const { params } = fixture.requests[0] ?? { params: new URLSearchParams() }
    expect(fixture.requests).to.have.length(1)
    expect(params.get('code')?.match(/API\.messages\.send/g)).to.have.length(9)
    const textOf = new Map(fixture.world.accepted.map(({ address, text }) => [address, text]))
    for (const { address, text } of mixed) expect(textOf.get(address)).to.equal(text)
  })

  it('puts sends that come together into common calls', async () => {
    const { signal } = new AbortController()
    setMaxListeners(100, signal)
    const sends = items(100, (i) => `Вам письмо ${i}`, 1n, 1).map((item) => fixture.courier.send([item], signal))
    expect(sent((await Promise.all(sends)).flat())).to.equal(100)
    expect(fixture.requests).to.have.length(4)
  })

  it('keeps calls with long different texts within what gateways take', async () => {
    const outcomes = await fixture.courier.send(
      items(30, (i) => `${i} ${'ё'.repeat(4000)}`, 1n, 1),
      neverAborted,
    )
    expect(sent(outcomes)).to.equal(30)
    for (const { params } of fixture.requests) expect(params.toString().length).to.be.below(256 * 1024)
  })

  it('sends a long text part by part under keys of their own', async () => {
    const text = `${'абв '.repeat(1500)}конец`
    const [outcome] = await fixture.courier.send(items(1, text), neverAborted)
    expect(outcome?.kind).to.equal('sent')
    expect(fixture.world.accepted.map((entry) => entry.text).join('')).to.equal(text)
    expect(new Set(fixture.world.accepted.map(({ key }) => key)).size).to.equal(2)
    await fixture.courier.send(items(1, text), neverAborted)
    expect(fixture.world.accepted, 'a resend is folded part by part').to.have.length(2)
  })

  it('rejects what is no peer id without asking VK', async () => {
    const [bad, good] = await fixture.courier.send(
      [
        { class: 'normal' as const, address: '12,13', text: 'а', key: 1n },
        { class: 'normal' as const, address: '14', text: 'а', key: 1n },
      ],
      neverAborted,
    )
    expect(bad).to.include({ kind: 'rejected', class: 'invalid' })
    expect(good?.kind).to.equal('sent')
    expect(fixture.world.accepted.map(({ address }) => address)).to.deep.equal(['14'])
  })

  it('answers for both when one person stands in the batch twice', async () => {
    const item = { class: 'normal' as const, address: '5', text: 'а', key: 1n }
    expect(sent(await fixture.courier.send([item, item], neverAborted))).to.equal(2)
    expect(fixture.world.accepted).to.have.length(1)
  })
})
