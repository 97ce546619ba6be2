import { Problem } from '@courier-fleet/api-types'
import { keys, markedTags, tagOf, tagsOfBuckets, tagsOfShards } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { validSecrets } from '../src/change-subscription.ts'
import { listDeliveries, noteDelivery } from '../src/deliveries.ts'
import { checkResourceId, tagsOf } from '../src/subscription.ts'
import {
  createSubscriptions,
  maxSubscriptions,
  type NewSubscription,
  newSubscriptionId,
  type Subscriptions,
} from '../src/subscriptions.ts'

const url = 'https://example.org/hook'
const choir: Omit<NewSubscription, 'id'> = {
  owner: 'dean',
  url,
  resource: 'group',
  resourceId: 'choir',
  sealedSecret: 'sealed-1',
}
const day = 86_400_000

async function refusal(call: Promise<unknown>): Promise<Problem> {
  const outcome = await call.catch((error: unknown) => error)
  if (outcome instanceof Problem) return outcome
  throw new Error(`it was not refused: ${JSON.stringify(outcome)}`)
}

const shards = 16

describe('subscriptions', () => {
  let fresh: FreshRedis
  let subscriptions: Subscriptions
  let nowMs = Date.parse('2026-09-01T00:00:00Z')
  beforeEach(async () => {
    fresh = await freshRedis()
    subscriptions = createSubscriptions({ redis: fresh.redis, shards, clock: { now: () => nowMs } })
  })
  afterEach(() => fresh.stop())

  const create = (input: Omit<NewSubscription, 'id'>) => subscriptions.create({ ...input, id: newSubscriptionId() })

  /** Of all tags, what somebody follows. */
  async function watched(): Promise<string[]> {
    const tags = markedTags(shards)
    const found = await Promise.all(tags.map((tag) => fresh.redis.zrange(keys.watched(tag), '0', '-1')))
    return found.flat()
  }

  it('are made, listed, read and removed, and leave nothing', async () => {
    const made = await create({ ...choir, keyId: 'k1' })
    const { id } = made
    expect(made).to.deep.equal({
      id,
      owner: 'dean',
      keyId: 'k1',
      url,
      resource: 'group',
      resourceId: 'choir',
      createdMs: nowMs,
      replayMs: nowMs,
      secrets: [{ sealed: 'sealed-1' }],
    })
    expect(await subscriptions.get(id)).to.deep.equal(made)
    expect(await subscriptions.list('dean')).to.deep.equal([made])
    expect(await subscriptions.list('somebody')).to.deep.equal([])
    expect(await subscriptions.list()).to.deep.equal([made])
    expect(await watched()).to.deep.equal([`group:choir ${id}`])

    expect(await subscriptions.remove(made)).to.equal(true)
    expect(await subscriptions.remove(made)).to.equal(false)
    expect(await fresh.redis.keys('*')).to.deep.equal([])
  })

  it('are refused only for the same URL, resource and id, whoever asks', async () => {
    const { id } = await create(choir)
    const own = await refusal(create(choir))
    expect([own.status, own.code]).to.deep.equal([409, 'already-subscribed'])
    expect(own.message).to.include(id)
    const another = await refusal(create({ ...choir, owner: 'somebody' }))
    expect(another.code).to.equal('already-subscribed')
    expect(another.message).to.not.include(id)
    for (const other of [{ url: `${url}2` }, { resourceId: 'other' }, { resource: 'cohort' as const }])
      await create({ ...choir, ...other })
    const { resourceId: _, ...all } = choir
    await create(all)
    expect(await subscriptions.list()).to.have.length(5)
  })

  it('are one of two that are asked for at once, and after it was removed it can be made again', async () => {
    const asked = await Promise.allSettled([1, 2, 3].map(() => create(choir)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    const [first] = await subscriptions.list()
    await subscriptions.remove(first as never)
    const again = await create(choir)
    // a removal that comes twice does not free what is another's by now
    expect(await subscriptions.remove(first as never)).to.equal(false)
    expect((await refusal(create(choir))).message).to.include(again.id)
  })

  it(`are ${maxSubscriptions} of an owner at most, also of many asked for at once`, async () => {
    const asked = Array.from({ length: maxSubscriptions + 3 }, (_, at) => create({ ...choir, resourceId: `g-${at}` }))
    const refused = (await Promise.allSettled(asked)).flatMap((each) =>
      each.status === 'rejected' ? [each.reason.code] : [],
    )
    expect(refused).to.deep.equal(Array(3).fill('too-many-subscriptions'))
    await create({ ...choir, owner: 'another', resourceId: 'g-more' })
  })

  it('keep three secrets, the older ones for a day', async () => {
    const { id } = await create(choir)
    const untilMs = nowMs + day
    const rotate = (of: string, sealed: string) => subscriptions.rotate(of, sealed, () => true)
    expect(await rotate(id, 'sealed-2')).to.deep.equal([{ sealed: 'sealed-2' }, { sealed: 'sealed-1', untilMs }])
    nowMs += 1000
    await Promise.all([rotate(id, 'sealed-3'), rotate(id, 'sealed-4')])
    const now = await subscriptions.get(id)
    const [newest, ...older] = validSecrets(now as never, nowMs)
    expect(newest?.untilMs).to.equal(undefined)
    // of two that are made at once none is lost
    expect([newest?.sealed, older[0]?.sealed]).to.have.members(['sealed-3', 'sealed-4'])
    expect(older).to.have.length(2)
    expect(validSecrets(now as never, nowMs + day)).to.deep.equal([newest])
    expect(await rotate('none', 'sealed')).to.equal(undefined)
    expect(await fresh.redis.exists(keys.subscription('none'))).to.equal(0)
  })

  it('drop a secret that does not open when another is made, and no other', async () => {
    const { id } = await create(choir)
    await subscriptions.rotate(id, 'sealed-2', () => true)
    expect(await subscriptions.rotate(id, 'sealed-3', (sealed) => sealed !== 'sealed-1')).to.deep.equal([
      { sealed: 'sealed-3' },
      { sealed: 'sealed-2', untilMs: nowMs + day },
    ])
  })

  it('are disabled once, say why, and go on with a replay', async () => {
    const { id } = await create(choir)
    expect(await subscriptions.disable(id, 'failing', 'it answered 500')).to.equal(true)
    expect(await subscriptions.disable(id, 'owner', 'later')).to.equal(false)
    const { disabled } = (await subscriptions.get(id)) ?? {}
    expect(disabled).to.deep.equal({ sinceMs: nowMs, reason: 'failing', why: 'it answered 500' })
    const lines = (await fresh.redis.xrange(keys.audit, '-', '+')).map(([, fields]) => fields)
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include.members(['subscription.disabled', 'dean', `${id}: it answered 500`])
    expect(await subscriptions.replay(id, nowMs - 2000)).to.equal(true)
    expect(await subscriptions.replay(id, nowMs - 1000)).to.equal(true)
    const going = await subscriptions.get(id)
    expect([going?.disabled, going?.replayMs]).to.deep.equal([undefined, nowMs - 2000])
    // what was asked for while one was done is not done yet
    await subscriptions.replayed(id, nowMs - 1000)
    expect((await subscriptions.get(id))?.replayMs).to.equal(nowMs - 2000)
    await subscriptions.replayed(id, nowMs - 2000)
    expect((await subscriptions.get(id))?.replayMs).to.equal(undefined)
    expect(await subscriptions.replay('none', nowMs)).to.equal(false)
  })

  it('are watched where they change: each shard or bucket for all, one for one', async () => {
    expect(tagsOf({ resource: 'history' }, shards)).to.deep.equal(tagsOfShards(shards))
    expect(tagsOf({ resource: 'history', resourceId: '07.dean.abcdefghijkl' }, shards)).to.deep.equal([tagOf('07')])
    expect(tagsOf({ resource: 'person' }, shards)).to.deep.equal(tagsOfBuckets())
    expect(tagsOf({ resource: 'person', resourceId: 'anna' }, shards)).to.have.length(1)
    const one = await create({ ...choir, resource: 'history', resourceId: '07.dean.abcdefghijkl' })
    const of = await fresh.redis.zrange(keys.watched(tagOf('07')), '0', '-1')
    expect(of, 'as its keys name it').to.deep.equal([`history:dean:abcdefghijkl ${one.id}`])
  })

  it('have their watches mended where a call was cut off between record and watches', async () => {
    const { id } = await create(choir)
    const removed = await create({ ...choir, resource: 'history', resourceId: '07.dean.abcdefghijkl' })
    const [tag] = tagsOf(choir, shards) as [string]
    await fresh.redis.zrem(keys.watched(tag), `group:choir ${id}`)
    await fresh.redis.del(keys.subscription(removed.id))
    await subscriptions.mendWatches()
    expect(await watched()).to.deep.equal([`group:choir ${id}`])
  })

  it('refuse what can be no id of the resource', () => {
    for (const [resource, resourceId] of [
      ['group', 'a:b'],
      ['person', ''],
      ['channel', 'SMS'],
      ['ownership', 'choir'],
      ['ownership', 'user:anna'],
      ['history', 'choir'],
    ] as const)
      expect(() => checkResourceId({ resource, resourceId }), `${resource} ${resourceId}`).to.throw(Problem)
    for (const [resource, resourceId] of [
      ['group', 'a-b_1'],
      ['channel', 'sms'],
      ['ownership', 'cohort:year-1'],
      ['history', '07.dean.abcdefghijkl'],
    ] as const)
      checkResourceId({ resource, resourceId })
  })

  it('have their attempts of a day, the newest first, and no long body whole', async () => {
    const attempt = { id: 'd1', at: '', attempt: 1, delivered: true, status: 204, ms: 3, body: 'x'.repeat(9000) }
    const now = Date.now()
    const made = await create(choir)
    for (const id of ['d1', 'd2']) await noteDelivery(fresh.redis, made.id, { ...attempt, id })
    const found = await listDeliveries(fresh.redis, made.id, now)
    expect(found.map(({ id, body }) => [id, body.length])).to.deep.equal([
      ['d2', 4000],
      ['d1', 4000],
    ])
    expect(await listDeliveries(fresh.redis, made.id, now + 2 * day)).to.deep.equal([])
    await subscriptions.remove(made)
    await noteDelivery(fresh.redis, made.id, { ...attempt, id: 'd3' })
    expect(await fresh.redis.exists(keys.deliveries(made.id)), 'of what was sent when it was removed').to.equal(0)
  })
})
