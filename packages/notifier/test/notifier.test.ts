/** What a subscriber is told, in which order, and what happens when they do not take it. Real sockets, a real Redis. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memberOf, parseHistoryKey, systemSender } from '@courier-fleet/api-types'
import { eraseEverywhere, keys } from '@courier-fleet/store'
import { listDeliveries, secretHolder } from '@courier-fleet/subscriptions'
import { until } from '@courier-fleet/testkit'
import { purge } from '@courier-fleet/timekeeper'
import {
  createBreakers,
  endpointOf,
  openSecret,
  type SealingKey,
  sealingKey,
  sealSecret,
} from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { createWork } from '../src/work.ts'
import { createFixture, type Fixture } from './fixture.ts'
import type { Receiver } from './receiver.ts'

const anna = { id: 'anna', name: 'Anna', role: 'student', timeZone: 'UTC', language: 'en' } as const

describe('a notifier', () => {
  let fixture: Fixture
  let receiver: Receiver
  beforeEach(async () => {
    fixture = await createFixture()
    receiver = await fixture.startReceiver()
    await fixture.directory.putPerson(anna)
  })
  afterEach(async () => {
    const { faults } = receiver
    const wrong = receiver.disorder()
    await fixture.stop()
    expect(faults, 'signatures and ids').to.deep.equal([])
    expect(wrong, 'order').to.deep.equal([])
  })
  const came = (count: number, to = receiver) => until(() => to.changes().length >= count, `${count} changes have come`)
  const rename = (name: string) => fixture.directory.putPerson({ ...anna, name })
  /** Each fails; this one is answered when the test says so: what is done meanwhile comes before the next. Those after it are taken. */
  function failsUntilTold(last: number, how: 500 | 'lost' = 500): () => void {
    let tell = () => {}
    const told = new Promise<void>((resolve) => {
      tell = resolve
    })
    receiver.behave(async () => {
      const count = receiver.requests.length
      if (count === last) await told
      return count <= last ? how : 204
    })
    return tell
  }
  const bodies = (of = receiver) => of.changes().map(({ body }) => body)
  const disabledOf = async (id: string) => (await fixture.subscriptions.get(id))?.disabled

  it('tells a new subscriber the whole, then what has changed of it', async () => {
    await fixture.startNotifier()
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    await rename('Anna B')
    await came(2)
    const [first, second] = bodies()
    const of = { type: 'person.changed', subscription: id, resource: 'person', resource_id: 'anna' }
    expect(first).to.deep.include({ ...of, sequence: 1 })
    expect(first?.diff?.name).to.deep.equal({ '+++': 'Anna', '---': null })
    expect(Object.values(first?.diff ?? {}).map((change) => change['---'])).satisfy((olds: unknown[]) =>
      olds.every((old) => old === null),
    )
    expect(second).to.deep.include({ ...of, sequence: 2, diff: { name: { '+++': 'Anna B', '---': 'Anna' } } })
  })

  it('tells what changed while no notifier ran, and nothing of what is as it was', async () => {
    const first = await fixture.startNotifier()
    await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    await first.stop()
    await rename('Anna B')
    await rename('Anna')
    await rename('Anna C')
    await fixture.startNotifier()
    await came(2)
    expect(bodies()[1]?.diff).to.deep.equal({ name: { '+++': 'Anna C', '---': 'Anna' } })
  })

  it('tells that something is gone, and of what is made anew under its id', async () => {
    await fixture.startNotifier()
    const group = { id: 'choir', name: 'Choir', owners: ['dean'] }
    await fixture.directory.putGroup(group)
    await fixture.subscribe(receiver, 'group', 'choir')
    await came(1)
    await fixture.directory.deleteGroup('choir')
    await came(2)
    expect(receiver.view('choir')).to.deep.equal({})
    expect(Object.values(bodies()[1]?.diff ?? {}).map((change) => change['+++'])).to.deep.equal([
      null,
      null,
      null,
      null,
    ])
    await fixture.directory.putGroup({ ...group, name: 'Choir again' })
    await came(3)
    expect(bodies()[2]).to.deep.include({ sequence: 3 })
    expect(receiver.view('choir')).to.deep.equal({ ...group, name: 'Choir again', size: 0 })
  })

  it('tells of all of a kind: each once whole, then the changes of each', async () => {
    await fixture.directory.putGroup({ id: 'g1', name: 'One', owners: [] })
    await fixture.directory.putGroup({ id: 'g2', name: 'Two', owners: [] })
    await fixture.startNotifier()
    await fixture.subscribe(receiver, 'group')
    await came(2)
    await fixture.directory.putGroup({ id: 'g3', name: 'Three', owners: ['dean'] })
    await fixture.directory.addMembers('g1', ['anna'])
    await came(4)
    const told = Object.fromEntries(['g1', 'g2', 'g3'].map((id) => [id, receiver.view(id)]))
    expect(told).to.deep.equal({
      g1: { id: 'g1', name: 'One', owners: [], size: 1 },
      g2: { id: 'g2', name: 'Two', owners: [], size: 0 },
      g3: { id: 'g3', name: 'Three', owners: ['dean'], size: 0 },
    })
  })

  it('finds what was changed and not marked, as by a process that was killed between the two', async () => {
    await fixture.directory.putGroup({ id: 'g1', name: 'One', owners: [] })
    await fixture.startNotifier()
    await fixture.subscribe(receiver, 'group', 'g1')
    await came(1)
    await fixture.redis.hset(keys.group('g1'), 'name', 'Other')
    await came(2)
    expect(receiver.view('g1').name).to.equal('Other')
  })

  it('needs no hint', async () => {
    await fixture.startNotifier({ subscriber: fixture.deafSubscriber() })
    await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    await rename('Anna B')
    await came(2)
  })

  it('tries again with the same body under the same id, and tells what has changed meanwhile after it', async () => {
    await fixture.startNotifier()
    await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    let left = 2
    receiver.behave(() => {
      left -= 1
      return left >= 0 ? (left === 1 ? 'lost' : 503) : 204
    })
    await rename('B')
    await until(() => receiver.requests.length >= 2, 'it was tried')
    await rename('C')
    await came(3)
    const tries = receiver.requests.slice(1).filter(({ body }) => body.sequence === 2)
    expect(tries).to.have.length(3)
    expect(new Set(tries.map(({ id, text }) => `${id} ${text}`)).size).to.equal(1)
    expect(bodies()[2]?.diff).to.deep.equal({ name: { '+++': 'C', '---': 'B' } })
  })

  it('says what was sent in the last day, try by try, and that it fails meanwhile', async () => {
    await fixture.startNotifier()
    let isWell = false
    receiver.behave(() => (isWell ? 204 : 500))
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    const failing = await until(async () => (await fixture.subscriptions.get(id))?.failing, 'it is said to fail')
    expect(failing.why).to.equal('answered 500')
    isWell = true
    const list = () => listDeliveries(fixture.redis, id, Date.now())
    await until(async () => (await list()).some(({ delivered }) => delivered), 'it is listed as delivered')
    const [last, ...failed] = await list()
    expect(failed).to.have.length.at.least(1)
    for (const [index, each] of failed.toReversed().entries())
      expect(each).to.deep.include({
        ...{ attempt: index + 1, delivered: false, status: 500, sequence: 1, resource_id: 'anna' },
        ...{ id: last?.id, body: last?.body },
      })
    expect(last).to.deep.include({ attempt: failed.length + 1, delivered: true, status: 204 })
    expect((await fixture.subscriptions.get(id))?.failing).to.equal(undefined)
  })

  it('stops when the schedule is at its end, tells the owner once, and goes on after a replay', async () => {
    await fixture.startNotifier({ retryScale: 1e-6 })
    receiver.behave(() => 500)
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    const disabled = await until(() => disabledOf(id), 'it is disabled')
    expect(disabled).to.deep.include({ reason: 'failing', why: 'answered 500' })
    expect(receiver.requests).to.have.length(10)
    const told = await until(async () => (await fixture.messagesOf(systemSender))[0], 'the owner is told')
    expect(told.to).to.deep.equal(['user:root'])
    expect(told.text).to.contain('127.0.0.1').and.contain(id).and.contain('answered 500').and.not.contain('/hook')
    await rename('B')
    receiver.behave(() => 204)
    await fixture.subscriptions.replay(id, 0)
    await until(() => receiver.view('anna').name === 'B', 'all of it has come')
    expect(await fixture.messagesOf(systemSender)).to.have.length(1)
  })

  it('tells the owner of one that is disabled where whoever disabled it was killed before: whoever looks next, once', async () => {
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    await fixture.subscriptions.disable(id, 'failing', 'answered 500')
    await Promise.all([1, 2].map(() => fixture.startNotifier({ subscriber: fixture.deafSubscriber() })))
    const told = await until(async () => (await fixture.messagesOf(systemSender))[0], 'the owner is told')
    expect(told.text).to.contain(id).and.contain('answered 500')
    await until(async () => (await disabledOf(id))?.isTold, 'that is noted')
    expect(await fixture.redis.zcard(keys.subscriptionsDue)).to.equal(0)
    expect(await fixture.messagesOf(systemSender)).to.have.length(1)
    expect(receiver.requests).to.deep.equal([])
  })

  it('takes nothing of whoever has nothing due: one look a second is for all', async () => {
    await fixture.startNotifier()
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    const isTaken = () => fixture.redis.exists(keys.subscriptionLease(id))
    const isDue = () => fixture.redis.zcard(keys.subscriptionsDue)
    // the mark of when anna was made may be read only now
    await until(async () => !(await isTaken()) && !(await isDue()), 'nobody renews its lease, and nothing is due')
    await rename('Anna B')
    await came(2)
    await until(() => fixture.counted.length >= 2, 'both are counted')
    expect(fixture.counted).to.deep.equal(new Array(2).fill('subscription_deliveries delivered'))
  })

  it('calls an endpoint that is dead seldom, however much has changed of what it follows, and all of it once it is well', async () => {
    const groups = Array.from({ length: 60 }, (_unused, i) => `g${i}`)
    for (const id of groups) await fixture.directory.putGroup({ id, name: id, owners: [] })
    const at: number[] = []
    receiver.behave(() => {
      at.push(performance.now())
      return at.length <= 5 ? 500 : 204
    })
    await Promise.all([1, 2].map(() => fixture.startNotifier({ retryScale: 0.1 })))
    await fixture.subscribe(receiver, 'group')
    await until(() => groups.every((id) => receiver.view(id).name === id), 'all of it has come')
    // left alone for 3 s after five failures in a row
    expect((at[5] as number) - (at[4] as number)).to.be.above(2_500)
    expect(fixture.counted.filter((line) => line.endsWith('failed'))).to.have.length(5)
  })

  it('leaves an endpoint alone for no longer where the clock of Redis is ahead of its own', async () => {
    const behindMs = 240_000
    // after five failures its endpoint is left alone for some milliseconds
    await fixture.startNotifier({ retryScale: 1e-4, clock: { now: () => Date.now() - behindMs } })
    receiver.behave(() => (receiver.requests.length <= 5 ? 500 : 204))
    await fixture.subscribe(receiver, 'person', 'anna')
    await until(() => fixture.counted.includes('subscription_deliveries delivered'), 'it is taken')
    expect(receiver.requests).to.have.length(6)
  })

  it('leaves the probe to what is to be sent, when what was to probe has nothing new', async () => {
    const { redis, subscriptions } = fixture
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    const first = await fixture.startNotifier()
    await came(1)
    const isTold = async () => (await redis.zcard(keys.subscriptionDue(id))) === 0
    await until(isTold, 'anna is told')
    await first.stop()
    // its endpoint has failed, and may be asked again by now
    const [breakers, endpoint] = [createBreakers(redis), endpointOf('subscriber:root', receiver.url)]
    const breaker = keys.breaker('http', endpoint)
    await redis.hset(breaker, { step: 1, until: Date.now() - 1 })
    await subscriptions.setFailing(id, { sinceMs: Date.now(), nextMs: Date.now(), why: 'answered 500' })
    await createWork(redis, 'another').note(id, ['anna'], 'at-once')
    await fixture.startNotifier()
    await until(isTold, 'anna is found as she was told')
    await until(async () => (await redis.hget(breaker, 'probe')) === null, 'nobody is to probe')
    expect((await breakers.ask(endpoint)).kind, 'nothing was called').to.equal('probe')
    await breakers.giveBack(endpoint)
    await rename('Anna B')
    await came(2)
    await until(() => breakers.seemsClosed(endpoint), 'its answer is noted')
    expect(await breakers.ask(endpoint)).to.deep.equal({ kind: 'go' })
  })

  it('gives up who has done nothing but fail for as long as the schedule, though none of it was tried so often', async () => {
    let tries = 0
    const dead = createServer((incoming, response) => {
      incoming.resume()
      tries += 1
      response.writeHead(500).end()
    })
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(dead.address() as AddressInfo).port}/`
    try {
      let aheadMs = 0
      await fixture.startNotifier({ clock: { now: () => Date.now() + aheadMs } })
      const { id } = await fixture.subscribe({ url }, 'person', 'anna')
      await until(async () => (await fixture.subscriptions.get(id))?.failing, 'it fails')
      aheadMs = 4 * 86_400_000
      expect(await until(() => disabledOf(id), 'it is disabled')).to.deep.include({ reason: 'failing' })
      expect(tries).to.be.below(10)
    } finally {
      dead.closeAllConnections()
      await new Promise((resolve) => dead.close(resolve))
    }
  })

  it('stops at once when the endpoint says that it is gone', async () => {
    await fixture.startNotifier()
    receiver.behave(() => 410)
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    expect(await until(() => disabledOf(id), 'it is disabled')).to.deep.include({ reason: 'gone' })
    expect(receiver.requests).to.have.length(1)
  })

  it('stops when its owner or key may have none any more, before anything is told', async () => {
    await fixture.startNotifier()
    const { id } = await fixture.subscribe(receiver, 'person', 'anna', 'dean')
    await came(1)
    const dean = { id: 'dean', name: 'dean', role: 'student', timeZone: 'UTC', language: 'ru' } as const
    await fixture.directory.putPerson(dean)
    await rename('B')
    expect(await until(() => disabledOf(id), 'it is disabled')).to.deep.include({ reason: 'owner' })
    expect(receiver.requests).to.have.length(1)
  })

  it('sends nothing again that its owner may not be told any more, though it was on its way', async () => {
    await fixture.startNotifier({ retryScale: 0.01 })
    const tried = 2
    const answer = failsUntilTold(tried)
    const { id } = await fixture.subscribe(receiver, 'person', 'anna', 'dean')
    await until(() => receiver.requests.length === tried, 'it was tried twice')
    const dean = { id: 'dean', name: 'dean', role: 'student', timeZone: 'UTC', language: 'ru' } as const
    await fixture.directory.putPerson(dean)
    answer()
    expect(await until(() => disabledOf(id), 'it is disabled')).to.deep.include({ reason: 'owner' })
    expect(receiver.requests).to.have.length(tried)
  })

  it('tells who may read it no more that it is gone, after what they were told, in the place of what was on its way', async () => {
    await fixture.startNotifier({ retryScale: 0.01 })
    const { id } = await fixture.subscribe(receiver, 'person', 'anna', 'dean')
    await came(1)
    const tried = 3
    const answer = failsUntilTold(tried)
    await rename('Anna whom trainers are not told of')
    await until(() => receiver.requests.length === tried, 'it was tried twice')
    const dean = { id: 'dean', name: 'dean', role: 'trainer', timeZone: 'UTC', language: 'ru' } as const
    await fixture.directory.putPerson(dean)
    answer()
    const last = await until(() => receiver.requests[tried]?.body, 'something is told')
    expect(last).to.deep.include({ sequence: 3 })
    expect(last?.diff?.name).to.deep.equal({ '+++': null, '---': 'Anna' })
    await until(async () => !(await fixture.subscriptions.get(id))?.failing, 'it is well')
    expect(receiver.requests).to.have.length(tried + 1)
  })

  it('sends no address again to who is no operator any more, though they may read the person still', async () => {
    const dean = { id: 'dean', name: 'dean', timeZone: 'UTC', language: 'ru' } as const
    await fixture.directory.putPerson({ ...dean, role: 'operator' })
    await fixture.startNotifier({ retryScale: 0.01 })
    const { id } = await fixture.subscribe(receiver, 'person', 'anna', 'dean')
    await came(1)
    const tried = 3
    const answer = failsUntilTold(tried)
    await fixture.directory.linkContact('telegram', 'anna', '7001')
    await until(() => receiver.requests.length === tried, 'it was tried twice')
    expect(receiver.view('anna')).to.have.nested.property('contacts.telegram.address', '7001')
    await fixture.directory.putPerson({ ...dean, role: 'staff' })
    answer()
    const last = await until(() => receiver.requests[tried]?.body, 'something is told')
    expect(last).to.deep.include({ sequence: 3 })
    expect(last?.diff?.contacts?.['+++']).to.deep.equal({ telegram: { state: 'active' } })
    expect(receiver.view('anna').contacts).to.deep.equal({ telegram: { state: 'active' } })
    await until(async () => !(await fixture.subscriptions.get(id))?.failing, 'it is well')
    expect(receiver.requests.map(({ text }) => text.includes('7001'))).to.deep.equal([false, true, true, false])
  })

  it('sends the same again to who may read as much as when it was made', async () => {
    const dean = { id: 'dean', name: 'dean', timeZone: 'UTC', language: 'ru' } as const
    await fixture.startNotifier({ retryScale: 0.01 })
    await fixture.subscribe(receiver, 'person', 'anna', 'dean')
    await came(1)
    const tried = 3
    const answer = failsUntilTold(tried)
    await rename('Anna B')
    await until(() => receiver.requests.length === tried, 'it was tried twice')
    await fixture.directory.putPerson({ ...dean, role: 'operator' })
    answer()
    await until(() => receiver.requests.length === tried + 1, 'it was tried again')
    expect(new Set(receiver.requests.slice(1).map(({ text }) => text)).size).to.equal(1)
  })

  it('tells that something is gone also where it is not known whether the first was taken that was told of it', async () => {
    await fixture.startNotifier({ retryScale: 0.05 })
    const tried = 2
    const answer = failsUntilTold(tried, 'lost')
    await fixture.subscribe(receiver, 'person', 'anna')
    await until(() => receiver.requests.length === tried, 'it was tried again')
    expect(receiver.view('anna')).to.include({ name: 'Anna' })
    await fixture.directory.deletePerson('anna')
    answer()
    const last = await until(() => receiver.requests[tried]?.body, 'something is told')
    expect(receiver.view('anna')).to.deep.equal({})
    expect(last?.diff?.name, 'what it was is not said: they may never have known').to.deep.equal({
      '+++': null,
      '---': null,
    })
  })

  it('tells that a field is gone also where it is not known whether it was taken that there is one', async () => {
    await fixture.startNotifier({ retryScale: 0.05 })
    await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    expect(receiver.view('anna')).to.not.have.property('fields')
    receiver.behave(() => 'lost')
    await fixture.directory.putPerson({ ...anna, fields: { room: '7' } })
    await came(2)
    expect(receiver.view('anna')).to.deep.include({ fields: { room: '7' } })
    await fixture.directory.deletePerson('anna')
    receiver.behave(() => 204)
    await came(3)
    expect(receiver.view('anna')).to.deep.equal({})
  })

  it('tells a field that is again as it was told, where they may have taken another value of it in what is not sent any more', async () => {
    const { directory } = fixture
    let hasTaken = false
    /** Once it was taken: gone at the one look, and at the next there again as it was told. */
    const getPerson: typeof directory.getPerson = async (id) => {
      if (!hasTaken || id !== 'anna') return directory.getPerson(id)
      hasTaken = false
      await directory.putPerson({ ...anna, role: 'trainer' })
      return undefined
    }
    await fixture.startNotifier({ retryScale: 0.05, directory: { ...directory, getPerson } })
    await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    receiver.behave(() => {
      hasTaken = true
      receiver.behave(() => 204)
      return 'lost'
    })
    await rename('Anna B')
    await came(3)
    expect(receiver.view('anna')).to.deep.include({ name: 'Anna', role: 'trainer' })
    const last = bodies()[2]
    expect(last).to.deep.include({ sequence: 3 })
    expect(last?.diff?.name).to.deep.equal({ '+++': 'Anna', '---': 'Anna' })
  })

  it('goes on with the sequence where somebody was erased of whom it was told, delivered or on its way', async () => {
    const group = { id: 'choir', name: 'Choir', owners: ['dean', 'anna'] }
    await fixture.directory.putGroup(group)
    const first = await fixture.startNotifier()
    const { id } = await fixture.subscribe(receiver, 'group', 'choir')
    const isNoted = () =>
      until(async () => !(await fixture.redis.exists(keys.subscriptionSending(id))), 'that is noted')
    await came(1)
    await isNoted()
    const erase = () => {
      const whose = { person: 'anna', name: 'Anna', addresses: [], by: 'root' }
      return eraseEverywhere(fixture.redis, whose, async () => {}, true)
    }
    await first.stop()
    expect(await erase()).to.be.above(0)
    const second = await fixture.startNotifier()
    await came(2)
    await isNoted()
    expect(bodies()[1]).to.deep.include({ sequence: 2, diff: { owners: { '+++': ['dean'], '---': null } } })
    receiver.behave(() => 503)
    await fixture.directory.putGroup({ ...group, name: 'Choir of Anna', owners: ['dean'] })
    await came(3)
    await second.stop()
    expect(await erase()).to.be.above(0)
    receiver.behave(() => 204)
    await fixture.directory.putGroup({ ...group, name: 'Choir', owners: [] })
    await fixture.startNotifier()
    await came(4)
    const last = bodies()[3]
    expect(last).to.deep.include({ sequence: 4 })
    expect(last?.diff).to.deep.include({ owners: { '+++': [], '---': ['dean'] } })
    expect(last?.diff, 'it may have come with another name').to.deep.include({
      name: { '+++': 'Choir', '---': 'Choir' },
    })
    expect(receiver.view('choir')).to.deep.equal({ id: 'choir', name: 'Choir', owners: [], size: 0 })
  })

  it('begins what it told nothing of above whatever an erasure has made forgotten; not messages, for no key is given twice', async () => {
    const work = createWork(fixture.redis, 'own')
    const told = (sequence: number) => ({ sequence, atMs: 1, view: { name: 'x' } })
    const [people, messages] = [
      await fixture.subscribe(receiver, 'person'),
      await fixture.subscribe(receiver, 'history'),
    ]
    for (const { id } of [people, messages]) await work.take(id, 1, [])
    await work.keep(people.id, 'anna', { told: told(7) })
    await work.keep(people.id, 'boris', { told: told(3) })
    const sending = { sequence: 9, id: 'one', createdMs: 1, body: '{}', after: null, tries: 1 }
    await work.keep(people.id, 'carl', { told: told(8), sending })
    await work.keep(messages.id, '0.anna.1', { told: told(5) })
    const sequenceAfter = async (person: string, { id } = people) => {
      await eraseEverywhere(fixture.redis, { person, name: '', addresses: [], by: 'root' }, async () => {}, true)
      expect(await work.toldOf(id, [person, '0.anna.1'])).to.deep.equal([undefined, undefined])
      await work.note(id, ['new'], 'at-once')
      return (await work.take(id, 10, []))?.taken.map(({ resource, sequence }) => [resource, sequence])
    }
    expect(await sequenceAfter('anna')).to.deep.equal([['new', 7]])
    expect(await sequenceAfter('anna', messages)).to.deep.equal([['new', 0]])
    expect(await sequenceAfter('carl'), 'it may have come').to.deep.equal([['new', 9]])
    expect(await sequenceAfter('boris'), 'it only rises').to.deep.equal([['new', 9]])
  })

  it('replays: the whole again, under the next sequence', async () => {
    await fixture.startNotifier()
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    await fixture.subscriptions.replay(id, 0)
    await came(2)
    expect(bodies()[1]?.sequence).to.equal(2)
    expect(bodies()[1]?.diff).to.deep.equal(bodies()[0]?.diff)
    await fixture.subscriptions.replay(id, Date.now() + 60_000)
    await rename('B')
    await came(3)
    expect(bodies()[2]?.diff).to.deep.equal({ name: { '+++': 'B', '---': 'Anna' } })
  })

  it('goes on with the sequence of a message that its reader may read again, and keeps nothing of one that is purged', async () => {
    const { redis, histories } = fixture
    const asRole = (role: 'staff' | 'operator') =>
      fixture.directory.putPerson({ id: 'dean', name: 'dean', role, timeZone: 'UTC', language: 'en' })
    await asRole('operator')
    await fixture.startNotifier()
    const { id } = await fixture.subscribe(receiver, 'history', undefined, 'dean')
    const [lost, kept] = [await fixture.put({ text: 'Hello' }), await fixture.put({ text: 'Hello' })]
    await came(2)
    await asRole('staff')
    const move = (key: string, ms: number) => histories.reschedule(parseHistoryKey(key), Date.now() + ms)
    const told = async (key: string) => (await createWork(redis, 'reader').toldOf(id, [key]))[0]
    for (const key of [lost, kept]) {
      await move(key, 3_700_000)
      await until(() => receiver.of(key).length === 2, 'it is told that there is none')
      expect(receiver.view(key)).to.deep.equal({})
      await until(async () => (await redis.hlen(keys.subscriptionSending(id))) === 0, 'that is noted')
      expect(await told(key)).to.include({ sequence: 2, view: null })
    }
    async function isPurged(key: string): Promise<void> {
      const ref = parseHistoryKey(key)
      await redis.zadd(keys.retention(ref.shard), 1, memberOf(ref))
      await purge(redis, ref.shard, 0, 10)
      await until(async () => (await told(key)) === undefined, 'nothing is kept of it')
      expect(receiver.view(key)).to.deep.equal({})
    }
    await isPurged(lost)
    await asRole('operator')
    await move(kept, 3_800_000)
    await came(5)
    expect(bodies()[4]).to.deep.include({ resource_id: kept, sequence: 3 })
    expect(receiver.view(kept)).to.include({ text: 'Hello' })
    await isPurged(kept)
    expect(receiver.requests).to.have.length(6)
  })

  it('tells only the ids of what is over 32 KB, and the next change by what it is then', async () => {
    await fixture.startNotifier()
    const owners = Array.from({ length: 600 }, (_unused, i) => `${'o'.repeat(58)}-${String(i).padStart(4, '0')}`)
    await fixture.directory.putGroup({ id: 'g1', name: 'One', owners })
    await fixture.subscribe(receiver, 'group', 'g1')
    await came(1)
    expect(bodies()[0]).to.deep.include({ diff: null, resource_id: 'g1', sequence: 1 })
    await fixture.directory.putGroup({ id: 'g1', name: 'Two', owners })
    await came(2)
    expect(bodies()[1]?.diff).to.deep.equal({ name: { '+++': 'Two', '---': 'One' } })
  })

  it('replays what is gone, too: null in every field that there may have been, each time', async () => {
    await fixture.startNotifier()
    const group = { id: 'choir', name: 'Choir', owners: ['dean'] }
    await fixture.directory.putGroup(group)
    const { id } = await fixture.subscribe(receiver, 'group')
    await came(1)
    await fixture.directory.deleteGroup('choir')
    await came(2)
    for (const sequence of [3, 4]) {
      await fixture.subscriptions.replay(id, 0)
      await came(sequence)
      const gone = { '+++': null, '---': null }
      expect(bodies()[sequence - 1]).to.deep.include({
        ...{ resource_id: 'choir', sequence },
        diff: { id: gone, name: gone, owners: gone, size: gone },
      })
    }
    await fixture.directory.putGroup(group)
    await came(5)
    expect(receiver.view('choir')).to.deep.equal({ ...group, size: 0 })
    expect(bodies()[4]?.diff?.name, 'what it was is told no more than once').to.deep.equal({
      '+++': 'Choir',
      '---': null,
    })
    await fixture.directory.putGroup({ ...group, name: 'Other' })
    await came(6)
    expect(bodies()[5]?.diff).to.deep.equal({ name: { '+++': 'Other', '---': 'Choir' } })
  })

  describe('where its lease lapses in the midst of a replay', () => {
    /** @returns Redis, and what has the lease lapse once, between reading what lies at a key and writing it anew */
    function lapsing() {
      const { redis } = fixture
      let trap: { readonly at: string; readonly lease: string } | undefined
      const hscanBuffer = async (...args: Parameters<typeof redis.hscanBuffer>) => {
        const found = await redis.hscanBuffer(...args)
        if (trap && args[0] === trap.at) {
          const { lease } = trap
          trap = undefined
          await redis.del(lease)
        }
        return found
      }
      return {
        redis: Object.assign(Object.create(redis) as typeof redis, { hscanBuffer }),
        lapseAt: (at: string, id: string) => {
          trap = { at, lease: keys.subscriptionLease(id) }
        },
        hasLapsed: () => trap === undefined,
      }
    }

    it('does it again: all of it is sent whole', async () => {
      const { redis, lapseAt, hasLapsed } = lapsing()
      await fixture.startNotifier({ redis })
      const { id } = await fixture.subscribe(receiver, 'person', 'anna')
      await came(1)
      const isIdle = async () => (await fixture.redis.zcard(keys.subscriptionsDue)) === 0
      await until(isIdle, 'it is told')
      lapseAt(keys.subscriptionViews(id), id)
      await fixture.subscriptions.replay(id, 0)
      await until(async () => hasLapsed() && (await isIdle()), 'the replay is done')
      expect(bodies()[1]).to.deep.include({ sequence: 2, diff: bodies()[0]?.diff })
    })

    it('does it again: what waits for its next try is tried', async () => {
      const { redis, lapseAt, hasLapsed } = lapsing()
      // an hour at least until the next try
      await fixture.startNotifier({ redis, retryScale: 1_000 })
      receiver.behave(() => 500)
      const { id } = await fixture.subscribe(receiver, 'person', 'anna')
      await until(async () => (await fixture.subscriptions.get(id))?.failing, 'it fails')
      receiver.behave(() => 204)
      lapseAt(keys.subscriptionSending(id), id)
      await fixture.subscriptions.replay(id, 0)
      const isAsked = async () => (await fixture.subscriptions.get(id))?.replayMs !== undefined
      await until(async () => hasLapsed() && !(await isAsked()), 'the replay is done')
      await until(() => receiver.requests.length > 1, 'it is tried')
    })
  })

  it('is not held up for one subscriber by another that is silent', async () => {
    const silent = await fixture.startReceiver()
    silent.behave(() => 'silent')
    await fixture.startNotifier()
    await fixture.subscribe(silent, 'person')
    await fixture.subscribe(receiver, 'person')
    await came(3)
    for (const name of ['B', 'C', 'D', 'E']) {
      await rename(name)
      await until(() => receiver.view('anna').name === name, `${name} is told`)
    }
    expect(silent.disorder()).to.deep.equal([])
  })

  it('never has two of a resource on their way, however many notifiers run', async () => {
    await Promise.all([1, 2, 3].map(() => fixture.startNotifier()))
    let open = 0
    let most = 0
    const slow = createServer((incoming, response) => {
      incoming.resume()
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        response.writeHead(204).end()
      }, 30)
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
    try {
      const { id } = await fixture.subscribe({ url }, 'person', 'anna')
      for (let i = 0; i < 40; i += 1) await rename(`Name ${i}`)
      await until(async () => (await fixture.redis.zcard(keys.subscriptionDue(id))) === 0, 'all is told')
      expect(most).to.equal(1)
    } finally {
      slow.closeAllConnections()
      await new Promise((resolve) => slow.close(resolve))
    }
  })

  it('calls no address of a private network, and says so', async () => {
    await fixture.startNotifier({ env: { HTTP_ALLOW_NETS: '10.99.0.0/16' } })
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    const failing = await until(async () => (await fixture.subscriptions.get(id))?.failing, 'it is refused')
    expect(failing.why).to.match(/URL/)
    expect(receiver.requests).to.deep.equal([])
  })

  it('sends nothing where its secret is of another FLEET_SECRET, says so, and goes on when it is made anew', async () => {
    const sealing = sealingKey({ FLEET_SECRET: 'another secret of tests that is long enough' }) as SealingKey
    await fixture.startNotifier({ sealing })
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    const failing = await until(async () => (await fixture.subscriptions.get(id))?.failing, 'it fails')
    expect(failing.why).to.equal('its secret cannot be read with this FLEET_SECRET: make it anew')
    expect(receiver.requests).to.deep.equal([])
    const opens = (sealed: string) => openSecret(sealing, sealed, secretHolder(id)) !== undefined
    await fixture.subscriptions.rotate(id, sealSecret(sealing, fixture.secret, secretHolder(id)), opens)
    await came(1)
    expect(receiver.view('anna')).to.include({ name: 'Anna' })
  })

  it('tells no secret of what people are sent, nor of the subscription', async () => {
    await fixture.startNotifier()
    const { id } = await fixture.subscribe(receiver, 'history')
    const key = await fixture.put({ text: 'Your code: ••••••••', secret: '12345678' })
    await until(() => receiver.of(key).length > 0, 'the message is told')
    expect(receiver.view(key).text).to.equal('Your code: ••••••••')
    const kept = [
      ...receiver.requests.map(({ text }) => text),
      ...(await listDeliveries(fixture.redis, id, Date.now())).map((line) => JSON.stringify(line)),
    ].join('\n')
    expect(kept).not.to.contain('12345678').and.not.to.contain(fixture.secret).and.not.to.contain('sealed')
  })

  it('leaves nothing when a subscription is removed', async () => {
    await fixture.startNotifier()
    const subscription = await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    await fixture.subscriptions.remove(subscription)
    await rename('B')
    expect(await fixture.redis.keys('*subscription*')).to.deep.equal([])
    expect(await fixture.redis.keys('dirty:*')).to.have.length.at.most(1)
    expect(receiver.changes()).to.have.length(1)
  })
})
