import { expect } from 'chai'
import { createFixture, type Fixture } from './fixture.ts'

describe('sandbox control: phones of the wall', () => {
  let fixture: Fixture
  beforeEach(() => {
    fixture = createFixture()
  })
  afterEach(() => fixture.control.close())
  const put = (phones: object[]) => fixture.control.inject({ method: 'PUT', url: '/phones', payload: phones })
  const find = async (wanted: string) => {
    const answer = await fixture.control.inject({ method: 'GET', url: '/wall', query: { find: wanted } })
    return answer.json().phones as { channel: string; address: string; messages: { text: string }[] }[]
  }
  const accept = (channel: 'vk' | 'sms', address: string, text: string) =>
    fixture.world.accept({ channel, address, text, key: '', at: Date.now(), providerId: `${address} ${text}` })
  const chat = async (channel: string, address: string) => {
    const url = `/phones/${channel}/${encodeURIComponent(address)}/chat`
    const { messages } = (await fixture.control.inject({ method: 'GET', url })).json()
    return messages.map(({ from, text, state }: Record<string, string>) => [from, text, state ?? 'there'])
  }

  it('keeps of a phone what is not said anew', async () => {
    await put([{ channel: 'sms', address: '+79001000037', name: 'Казакова Ксения' }])
    expect(fixture.world.phone('sms', '+79001000037')).to.include({ state: 'ok', name: 'Казакова Ксения' })
    await put([{ channel: 'sms', address: '+79001000037', state: 'off' }])
    expect(fixture.world.phone('sms', '+79001000037')).to.include({ state: 'off', name: 'Казакова Ксения' })
  })

  it('finds them by name and by address, however the number is written, with their messages', async () => {
    await put([
      { channel: 'sms', address: '+79001000037', name: 'Казакова Ксения' },
      { channel: 'vk', address: '5001', name: 'Титова Алина' },
    ])
    accept('vk', '5001', 'раз')
    accept('vk', '5002', 'два')
    expect((await find('КСЕН')).map(({ address }) => address)).to.deep.equal(['+79001000037'])
    expect((await find('900 100-00-37')).map(({ address }) => address)).to.deep.equal(['+79001000037'])
    const both = await find('500')
    expect(both.map(({ address, messages }) => [address, messages[0]?.text])).to.deep.equal([
      ['5001', 'раз'],
      ['5002', 'два'],
    ])
    expect(await find('нет такой')).to.deep.equal([])
    expect((await fixture.control.inject({ method: 'GET', url: '/wall' })).statusCode).to.equal(400)
  })

  it('shows a person with all of their phones, whichever of them was found', async () => {
    const anna = { name: 'Анна', person: 's-1' }
    await put([
      { channel: 'sms', address: '+79001000001', ...anna },
      { channel: 'vk', address: '7001', ...anna },
      { channel: 'vk', address: '7002', name: 'Анна', person: 's-2' },
    ])
    const addresses = async (wanted: string) => (await find(wanted)).map(({ address }) => address)
    expect(await addresses('7001')).to.deep.equal(['7001', '+79001000001'])
    expect(await addresses('s-1')).to.deep.equal(['+79001000001', '7001'])
    expect(await addresses('анна')).to.have.members(['+79001000001', '7001', '7002'])
    await put([{ channel: 'sms', address: '+79001000001', person: 's-2' }])
    expect(await addresses('7001')).to.deep.equal(['7001'])
    expect(await addresses('7002')).to.deep.equal(['7002', '+79001000001'])
  })

  it('has a stranger of each channel that people can write to, another one each time', async () => {
    const strangers = async () => {
      const answer = await fixture.control.inject({ method: 'GET', url: '/channels?language=ru' })
      const channels = Object.entries<{ stranger?: string }>(answer.json())
      return channels.flatMap(([name, { stranger }]) => (stranger === undefined ? [] : [[name, stranger]]))
    }
    const [once, again] = [await strangers(), await strangers()]
    expect(once.map(([name]) => name)).to.deep.equal(['sms', 'telegram', 'vk'])
    expect(once).not.to.deep.equal(again)
  })

  it('shows both sides of a chat, and what waits for a phone that is off', async () => {
    accept('vk', '5001', 'раз')
    fixture.world.say({ channel: 'vk', address: '5001', text: 'спасибо' })
    fixture.world.setPhone({ channel: 'vk', address: '5001', state: 'off' })
    accept('vk', '5001', 'два')
    const before = [
      ['client', 'раз', 'there'],
      ['person', 'спасибо', 'there'],
    ]
    expect(await chat('vk', '5001')).to.deep.equal([...before, ['client', 'два', 'waiting']])
    fixture.world.setPhone({ channel: 'vk', address: '5001', state: 'ok' })
    expect(await chat('vk', '5001')).to.deep.equal([...before, ['client', 'два', 'there']])
    await fixture.control.inject({ method: 'POST', url: '/reset' })
    expect(await chat('vk', '5001')).to.deep.equal([])
  })

  it('keeps the latest messages of each phone only', async () => {
    for (let i = 0; i < 100; i++) accept('sms', '+79001000037', `письмо ${i}`)
    const messages = await chat('sms', '+79001000037')
    expect(messages).to.have.length(20)
    expect(messages.at(-1)).to.deep.equal(['client', 'письмо 99', 'there'])
  })

  it('forgets the phones on which nothing has happened for the longest time', async () => {
    for (let i = 0; i < 10_000; i++) accept('vk', String(i % 9_000), 'раз')
    const addresses = [...(fixture.world.chats.vk?.addresses() ?? [])]
    expect(addresses).to.have.length.within(2500, 5000)
    expect(new Set(addresses).size).to.equal(addresses.length)
    expect(addresses.slice(-2)).to.deep.equal(['998', '999'])
    expect(await chat('vk', '3000')).to.deep.equal([])
  })

  it('serves the page in own files, nothing inline, nothing from elsewhere', async () => {
    const get = (url: string) => fixture.control.inject({ method: 'GET', url })
    const page = await get('/')
    expect(page.headers['content-security-policy']).to.not.include('unsafe')
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    for (const file of files) expect((await get(file)).statusCode, file).to.equal(200)
    expect((await get('/page/main.js')).headers['content-type']).to.equal('text/javascript; charset=utf-8')
    for (const wrong of ['/page/nothing.js', '/page/..%2fpackage.json', '/page/package.json', '/page/a.b.js'])
      expect((await get(wrong)).statusCode, wrong).to.be.oneOf([400, 404])
  })
})
