import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { expect } from 'chai'
import { Remembered } from '../../src/remembered.ts'
import { createCallRate } from '../../src/vk/call-rate.ts'
import { type Fixture, startFixture } from './fixture.ts'

describe('VK stand-in: limits', () => {
  it('lets so many calls through in any one second', () => {
    let now = 0
    const mayCall = createCallRate(() => now)
    const made = () => Array.from({ length: 25 }, () => mayCall(20)).filter(Boolean).length
    expect(made()).to.equal(20)
    now = 999
    expect(made()).to.equal(0)
    now = 1000
    expect(made()).to.equal(20)
    expect(mayCall(null)).to.equal(true)
  })

  it('remembers the last messages, and not all of them', () => {
    const remembered = new Remembered<number>(100)
    for (let i = 0; i < 1000; i++) remembered.set(String(i), i)
    for (let i = 900; i < 1000; i++) expect(remembered.get(String(i))).to.equal(i)
    expect(remembered.get('700')).to.equal(undefined)
  })
})

describe('VK stand-in: trouble', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.vk.stop())
  const message = { peer_ids: '1,2', random_id: 1, message: 'раз' }
  const cut = async (params = message) => {
    try {
      await fixture.post('messages.send', params)
      return false
    } catch {
      return true
    }
  }

  it('asks for the token and the version', async () => {
    const wrong = await fixture.call('messages.send', { ...message, access_token: 'other' })
    expect(wrong.error?.error_code).to.equal(5)
    expect(wrong.error?.request_params.map(({ key }) => key)).not.to.include('access_token')
    expect((await fixture.call('messages.send', { ...message, v: '' })).error?.error_code).to.equal(8)
    const bare = await fetch(`${vkApiUrl(fixture.vk.endpoint)}/users.get?access_token=${fixture.vk.endpoint.token}`)
    expect(await bare.json()).to.have.nested.property('error.error_code', 8)
  })

  it('says too many when there are too many', async () => {
    fixture.world.limits.vk.callsPerSecond = 3
    const begun = performance.now()
    const codes = []
    for (let i = 0; i < 6; i++) codes.push((await fixture.call('groups.getById')).error?.error_code)
    const seconds = (performance.now() - begun) / 1000
    expect(codes.slice(0, 3)).to.deep.equal([undefined, undefined, undefined])
    const refused = codes.filter((code) => code !== undefined)
    expect(refused).to.have.length.within(3 - 3 * seconds, 3)
    expect(refused).to.deep.equal(refused.map(() => 6))
  })

  it('slows down, for a while or for longer', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'throttle', count: 1 })
    expect((await fixture.call('messages.send', message)).error?.error_code).to.equal(6)
    fixture.world.addFault({ channel: 'vk', kind: 'throttle', count: 1, seconds: 30 })
    expect((await fixture.call('messages.send', message)).error?.error_code).to.equal(9)
    expect(fixture.world.accepted).to.have.length(0)
    expect((await fixture.call('messages.send', message)).error).to.equal(undefined)
  })

  it('cuts the connection before or after it has accepted', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'disconnect', count: 1 })
    expect(await cut()).to.equal(true)
    expect(fixture.world.accepted).to.have.length(0)
    fixture.world.addFault({ channel: 'vk', kind: 'reply-lost', count: 1 })
    expect(await cut()).to.equal(true)
    expect(fixture.world.accepted).to.have.length(2)
    expect(await cut()).to.equal(false)
    expect(fixture.world.accepted).to.have.length(2)
  })

  it('puts a gateway in front that has lost its server', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'reply-lost', code: '502', count: 1 })
    const response = await fixture.post('messages.send', message)
    expect([response.status, response.headers.get('content-type')]).to.deep.equal([502, 'text/html'])
    expect(await response.text()).to.include('<html>')
    expect(fixture.world.accepted).to.have.length(2)
  })

  it('does not answer, until the client gives up', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'hang', count: 1, addresses: ['2'] })
    expect((await fixture.call('messages.send', { ...message, peer_ids: '1' })).error).to.equal(undefined)
    const form = new URLSearchParams({
      access_token: fixture.vk.endpoint.token,
      v: '5.199',
      peer_ids: '2',
      message: 'а',
    })
    const signal = AbortSignal.timeout(100)
    const hung = fetch(`${vkApiUrl(fixture.vk.endpoint)}/messages.send`, { method: 'POST', body: form, signal })
    expect(await hung.catch((error) => error.name)).to.equal('TimeoutError')
    expect(fixture.world.accepted).to.have.length(1)
  })

  it('finds the addresses of a fault inside an execute', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'throttle', addresses: ['7'], count: 1 })
    const code = (peer: number) => `return [API.messages.send({peer_ids:"${peer}",random_id:1,message:"а"})];`
    expect((await fixture.call('execute', { code: code(6) })).error).to.equal(undefined)
    expect((await fixture.call('execute', { code: code(7) })).error?.error_code).to.equal(6)
    expect((await fixture.call('execute', { code: code(7) })).error).to.equal(undefined)
  })

  it('refuses a person once, and accepts the same random_id when it comes again', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'refuse-once', addresses: ['2', '3'] })
    const codes = async (random_id: string, peer_ids: string) => {
      const { response } = await fixture.call('messages.send', { ...message, random_id, peer_ids })
      return (response as { error?: { code: number } }[]).map(({ error }) => error?.code)
    }
    expect(await codes('21', '1,2')).to.deep.equal([undefined, 901])
    expect(await codes('22', '2')).to.deep.equal([901])
    expect(await codes('21', '1,2,3')).to.deep.equal([undefined, undefined, 901])
    expect(fixture.world.accepted.map(({ address, key }) => [address, key])).to.deep.equal([
      ['1', '21'],
      ['2', '21'],
    ])
  })

  it('stops twice', async () => {
    await fixture.vk.stop()
    await fixture.vk.stop()
  })
})
