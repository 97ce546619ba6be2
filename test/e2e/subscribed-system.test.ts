/** A system subscribes over the API, and is told what changes: by a whole fleet, to a receiver that verifies each signature and applies each diff. */
import type { DeliveryList, HistoryView, SubscriptionCreated, SubscriptionView } from '@courier-fleet/api-types'
import { viewFrom } from '@courier-fleet/subscriptions'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startReceiver } from '../../packages/notifier/test/receiver.ts'
import type { Api } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

describe('subscriptions of a whole fleet', () => {
  let fleet: Fleet
  const receivers: Receiver[] = []
  before(async () => {
    fleet = await startFleet({ notifiers: 1, env: { HTTP_RETRY_SCALE: '0.01' } })
    await fleet.api.call('PUT', '/v1/groups/choir', { name: 'Choir', owners: ['t-01'] })
  })
  after(async () => {
    await Promise.all(receivers.map((each) => each.stop()))
    await fleet.stop()
  })
  afterEach(() => {
    for (const { faults, disorder } of receivers) expect([faults, disorder()]).to.deep.equal([[], []])
  })

  /** A system of its own, which is told of this. */
  async function subscribe(body: Record<string, unknown>, by: Api = fleet.api) {
    // it may be called before it has been told its secret
    let know: (secret: string) => void = () => {}
    const secret = new Promise<string>((resolve) => {
      know = resolve
    })
    const receiver = await startReceiver(() => secret)
    receivers.push(receiver)
    const answer = await by.call<SubscriptionCreated>('POST', '/v1/subscriptions', { url: receiver.url, ...body })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    know(answer.body.secret)
    return { ...receiver, id: answer.body.id }
  }

  /** That all diffs, applied in order, are what the API shows. */
  async function isTold(receiver: Pick<Receiver, 'view'>, resource: string, path: string, by: Api = fleet.api) {
    const now = async () => viewFrom(await by.get<object>(path))
    await until(
      async () => JSON.stringify(sorted(receiver.view(resource))) === JSON.stringify(sorted(await now())),
      `${resource} is told`,
    ).catch(async () => expect(receiver.view(resource)).to.deep.equal(await now()))
  }

  it('are told of a group, a person and a cohort, as the API shows them', async () => {
    const group = await subscribe({ resource: 'group', resource_id: 'choir' })
    const owners = await subscribe({ resource: 'ownership', resource_id: 'group:choir' })
    const person = await subscribe({ resource: 'person', resource_id: 's-ivt-101-01' })
    await isTold(group, 'choir', '/v1/groups/choir')
    await isTold(person, 's-ivt-101-01', '/v1/people/s-ivt-101-01')
    expect(group.changes()[0]?.body.diff?.name).to.deep.equal({ '+++': 'Choir', '---': null })

    await fleet.api.call('PUT', '/v1/groups/choir', { name: 'The choir', owners: ['t-01', 't-02'] })
    await fleet.api.call('POST', '/v1/groups/choir/members', { people: ['s-ivt-101-01'] })
    await isTold(group, 'choir', '/v1/groups/choir')
    await isTold(person, 's-ivt-101-01', '/v1/people/s-ivt-101-01')
    await until(() => (owners.view('group:choir').owners as string[])?.length === 2, 'the owners are told')
    expect(person.view('s-ivt-101-01').groups).to.include('choir')

    await fleet.api.call('DELETE', '/v1/groups/choir')
    await until(() => Object.keys(group.view('choir')).length === 0, 'that it is gone is told')
    await fleet.api.call('PUT', '/v1/groups/choir', { name: 'Choir', owners: ['t-01'] })
    await isTold(group, 'choir', '/v1/groups/choir')
  })

  it('are told of a message while it runs, to two of whom one is dead, whoever is killed meanwhile', async () => {
    const teacher = await fleet.apiOf('t-01', 'trainer')
    const alive = await subscribe({ resource: 'history' }, teacher)
    const dead = await subscribe({ resource: 'history' }, teacher)
    dead.behave(() => 503)
    const message = { to: ['group:ivt-101'], text: 'To a subscriber, too', channels: ['sms'] }
    const { key } = (await teacher.call<{ key: string }>('POST', '/v1/messages', message)).body
    await until(() => alive.of(key).length > 0, 'the first is told')
    await fleet.kill('notifier-1', 'SIGKILL')
    await fleet.start('notifier-1')
    const history = async () => teacher.get<HistoryView>(`/v1/histories/${key}`)
    await until(async () => (await history()).state === 'settled', 'it has settled')
    await isTold(alive, key, `/v1/histories/${key}`, teacher)
    const isFailing = async () => {
      const view = await teacher.get<SubscriptionView>(`/v1/subscriptions/${dead.id}`)
      return view.state === 'failing' && view.failing?.why === 'answered 503'
    }
    await until(isFailing, 'the dead one is shown as failing')
    dead.behave(() => 204)
    await isTold(dead, key, `/v1/histories/${key}`, teacher)
    await until(
      async () => (await teacher.get<SubscriptionView>(`/v1/subscriptions/${dead.id}`)).state === 'active',
      'it is active again',
    )
    const { deliveries } = await teacher.get<DeliveryList>(`/v1/subscriptions/${dead.id}/deliveries`)
    expect(new Set(deliveries.map(({ status }) => status))).to.deep.equal(new Set([204, 503]))
    // what others send is not theirs to know
    await fleet.api.call('POST', '/v1/messages', { ...message, text: 'Of somebody else' })
    const { key: last } = (await teacher.call<{ key: string }>('POST', '/v1/messages', { ...message, text: 'Last' }))
      .body
    await until(() => alive.of(last).length > 0, 'what came after it is told')
    expect(new Set(alive.changes().map(({ body }) => body.resource_id))).to.deep.equal(new Set([key, last]))
  })

  it('are told of channels and types', async () => {
    const channel = await subscribe({ resource: 'channel', resource_id: 'vk' })
    const type = await subscribe({ resource: 'type' })
    await until(() => channel.view('vk').ready === true, 'it is ready')
    await fleet.api.call('PUT', '/v1/channels/vk/pause', {})
    await until(() => channel.view('vk').paused !== undefined, 'that it is paused is told')
    await fleet.api.call('DELETE', '/v1/channels/vk/pause')
    await until(() => channel.view('vk').paused === undefined, 'that it goes on is told')
    await fleet.api.call('PUT', '/v1/types/news', { name: { ru: 'Новости', en: 'News' }, level: 2 })
    await isTold(type, 'news', '/v1/types/news')
  })

  it('are replayed whole, under the next sequence', async () => {
    const group = await subscribe({ resource: 'group', resource_id: 'choir' })
    await isTold(group, 'choir', '/v1/groups/choir')
    const before = group.changes().length
    const since = new Date(Date.now() - 60_000).toISOString()
    expect((await fleet.api.call('POST', `/v1/subscriptions/${group.id}:replay`, { since })).status).to.equal(202)
    await until(() => group.changes().length === before + 1, 'it is sent again')
    expect(group.changes().at(-1)?.body.diff?.name).to.deep.equal({ '+++': 'Choir', '---': null })
  })

  it('end with the API key they were made with, and are told nothing after it', async () => {
    const office = await fleet.apiOf('office-lms', 'staff')
    const group = await subscribe({ resource: 'group', resource_id: 'choir' }, office)
    await until(() => group.changes().length > 0, 'the first is told')
    const { apiKeys } = await fleet.api.get<{ apiKeys: { id: string; owner: string }[] }>('/v1/api-keys')
    for (const { id } of apiKeys.filter(({ owner }) => owner === 'office-lms'))
      await fleet.api.call('DELETE', `/v1/api-keys/${id}`)
    await fleet.api.call('PUT', '/v1/groups/choir', { name: 'Not for them', owners: ['t-01'] })
    const view = () => fleet.api.get<SubscriptionView>(`/v1/subscriptions/${group.id}`)
    await until(async () => (await view()).disabled?.reason === 'owner', 'it is disabled')
    expect(JSON.stringify(group.changes())).to.not.include('Not for them')
  })
})

/** Its fields in one order, those inside, too. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([name, each]) => [name, sorted(each)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}
