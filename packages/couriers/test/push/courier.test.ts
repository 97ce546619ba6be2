import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { madeUpKeys, pushAddressOf, subscriptionIn } from '@courier-fleet/channels'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier } from '../../src/courier.ts'
import { pushConfig } from '../../src/push/config.ts'
import { createFixture, environment, type Fixture, itemTo, never } from './fixture.ts'

describe('the push courier', () => {
  let fixture: Fixture
  let courier: Courier
  let lastBrowser = 0
  const browser = () => fixture.addressOf(++lastBrowser)

  before(async () => {
    fixture = await createFixture()
    courier = fixture.courier()
  })
  after(() => fixture.stop())
  afterEach(() => fixture.world.clearFaults())

  const sendOne = async (item = itemTo(browser()), by = courier) => (await by.send([item], never))[0]
  const acceptedBy = (address: string) => fixture.world.accepted.filter((each) => each.address === address)

  it('says of each answer what it means', async () => {
    const meanings: [string, object][] = [
      ['404', { kind: 'rejected', class: 'deactivated', detail: '404' }],
      ['410', { kind: 'rejected', class: 'deactivated', detail: '410' }],
      ['413', { kind: 'rejected', class: 'refused', detail: '413' }],
      ['301', { kind: 'rejected', class: 'refused', detail: '301' }],
      ['403', { kind: 'rejected', class: 'refused' }],
      ['429', { kind: 'throttled', scope: 'recipient', retryAfterMs: 50, reason: '429' }],
      ['500', { kind: 'throttled', scope: 'recipient', retryAfterMs: 50, reason: '500' }],
    ]
    for (const [code, meaning] of meanings) {
      fixture.world.addFault({ channel: 'push', kind: 'reject', code, count: 1 })
      // after 500 the service is left alone
      expect(await sendOne(itemTo(browser()), fixture.courier()), code).to.deep.include(meaning)
    }
    fixture.world.addFault({ channel: 'push', kind: 'throttle', seconds: 7, count: 1 })
    expect(await sendOne()).to.deep.include({ kind: 'throttled', scope: 'recipient', retryAfterMs: 7000 })
  })

  it('leaves a service alone that fails, and sends to nobody through it meanwhile', async () => {
    const slow = fixture.courier({}, { awayMs: 60_000 })
    fixture.world.addFault({ channel: 'push', kind: 'reject', code: '502' })
    await sendOne(itemTo(browser()), slow)
    fixture.world.clearFaults()
    const address = browser()
    expect(await sendOne(itemTo(address), slow)).to.deep.include({ kind: 'throttled', scope: 'recipient', isOwn: true })
    expect(acceptedBy(address)).to.deep.equal([])
    expect(await sendOne(itemTo(address)), 'another process tries for itself').to.deep.include({ kind: 'sent' })
  })

  it('leaves it alone, too, when it is silent: only a few are in doubt', async () => {
    fixture.world.addFault({ channel: 'push', kind: 'hang' })
    const { hurried, outcome } = await until(async () => {
      const hurried = fixture.courier({}, { deadlineMs: 300, silentMs: 60_000 })
      const outcome = await sendOne(itemTo(browser()), hurried)
      // what has not left in time, for the process stood still, is to be sent later
      return outcome?.kind !== 'throttled' && { hurried, outcome }
    }, 'it has left in time')
    expect(outcome).to.deep.include({ kind: 'unknown' })
    expect(await sendOne(itemTo(browser()), hurried)).to.deep.include({ kind: 'throttled', isOwn: true })
  })

  it('has what waits for a browser replaced by the same message sent again', async () => {
    const address = browser()
    fixture.world.setPhone({ channel: 'push', address, state: 'off' })
    const item = itemTo(address)
    await courier.send([item], never)
    await courier.send([item], never)
    await sendOne(itemTo(address, { text: 'другое' }))
    expect(fixture.world.chats.push?.read(address).messages.map(({ text }) => text)).to.deep.equal([
      item.text,
      'другое',
    ])
  })

  it('takes up the parts of a text at the first again, under the same topics', async () => {
    const address = browser()
    const item = itemTo(address, { text: 'слово '.repeat(250).trim() })
    fixture.world.setPhone({ channel: 'push', address, state: 'off' })
    let requests = 0
    const cut = fixture.world.takeFault.bind(fixture.world)
    fixture.world.takeFault = (channel, kind, of) => {
      if (kind === 'throttle' && ++requests === 2) return { channel, kind, seconds: 1 }
      return cut(channel, kind, of)
    }
    const outcome = await sendOne(item)
    fixture.world.takeFault = cut
    expect(outcome).to.deep.include({ kind: 'throttled', isPartlyTaken: true, reason: '429, in one of 2 parts' })
    expect(await sendOne(item)).to.deep.include({ kind: 'sent' })
    const shown = fixture.world.chats.push?.read(address).messages ?? []
    expect(shown.map(({ text }) => text).join('')).to.equal(item.text)
  })

  it('asks for what the class of a message needs, for three days, and is known by its key', async () => {
    const heard: Record<string, string | string[] | undefined>[] = []
    const server: Server = createServer((request, response) => {
      heard.push(request.headers)
      request.resume()
      response.writeHead(201).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/any/where?b=1`
    const address = pushAddressOf({ endpoint, keys: madeUpKeys })
    for (const cls of ['urgent', 'normal', 'bulk'] as const)
      expect(await sendOne(itemTo(address, { class: cls }))).to.deep.include({ kind: 'sent' })
    server.closeAllConnections()
    server.close()
    expect(heard.map(({ urgency }) => urgency)).to.deep.equal(['high', 'normal', 'low'])
    for (const { ttl, topic, authorization, 'content-encoding': encoding } of heard) {
      expect([ttl, encoding]).to.deep.equal(['259200', 'aes128gcm'])
      expect(topic).to.match(/^[0-9a-f]{16}$/)
      expect(authorization).to.match(/^vapid t=[\w.-]+, k=B[\w-]{86}$/)
    }
  })

  it('calls no address that is not public, and none without https, unless the environment says so', async () => {
    const strict = fixture.courier({ HTTP_ALLOW_PLAIN: '', HTTP_ALLOW_NETS: '' })
    for (const endpoint of ['https://127.0.0.1:65000/x', 'http://push.example/x', 'https://10.0.0.1/x'])
      expect(await sendOne(itemTo(pushAddressOf({ endpoint, keys: madeUpKeys })), strict), endpoint).to.deep.include({
        kind: 'rejected',
        class: 'invalid',
      })
  })

  it('sends nothing to what is no subscription, nor to a key that is no point of the curve', async () => {
    const off = `B${'A'.repeat(86)}`
    const { endpoint = '' } = subscriptionIn(browser()) ?? {}
    for (const address of ['', endpoint, `${endpoint}#x.y`, `${endpoint}#${off}.${madeUpKeys.auth}`])
      expect(await sendOne(itemTo(address)), address).to.deep.include({ kind: 'rejected', class: 'invalid' })
  })

  it('is another sender with another secret, and none without: no contact is marked for that', async () => {
    const address = browser()
    expect(await sendOne(itemTo(address))).to.deep.include({ kind: 'sent' })
    const other = fixture.courier({ FLEET_SECRET: 'another secret, of at least so many letters' })
    expect(other.account).not.to.equal(courier.account)
    expect(await sendOne(itemTo(address), other)).to.deep.include({ kind: 'rejected', class: 'refused' })
    const none = fixture.courier({ FLEET_SECRET: '' })
    expect(await sendOne(itemTo(address), none)).to.deep.include({ kind: 'rejected', class: 'refused' })
  })

  it('says in a line what is wrong with a setting', () => {
    const wrong: [string, string, RegExp][] = [
      ['PUSH_CONTACT', '', /^PUSH_CONTACT is missing/],
      ['PUSH_CONTACT', 'it@fleet.example', /^PUSH_CONTACT must be mailto:/],
      ['PUSH_CONTACT', 'mailto:it@localhost', /^PUSH_CONTACT must be mailto:/],
      ['PUSH_PER_SECOND', '0', /^PUSH_PER_SECOND must be/],
      ['FLEET_SECRET', 'short', /^FLEET_SECRET must be/],
    ]
    for (const [name, value, said] of wrong)
      expect(() => pushConfig({ ...environment(), [name]: value }), name).to.throw(said)
    expect(pushConfig({ ...environment(), PUSH_PER_SECOND: 'off' }).perSecond).to.equal(undefined)
  })
})
