import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { accepted, createStage, type Stage } from './stage.ts'

interface Told {
  readonly event: string
  readonly data: { total: Record<string, number>; messages: { address: string }[]; phones?: { address: string }[] }
}

describe('sandbox control: what the page watches', () => {
  let stage: Stage
  let url: string
  beforeEach(async () => {
    stage = createStage()
    await stage.control.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(stage.control.server.address() as AddressInfo).port}/events`
  })
  afterEach(() => stage.control.close())

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

  it('shows what was before, then what arrives', async () => {
    stage.world.setPhone({ channel: 'vk', address: '9', state: 'blocked' })
    stage.world.setPhone({ channel: 'vk', address: '8', state: 'ok' })
    stage.world.accept(accepted(1))
    const page = watch()
    const first = await next(page)
    expect(first.event).to.equal('first')
    expect(first.data.total).to.deep.equal({ telegram: 0, vk: 1, sms: 0 })
    expect(first.data.messages).to.deep.equal([accepted(1)])
    expect(first.data.phones?.map(({ address }) => address)).to.deep.equal(['9'])
    stage.world.accept(accepted(2))
    const second = await next(page)
    expect([second.event, second.data.total.vk]).to.deep.equal(['messages', 2])
    expect(second.data.messages).to.deep.equal([accepted(2)])
    await page.return(undefined)
  })

  it('shows a bounded part of a flood, counts all of it, and hides no other channel behind it', async () => {
    const page = watch()
    await next(page)
    for (let i = 0; i < 10_000; i++) stage.world.accept(accepted(i))
    stage.world.accept({ ...accepted(1), channel: 'sms', address: '+79001234567' })
    const { data } = await next(page)
    expect(data.total).to.include({ vk: 10_000, sms: 1 })
    expect(data.messages).to.have.length(101)
    expect(data.messages.at(-1)?.address).to.equal('+79001234567')

    const later = watch()
    for (let i = 0; i < 10_000; i++) stage.world.accept(accepted(i))
    const first = await next(later)
    expect(first.data.messages.filter(({ address }) => address === '+79001234567')).to.have.length(1)
    await later.return(undefined)
    await page.return(undefined)
  })

  it('starts anew after a reset', async () => {
    stage.world.accept(accepted(1))
    const page = watch()
    await next(page)
    await stage.control.inject({ method: 'POST', url: '/reset' })
    const { event, data } = await next(page)
    expect([event, data.total.vk, data.messages.length]).to.deep.equal(['first', 0, 0])
    await page.return(undefined)
  })

  it('ends when the sandbox stops', async () => {
    const page = watch()
    await next(page)
    const end = page.next()
    await stage.control.close()
    expect((await end).done).to.equal(true)
  })
})
