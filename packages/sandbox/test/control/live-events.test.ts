import type { AddressInfo } from 'node:net'
import { channelNames } from '@courier-fleet/channels'
import { expect } from 'chai'
import type { WallEvent } from '../../src/control/live-events.ts'
import { accepted, createFixture, type Fixture } from './fixture.ts'

interface Told {
  readonly event: string
  readonly data: WallEvent
}

describe('sandbox control: what the page watches', () => {
  let fixture: Fixture
  let url: string
  beforeEach(async () => {
    fixture = createFixture()
    await fixture.control.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(fixture.control.server.address() as AddressInfo).port}/events`
  })
  afterEach(() => fixture.control.close())

  /** The events of one page, one after the other; the connection is closed when nobody asks for more. */
  async function* watch(): AsyncGenerator<Told> {
    const response = await fetch(url)
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + chunk).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, name = '', data = '{}'] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? []
        if (name) yield { event: name, data: JSON.parse(data) }
      }
    }
  }
  const next = async (events: AsyncGenerator<Told>): Promise<Told> => {
    const { value } = await events.next()
    if (!value) throw new Error('the stream has ended')
    return value
  }

  const textsOf = ({ data }: Told) =>
    data.phones.map(({ address, messages }) => [address, ...messages.map(({ text }) => text)])

  it('shows what was before, then the phones on which something changes', async () => {
    fixture.world.setPhone({ channel: 'vk', address: '9', state: 'blocked', name: 'Борис' })
    fixture.world.accept(accepted(1))
    const page = watch()
    const first = await next(page)
    expect(first.event).to.equal('first')
    expect(first.data.total).to.deep.equal({ ...Object.fromEntries(channelNames.map((name) => [name, 0])), vk: 1 })
    expect(textsOf(first)).to.deep.equal([['1', accepted(1).text], ['9']])
    expect(first.data.phones[1]).to.include({ state: 'blocked', name: 'Борис' })

    fixture.world.accept(accepted(2))
    fixture.world.say({ channel: 'vk', address: '1', text: 'ответ' })
    const second = await next(page)
    expect([second.event, second.data.total.vk]).to.deep.equal(['changes', 2])
    expect(textsOf(second)).to.deep.equal([
      ['2', accepted(2).text],
      ['1', accepted(1).text, 'ответ'],
    ])
    fixture.world.setPhone({ channel: 'vk', address: '9', state: 'ok' })
    expect((await next(page)).data.phones.map(({ address, state }) => [address, state])).to.deep.equal([['9', 'ok']])
    await page.return(undefined)
  })

  it('shows a flood in bounded pieces, counts all of it, and hides no other channel behind it', async () => {
    const page = watch()
    await next(page)
    for (let i = 0; i < 10_000; i++) fixture.world.accept(accepted(i % 100))
    fixture.world.accept({ ...accepted(1), channel: 'sms', address: '+79001234567' })
    const seen = new Set<string>()
    for (const most of [41, 40, 20]) {
      const { data } = await next(page)
      expect(data.total).to.include({ vk: 10_000, sms: 1 })
      expect(data.phones).to.have.length(most)
      for (const { address } of data.phones) seen.add(address)
    }
    expect(seen.size).to.equal(101)
    await page.return(undefined)
  })

  it('shows the other phones of whoever something arrives for', async () => {
    const person = 's-1'
    const page = watch()
    await next(page)
    fixture.world.setPhone({ channel: 'sms', address: '+79001000001', person })
    fixture.world.setPhone({ channel: 'vk', address: '1', person })
    await next(page)
    fixture.world.accept(accepted(1))
    const { data } = await next(page)
    expect(data.phones.map(({ channel, messages }) => [channel, messages.length])).to.deep.equal([
      ['vk', 1],
      ['sms', 0],
    ])
    await page.return(undefined)
  })

  it('starts anew after a reset', async () => {
    fixture.world.accept(accepted(1))
    const page = watch()
    await next(page)
    await fixture.control.inject({ method: 'POST', url: '/reset' })
    const { event, data } = await next(page)
    expect([event, data.total.vk, data.phones.length]).to.deep.equal(['first', 0, 0])
    await page.return(undefined)
  })

  it('ends when the sandbox stops', async () => {
    const page = watch()
    await next(page)
    const end = page.next()
    await fixture.control.close()
    expect((await end).done).to.equal(true)
  })
})
