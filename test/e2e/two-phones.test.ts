/** Somebody with two phones: the second has a message where the first certainly did not get it, and only there. */
import type { PersonDetails, ReceiptView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'

const person = 'two-phones'
const first = '+79005550311'
const second = '+79005550322'
const third = '+79005550333'

describe('two phones of one person', () => {
  let fleet: Fleet
  let texts: Inbound

  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, vk: 0 } })
    await fleet.api.call('PUT', `/v1/people/${person}`, { name: person, role: 'student', language: 'ru' })
    texts = await startInbound(fleet, 'sms-inbound')
  })
  after(async () => {
    await texts?.stop()
    await fleet?.stop()
  })
  beforeEach(async () => {
    await fleet.api.call('DELETE', `/v1/contacts/sms/${person}`)
    await fleet.api.call('PUT', `/v1/contacts/sms/${person}`, { address: first })
    expect((await add(second)).status).to.equal(204)
    for (const address of [first, second]) await setPhone(address, 'ok')
  })

  const add = (address: string, whose = person, channel = 'sms') =>
    fleet.api.call('POST', `/v1/contacts/${channel}/${whose}`, { address })
  const setPhone = (address: string, state: 'ok' | 'off' | 'blocked') =>
    fleet.sandbox.phones([{ channel: 'sms', address, state }])
  const contact = async () => (await fleet.api.get<PersonDetails>(`/v1/people/${person}`)).contacts.sms
  const send = (text: string, more = {}) => fleet.api.send({ to: [`user:${person}`], channels: ['sms'], text, ...more })
  const receipt = async (key: string) => (await fleet.api.receipts(key))[0]?.channels.sms
  const becomes = (key: string, is: (found: ReceiptView['channels'][string]) => boolean, what: string) =>
    until(async () => {
      const found = await receipt(key)
      return found && is(found) ? found : undefined
    }, what)
  /** to how many of its numbers a text went, each time */
  const sentTo = async (text: string) =>
    (await fleet.sandbox.accepted(undefined, 'sms')).flatMap((row) => (row.text === text ? row.address : []))
  const isBalanced = async (key: string) =>
    expect((await fleet.api.recount(key)).channels.every(({ balanced }) => balanced)).to.equal(true)

  it('has it on the second once, where the first is barred', async () => {
    await setPhone(first, 'blocked')
    const { history } = await fleet.api.deliver({ to: [`user:${person}`], channels: ['sms'], text: 'закрыт' })
    const found = await becomes(history.key, ({ state }) => state === 'delivered', 'it is delivered')
    expect(found).to.deep.include({ contact: '22' })
    expect(found.earlier).to.have.length(1)
    expect(found.earlier?.[0]).to.include({ contact: '11', state: 'failed' })
    expect(await sentTo('закрыт')).to.deep.equal([second])
    expect((await fleet.api.history(history.key)).people).to.include({ delivered: 1, notDelivered: 0 })
    await isBalanced(history.key)
    // the first is known to be barred by now: it is not tried again
    await fleet.api.deliver({ to: [`user:${person}`], channels: ['sms'], text: 'сразу' })
    expect(await sentTo('сразу')).to.deep.equal([second])
  })

  it('has it on the first alone, where that one takes it', async () => {
    const { history } = await fleet.api.deliver({ to: [`user:${person}`], channels: ['sms'], text: 'первый' })
    const found = await becomes(history.key, ({ state }) => state === 'delivered', 'it is delivered')
    expect(found.earlier).to.equal(undefined)
    expect(await sentTo('первый')).to.deep.equal([first])
  })

  it('has nothing on the second while nobody knows of the first, and has it once somebody says that it did not arrive', async () => {
    for (const fault of [{ kind: 'reports', mode: 'none' }, { kind: 'reply-lost' }] as const)
      await fleet.sandbox.fault({ channel: 'sms', addresses: [first], count: 1, ...fault })
    const key = await send('неизвестно')
    await becomes(key, ({ state }) => state === 'unknown', 'nobody knows')
    expect((await fleet.api.track(key)).history.state).to.equal('settled')
    expect(await sentTo('неизвестно')).to.deep.equal([first])
    const { status } = await fleet.api.call('POST', `/v1/histories/${key}/receipts:resolve`, {
      channel: 'sms',
      people: 'all',
      outcome: 'failed',
    })
    expect(status).to.equal(200)
    const found = await becomes(key, ({ state }) => state === 'delivered', 'the second has it')
    expect(found.earlier?.[0]).to.include({ contact: '11', state: 'failed', reason: 'told-failed' })
    expect(await sentTo('неизвестно')).to.deep.equal([first, second])
    await isBalanced(key)
  })

  async function failLate(text: string, more = {}): Promise<string> {
    await setPhone(first, 'off')
    const key = await send(text, more)
    await becomes(key, ({ state }) => state === 'sent', 'the first has taken it')
    expect((await fleet.api.track(key)).history.state).to.equal('settled')
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'failed', addresses: [first], count: 1 })
    await setPhone(first, 'ok')
    return key
  }

  it('has it on the second where the operator says later that the first did not get it', async () => {
    const key = await failLate('потом')
    const found = await becomes(key, ({ state }) => state === 'delivered', 'the second has it')
    expect(found.earlier?.[0]).to.include({ contact: '11', state: 'failed', reason: 'undelivered' })
    expect(await sentTo('потом')).to.deep.equal([first, second])
    expect((await fleet.api.track(key)).history.state).to.equal('settled')
    await isBalanced(key)
  })

  it('costs two SMS then, and no more than the message may', async () => {
    const key = await failLate('дорого', { ceiling: { parts: 1 } })
    const found = await becomes(key, ({ reason }) => reason === 'over-ceiling', 'the second is not paid for')
    expect(found.earlier?.[0]).to.include({ contact: '11', reason: 'undelivered' })
    expect(await sentTo('дорого')).to.deep.equal([first])
    const twice = await failLate('дважды', { ceiling: { parts: 2 } })
    await becomes(twice, ({ state }) => state === 'delivered', 'the second has it')
    expect((await fleet.api.history(twice)).ceiling).to.deep.equal({ parts: 2, spent: 2 })
  })

  it('goes on when the courier is killed, and nobody has it twice', async () => {
    const people = Array.from({ length: 12 }, (_, index) => ({
      id: `both-${index}`,
      phones: [`+79005551${String(index).padStart(2, '0')}1`, `+79005551${String(index).padStart(2, '0')}2`],
    }))
    for (const { id, phones } of people) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name: id, role: 'student' })
      await fleet.api.call('PUT', `/v1/contacts/sms/${id}`, { address: phones[0] })
      await add(phones[1] as string, id)
      await setPhone(phones[0] as string, 'blocked')
    }
    const courier = fleet.names.find((name) => name.includes('sms')) as string
    const key = await fleet.api.send({ to: people.map(({ id }) => `user:${id}`), channels: ['sms'], text: 'убит' })
    await until(async () => (await sentTo('убит')).length > 0, 'the first of the second phones has it')
    await fleet.kill(courier)
    await fleet.start(courier)
    expect((await fleet.api.track(key, 120)).history.state).to.equal('settled')
    const numbers = await sentTo('убит')
    expect(new Set(numbers).size).to.equal(numbers.length)
    for (const { person: id, channels } of await fleet.api.receipts(key)) {
      const own = people.find((each) => each.id === id) as (typeof people)[number]
      const has = numbers.includes(own.phones[1] as string)
      expect(channels.sms?.state, id).to.be.oneOf(has ? ['sent', 'delivered', 'unknown'] : ['unknown'])
    }
    await isBalanced(key)
  })

  it('are both left alone after a STOP from the second, until START', async () => {
    await fleet.sandbox.say('sms', second, 'СТОП')
    await until(async () => (await contact())?.state === 'opted-out', 'the STOP is known')
    expect((await contact())?.others?.[0]).to.include({ address: second, state: 'opted-out' })
    const { history } = await fleet.api.deliver({ to: [`user:${person}`], channels: ['sms'], text: 'тихо' })
    expect(await receipt(history.key)).to.include({ state: 'suppressed', reason: 'opted-out' })
    expect(await sentTo('тихо')).to.deep.equal([])
    await fleet.sandbox.say('sms', first, 'СТАРТ')
    await until(async () => (await contact())?.others?.[0]?.state === 'active', 'START is of both')
  })

  it('may be three, on SMS alone, and go one by one', async () => {
    expect((await add(third)).status).to.equal(204)
    expect((await add(third)).status).to.equal(204)
    const fourth = await add('+79005550344')
    expect([fourth.status, fourth.body.code]).to.deep.equal([409, 'enough-contacts'])
    const other = await add('70009999', person, 'telegram')
    expect([other.status, other.body.code]).to.deep.equal([422, 'one-contact'])
    expect((await contact())?.others?.map(({ address }) => address)).to.deep.equal([second, third])
    await fleet.api.call('DELETE', `/v1/contacts/sms/${person}?address=${encodeURIComponent(first)}`)
    expect(await contact()).to.deep.include({ address: second })
    const owner = await fleet.api.call('GET', `/v1/contacts?channel=sms&address=${encodeURIComponent(third)}`)
    expect(owner.body).to.include({ person })
    expect(
      (await fleet.api.call('GET', `/v1/contacts?channel=sms&address=${encodeURIComponent(first)}`)).status,
    ).to.equal(404)
  })
})
