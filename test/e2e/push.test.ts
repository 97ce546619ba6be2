import { madeUpKeys, pushAddressOf } from '@courier-fleet/channels'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

const people = ['d-01', 'd-02', 'd-03']
const to = people.map((id) => `user:${id}`)
const channels = ['push']

describe('notifications in browsers', () => {
  let fleet: Fleet
  let service: string

  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, vk: 0, sms: 0, push: 2 }, env: { LEASE_MS: '60000' } })
    const { host, port } = (await fleet.sandbox.endpoints()).push
    service = `http://${host}:${port}/push`
    for (const id of people) await subscribe(id)
  })
  after(() => fleet.stop())
  afterEach(() => fleet.sandbox.clearFaults())

  /** a browser of this person */
  const browserOf = (id: string, which = 1) => ({ endpoint: `${service}/${id}-${which}`, keys: madeUpKeys })
  const addressOf = (id: string, which = 1) => pushAddressOf(browserOf(id, which))

  async function subscribe(id: string, which = 1): Promise<void> {
    const own = await fleet.apiOf(id, 'staff')
    const { status } = await own.call('PUT', '/v1/push-subscription', browserOf(id, which))
    expect(status).to.equal(204)
  }

  const arrived = async (text: string) =>
    (await fleet.sandbox.accepted(text, 'push')).map(({ address }) => address).sort()
  const contactOf = async (id: string) =>
    (await fleet.api.get<{ contacts: Record<string, { state: string }> }>(`/v1/people/${id}`)).contacts.push

  it('bring a message to everyone once, and say no more than that the push service has taken it', async () => {
    const text = 'Совещание в 15:00\n"Повестка" 🎓'
    const { history, ending } = await fleet.api.deliver({ to, text, channels })
    expect(ending).to.equal('handed-over')
    expect(history.channels.push).to.include({ accepted: 3, sent: 3 })
    expect(history.people).to.include({ sentToChat: 3, handedOver: 0 })
    expect(await arrived(text)).to.deep.equal(people.map((id) => addressOf(id)))
    expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
  })

  it('end where the browser has forbidden them, until its person turns them on again, in the latest browser alone', async () => {
    await fleet.sandbox.phones([{ channel: 'push', address: addressOf('d-01'), state: 'blocked' }])
    const { history } = await fleet.api.deliver({ to, text: 'запрещено', channels })
    expect(history.channels.push).to.include({ sent: 2, failed: 1 })
    const [row] = await fleet.api.receipts(history.key)
    expect(row?.channels.push).to.include({ state: 'failed', reason: 'deactivated', detail: '410' })
    expect((await contactOf('d-01'))?.state).to.equal('deactivated')

    await subscribe('d-01', 2)
    await fleet.api.deliver({ to, text: 'снова', channels })
    expect(await arrived('снова')).to.deep.equal([addressOf('d-01', 2), addressOf('d-02'), addressOf('d-03')])
  })

  it('are unknown where the answer was lost, and never come again, whoever is killed', async () => {
    const text = 'без ответа'
    await fleet.sandbox.fault({ channel: 'push', kind: 'reply-lost', addresses: [addressOf('d-02')], count: 1 })
    const { history } = await fleet.api.deliver({ to, text, channels })
    expect(history.channels.push).to.include({ sent: 2, unknown: 1 })
    await fleet.kill('courier-push-1')
    await fleet.kill('courier-push-2')
    await fleet.start('courier-push-1', 'courier-push-2')
    await fleet.sandbox.fault({
      channel: 'push',
      kind: 'throttle',
      seconds: 1,
      addresses: [addressOf('d-03')],
      count: 1,
    })
    const next = await fleet.api.deliver({ to, text: 'и дальше', channels })
    expect(next.history.channels.push, 'the one who was throttled has it later').to.include({ sent: 3 })
    expect(await arrived(text)).to.have.length(3)
  })
})
