/** What waits until people are online, by the commands, against couriers that work. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('the commands of fleet, of who is to be online first', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  let presence: NodeJS.ProcessEnv
  beforeEach(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
    await fleet.fixture.directory.linkContact('telegram', 'clara', '1003')
    const { apiKey } = await fleet.service.apiKeys.create({ owner: 'portal', role: 'presence', label: 'portal' })
    presence = { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: apiKey }
  })
  afterEach(() => fleet.stop())

  const run = (...args: string[]) => fleet.run(fleetCommand, args)
  const asPortal = (...args: string[]) => fleet.run(fleetCommand, args, presence)
  const toAll = ['--to', 'group:own', '--channels', 'telegram', '--text', 'You left your card', '--when-online']
  const sent = async (count = 3) => {
    const { out } = await run('send', ...toAll, '--wait', '0')
    const [, key = ''] = /Accepted (\S+) for 3 people/.exec(out) ?? []
    await until(async () => (await fleet.client.history(key)).waiting?.[0]?.people === count, 'they wait')
    return { key, out }
  }
  const has = (key: string, count: number) =>
    until(async () => {
      const { people } = await fleet.client.history(key)
      return (people?.sentToChat ?? 0) + (people?.notDelivered ?? 0) === count
    }, `${count} have it`)

  it('say so at once, and who waits until when, and send to whoever is there', async () => {
    const plan = 'It goes out to 3 people, to each when they are online.'
    expect((await run('rehearse', ...toAll)).out).to.include(plan)
    const { key, out } = await sent()
    expect(out).to.include(plan)
    const { expires, at, whenOnline } = await fleet.client.history(key)
    expect(whenOnline).to.equal(true)
    expect(Date.parse(expires ?? '') - Date.parse(at ?? '')).to.be.closeTo(7 * 86_400_000, 60_000)
    expect((await run('status', key)).out).to.include(`3 people wait until they are online; it expires ${expires}.`)
    const noted = await asPortal('online', 'anna,nobody')
    expect([noted.code, noted.out]).to.deep.equal([
      0,
      'Noted of 1 person; see: fleet status\nNobody of this id is known: nobody',
    ])
    const ofNobody = await asPortal('online', 'nobody,none')
    expect([ofNobody.code, ofNobody.out]).to.deep.equal([1, 'Nobody of these ids is known: nobody, none'])
    await has(key, 1)
    expect((await run('status', key)).out).to.include('2 people wait until they are online')
    await asPortal('online', 'boris,clara')
    const { settled, history } = await fleet.client.track(key, 20)
    expect([settled, history.people?.sentToChat, history.people?.why]).to.deep.equal([true, 2, { blocked: 1 }])
  })

  it('send to those who wait all the same, or cancel it for them, as their sender says', async () => {
    const one = await sent()
    await asPortal('online', 'anna')
    await has(one.key, 1)
    const now = await run('send-now', one.key)
    expect([now.code, now.out]).to.match(/^0,On its way to 2 people/)
    expect((await fleet.client.track(one.key, 20)).settled).to.equal(true)
    // boris has blocked us: that is known by now
    const other = await sent(2)
    expect((await run('cancel-waiting', other.key)).out).to.match(/^Cancelled for 2 people/)
    expect((await fleet.client.track(other.key, 20)).history.people?.why).to.deep.equal({ cancelled: 2, blocked: 1 })
  })

  it('send to who is not online yet, where their sender may not send to who is in quiet hours', async () => {
    const wall = (hours: number) => new Date(Date.now() + (hours + 3) * 3_600_000).toISOString().slice(11, 16)
    const quiet = { from: wall(-1), to: wall(2) }
    const { key } = await sent()
    await fleet.fixture.directory.changeWishes('anna', (before) => ({ ...before, quiet }))
    await asPortal('online', 'anna')
    const causes = async () =>
      ((await fleet.client.history(key)).waiting ?? []).map(({ cause, people }) => `${cause} ${people}`).sort()
    await until(async () => (await causes()).join() === 'online 2,quiet 1', 'one is online, and in quiet hours')
    expect((await run('send-now', key)).out).to.match(/^On its way to 2 people/)
    await has(key, 2)
    expect(await causes()).to.deep.equal(['quiet 1'])
    const refused = await run('send-now', key)
    expect([refused.code, refused.err]).to.match(/^2,.*only staff may/)
  })

  it('a key that says who is online can do nothing else, and nobody below an operator says so', async () => {
    const refused = await run('online', 'anna')
    expect([refused.code, refused.err]).to.match(/^2,.*this needs the role presence; you have the role trainer/)
    for (const args of [['people'], ['send', '--to', 'user:anna', '--text', 'x'], ['keys'], ['status', 'x']])
      expect((await asPortal(...args)).code, args.join(' ')).to.equal(2)
  })
})
