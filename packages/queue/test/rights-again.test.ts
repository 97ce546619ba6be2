/** Rights are looked at again when a message falls due, and while a stream of events goes on. */
import type { AuditLine, HistoriesPage, HistoryView, Role, TrackerReport } from '@courier-fleet/api-types'
import { memberOf, parseHistoryKey, shardNames } from '@courier-fleet/api-types'
import { hints, keys, useChannel } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { wakeShard } from '../../couriers/src/engine/claims/waker.ts'
import { startUniversity, type University, type Who } from './university.ts'

const teacher: Who = { as: 'trainer' }
const operator: Who = { as: 'operator' }
const admin: Who = { as: 'admin' }
const shards = 16

describe('a deferred message whose sender may not send it any more', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    await useChannel(fleet.redis, shards, 'vk')
  })
  afterEach(() => fleet.stop())

  const soon = (ms = 400) => new Date(Date.now() + ms).toISOString()
  const send = async (who: Who = teacher, more: object = {}) => {
    const body = { to: ['group:own'], text: 'Hello', at: soon(), ...more }
    const { status, json } = await fleet.ask<{ key: string }>('POST /v1/messages', who, body)
    expect(status, JSON.stringify(json)).to.equal(201)
    return json.key
  }
  const history = async (key: string) => (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, operator)).json
  const isAlone = async (key: string) => {
    const [, listeners] = (await fleet.redis.pubsub('SHARDNUMSUB', hints.change(parseHistoryKey(key)))) as unknown[]
    return Number(listeners) === 0
  }
  /** Nothing is woken but here, by what a courier does each second: rights are taken before a message falls due, however long that takes. */
  const wokenUntil = (is: (seen: HistoryView) => boolean, what: string) => (key: string, who: Who) =>
    until(async () => {
      for (const shard of shardNames(shards)) await wakeShard(fleet.redis, shard, 50)
      return is((await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, who)).json)
    }, what)
  const heldFor = wokenUntil(({ heldSince }) => heldSince !== undefined, 'it is held')
  const runsFor = wokenUntil(({ state }) => state === 'running', 'it runs')
  const untilHeld = (key: string) => heldFor(key, operator)
  const runs = (key: string) => runsFor(key, operator)
  const remove = () => fleet.ask('DELETE /v1/people/trainer-1', admin)
  const demote = (role = 'student') =>
    fleet.ask('PUT /v1/people/trainer-1', admin, { name: 'Teacher', role, timeZone: 'UTC', language: 'en' })

  const topicBy = (who: Who, senders: readonly string[]) =>
    fleet.ask('PUT /v1/topics/choir', who, { name: { ru: 'Хор', en: 'Choir' }, senders, open: true })
  const topic = (senders: readonly string[]) => topicBy(operator, senders)
  /** of trainer-1, staff-1 and operator-1 in order, each to the topic; and one of trainer-1 to somebody else */
  async function toTopic(senders: readonly string[]) {
    await topic(senders)
    await fleet.ask('PUT /v1/topics/choir/members/anna', operator)
    const keys: string[] = []
    const at = soon()
    for (const as of ['trainer', 'staff', 'operator'] as const) {
      const body = { to: ['topic:choir'], text: as, at }
      const { json, status } = await fleet.ask<{ key: string }>('POST /v1/messages', { as }, body)
      keys.push(status === 201 ? json.key : await send(teacher, { at, text: `instead of ${as}` }))
    }
    return [...keys, await send(teacher, { at })] as [string, string, string, string]
  }

  it('waits when it is to a topic whose sender was taken off its list, or a role was; all else goes out', async () => {
    const [ofTrainer, ofStaff, ofOperator, toGroup] = await toTopic(['trainer-1', 'staff'])
    await topic(['operator'])
    for (const key of [ofTrainer, ofStaff]) await untilHeld(key)
    for (const key of [ofOperator, toGroup]) await runs(key)
  })

  it('waits when the topic it is to was removed', async () => {
    const [ofTrainer, ofStaff, ofOperator, toGroup] = await toTopic(['trainer'])
    await fleet.ask('DELETE /v1/topics/choir', operator)
    for (const key of [ofTrainer, ofStaff, ofOperator]) await untilHeld(key)
    await runs(toGroup)
  })

  it('goes out when its sender may write to the topic again before it is due', async () => {
    const [ofTrainer, ofStaff] = await toTopic(['trainer-1', 'staff'])
    await topic([])
    await topic(['trainer-1'])
    await untilHeld(ofStaff)
    await runs(ofTrainer)
  })

  it('waits when it is to a topic of those of a higher role than its sender has now, who may else write to as many', async () => {
    const [, , ofOperator] = await toTopic(['operator'])
    const toGroup = await send(operator)
    const person = { name: 'Operator', role: 'staff', timeZone: 'UTC', language: 'en' }
    await fleet.ask('PUT /v1/people/operator-1', admin, person)
    await heldFor(ofOperator, admin)
    await runsFor(toGroup, admin)
  })

  const give = (id: string, role: string) =>
    fleet.ask(`PUT /v1/people/${id}`, admin, { name: id, role, timeZone: 'UTC', language: 'en' })

  it('waits when its sender was a trainer meanwhile, and may write to everybody again but not to the topic', async () => {
    const [, , ofOperator] = await toTopic(['operator'])
    const toGroup = await send(operator)
    for (const role of ['trainer', 'staff']) await give('operator-1', role)
    await heldFor(ofOperator, admin)
    await runsFor(toGroup, admin)
  })

  it('waits when the topic is for others by when its sender, a student meanwhile, has their role again', async () => {
    const [, , ofOperator] = await toTopic(['operator'])
    await give('operator-1', 'student')
    await topicBy(admin, [])
    await give('operator-1', 'operator')
    await heldFor(ofOperator, admin)
  })

  it('goes out when its sender has the role again that the topic is for, and nothing is remembered of it', async () => {
    const [, , ofOperator] = await toTopic(['operator'])
    for (const role of ['staff', 'operator']) await give('operator-1', role)
    await runsFor(ofOperator, admin)
    for (const shard of shardNames(shards)) expect(await fleet.redis.exists(keys.barred(shard))).to.equal(0)
  })

  it('goes out, and holds nothing up, where half a character stands in what programs are told of it', async () => {
    await toTopic(['trainer'])
    await fleet.ask('DELETE /v1/topics/choir', operator)
    const data = { title: 'cut \ud83d', 'half \udc00': ['\\ud83d', '\\\ud83d'] }
    await runs(await send(teacher, { data }))
  })

  it('waits when the group was lost that it was for by the message it goes out about again', async () => {
    const first = await send()
    await runs(first)
    const again = await send(teacher, { to: [`unconfirmed:${first}`] })
    expect((await history(again)).to).to.deep.equal(['group:own', `unconfirmed:${first}`])
    await fleet.ask('PUT /v1/groups/own', admin, { name: 'Own group', owners: ['trainer-2'] })
    await untilHeld(again)
  })

  it('waits when the sender was removed, and says so in history, tracker, events and list', async () => {
    const key = await send()
    await remove()
    const seen = new AbortController()
    const events = await fetch(`${urlOf(fleet)}/v1/histories/${key}/events`, {
      headers: { authorization: `Bearer ${fleet.keyOf.operator}` },
      signal: seen.signal,
    })
    await untilHeld(key)
    const { state, heldSince, channels } = await history(key)
    expect([state, channels]).to.deep.equal(['scheduled', {}])
    expect(heldSince).to.match(/^20\S+Z$/)
    const report = await fleet.ask<TrackerReport>(`POST /v1/histories/${key}/tracker`, operator, { timeout: 0 })
    expect(report.json.sentence).to.match(
      /^It waits for an operator: its sender may not send it any more\. It was due 20\S+Z; nothing has been sent to 3 people\.$/,
    )
    const reader = (events.body as ReadableStream<Uint8Array>).getReader()
    for (let told = ''; !told.includes('"heldSince"'); )
      told += Buffer.from((await reader.read()).value ?? []).toString()
    seen.abort()
    await until(() => isAlone(key), 'nobody listens any more')
    const { json } = await fleet.ask<HistoriesPage>('GET /v1/histories?sender=*', operator)
    expect(json.histories.map((each) => [each.key, each.heldSince])).to.deep.equal([[key, heldSince]])
    const ref = parseHistoryKey(key)
    expect(await fleet.redis.zrange(keys.held(ref.shard), '0', '-1')).to.deep.equal([memberOf(ref)])
  })

  for (const [what, lessen] of [
    ['demoted', () => demote()],
    [
      'demoted by an import',
      () =>
        fleet.ask(
          'POST /v1/imports',
          { ...admin, headers: { 'content-type': 'text/csv' } },
          'id,name,role\ntrainer-1,T,student\n',
        ),
    ],
  ] as const) {
    it(`waits when the sender was ${what}, and goes out when an operator releases it`, async () => {
      const key = await send()
      expect((await lessen()).status).to.equal(200)
      await untilHeld(key)
      expect((await fleet.ask(`POST /v1/histories/${key}/release`, { as: 'staff' })).status).to.equal(403)
      const released = await fleet.ask<HistoryView>(`POST /v1/histories/${key}/release`, operator)
      expect([released.status, released.json.heldSince]).to.deep.equal([200, undefined])
      await runs(key)
      const { lines } = (await fleet.ask<{ lines: AuditLine[] }>('GET /v1/audit?limit=1', operator)).json
      expect(lines[0]).to.include({ action: 'message.released', by: 'operator-1', person: 'trainer-1', history: key })
      expect(lines[0]?.before).to.match(/^held since /)
      expect(await fleet.redis.zcard(keys.held(key.slice(0, 2)))).to.equal(0)
    })
  }

  it('waits when the API key of a sender who is nobody in the directory was revoked', async () => {
    const { id, apiKey } = await fleet.apiKeys.create({ owner: 'timetable', role: 'staff', label: 'system' })
    const other = await fleet.apiKeys.create({ owner: 'timetable', role: 'staff', label: 'second' })
    const first = await send({ apiKey })
    expect((await fleet.ask(`DELETE /v1/api-keys/${other.id}`, admin)).status).to.equal(204)
    await runs(first)
    const second = await send({ apiKey })
    expect((await fleet.ask(`DELETE /v1/api-keys/${id}`, admin)).status).to.equal(204)
    await untilHeld(second)
  })

  it('goes out when the API key of a person was revoked, who may write to as many without it', async () => {
    const { id, apiKey } = await fleet.apiKeys.create({ owner: 'trainer-1', role: 'trainer', label: 'laptop' })
    const key = await send({ apiKey })
    expect((await fleet.ask(`DELETE /v1/api-keys/${id}`, admin)).status).to.equal(204)
    expect((await fleet.ask('GET /v1/histories', { apiKey })).status).to.equal(401)
    await runs(key)
  })

  const makeKey = (role: Role) =>
    fleet.ask<{ apiKey: string; id: string }>('POST /v1/api-keys', admin, { owner: 'timetable', role, label: role })

  it('waits for nobody when the system that has sent it is given an API key of a lower role besides', async () => {
    await topic(['operator'])
    await fleet.ask('PUT /v1/topics/choir/members/anna', operator)
    const keys: string[] = []
    for (const role of ['staff', 'operator'] as const) {
      const { apiKey } = (await makeKey(role)).json
      keys.push(await send({ apiKey }, { to: [role === 'staff' ? 'group:own' : 'topic:choir'] }))
    }
    expect((await makeKey('trainer')).status).to.equal(201)
    for (const key of keys) await runs(key)
  })

  it('waits when the API key for a topic was revoked, and the one in its place is not for it', async () => {
    await topic(['operator'])
    await fleet.ask('PUT /v1/topics/choir/members/anna', operator)
    const { apiKey, id } = (await makeKey('operator')).json
    const key = await send({ apiKey }, { to: ['topic:choir'] })
    await fleet.ask(`DELETE /v1/api-keys/${id}`, admin)
    await makeKey('staff')
    await untilHeld(key)
  })

  it('can be cancelled while it waits, and expires when nobody decides', async () => {
    const expires = soon(3_600_000)
    const [cancelled, expired] = [await send(), await send(teacher, { expires })]
    await remove()
    await Promise.all([untilHeld(cancelled), untilHeld(expired)])
    const { json } = await fleet.ask(`DELETE /v1/histories/${cancelled}`, operator)
    expect(json.outcome).to.equal('cancelled')
    const ref = parseHistoryKey(expired)
    const wave = `${memberOf(ref)}:0`
    expect(await fleet.redis.zscore(keys.due(ref.shard), wave)).to.equal(String(Date.parse(expires)))
    // as if that time had come
    const over = Date.now()
    await fleet.redis.hset(keys.history(ref), 'expires', over)
    await fleet.redis.zadd(keys.due(ref.shard), over, wave)
    await runs(expired)
    const [hash, work] = await Promise.all([
      fleet.redis.hgetall(keys.history(ref)),
      fleet.redis.xlen(keys.work(ref.shard, 'vk', 'normal')),
    ])
    expect(Number(hash.started)).to.be.at.least(Number(hash.expires))
    expect(work, 'the couriers say that it has expired').to.equal(1)
    for (const shard of shardNames(shards)) expect(await fleet.redis.zcard(keys.held(shard))).to.equal(0)
  })

  it('what is sent with the rights that are left goes out, and all of it once they are back', async () => {
    const before = await send({ as: 'staff' }, { to: ['role:student'] })
    const put = (role: string) =>
      fleet.ask('PUT /v1/people/staff-1', admin, { name: 'S', role, timeZone: 'UTC', language: 'en' })
    await fleet.directory.putGroup({ id: 'other', name: 'Another', owners: ['staff-1'] })
    await put('trainer')
    await untilHeld(before)
    // as if it were some seconds later
    for (const shard of shardNames(shards)) {
      const [, power] = ((await fleet.redis.hget(keys.barred(shard), 'staff-1')) ?? '').split(' ')
      await fleet.redis.hset(keys.barred(shard), 'staff-1', `${Date.now() - 1} ${power}`)
    }
    await runs(await send({ as: 'staff' }, { to: ['group:other'] }))
    await put('staff')
    for (const shard of shardNames(shards)) expect(await fleet.redis.exists(keys.barred(shard))).to.equal(0)
    expect((await history(before)).heldSince, 'that is for an operator to decide').not.to.equal(undefined)
  })

  const putGroup = (owners: readonly string[]) => fleet.ask('PUT /v1/groups/own', admin, { name: 'Own group', owners })
  const toAnna = { to: ['user:anna'] }

  for (const [what, lose] of [
    ['is not theirs any more', () => putGroup(['trainer-2'])],
    ['was removed', () => fleet.ask('DELETE /v1/groups/own', admin)],
  ] as const) {
    it(`waits when the group it is for ${what}, as what is for one of its people; the rest goes out`, async () => {
      await fleet.directory.putGroup({ id: 'second', name: 'Second', owners: ['trainer-1', 'trainer-2'] })
      await fleet.directory.addMembers('second', ['clara'])
      const [own, named, other, ofStaff] = [
        await send(),
        await send(teacher, toAnna),
        await send(teacher, { to: ['group:second'] }),
        await send({ as: 'staff' }),
      ]
      expect((await lose()).status).to.be.oneOf([200, 204])
      await Promise.all([untilHeld(own), untilHeld(named), runs(other), runs(ofStaff)])
      const released = await fleet.ask(`POST /v1/histories/${own}/release`, operator)
      expect(released.status).to.equal(200)
      await runs(own)
    })
  }

  it('is listed among those that wait for an operator, with the name of its sender, page by page', async () => {
    const held = async (query: string, who: Who = operator) =>
      (await fleet.ask<HistoriesPage>(`GET /v1/histories?state=held${query}`, who)).json
    const keys = [await send(), await send(), await send({ as: 'staff' })]
    await demote()
    for (const key of keys.slice(0, 2)) await untilHeld(key)
    const { histories } = await held('&sender=*')
    expect(histories.map(({ key, senderName }) => [key, senderName])).to.have.deep.members([
      [keys[0], 'Teacher'],
      [keys[1], 'Teacher'],
    ])
    const paged: string[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page = await held(`&sender=trainer-1&limit=1${next && `&before=${next}`}`)
      paged.push(...page.histories.map(({ key }) => key))
      next = page.next
    }
    expect(paged).to.have.members(keys.slice(0, 2))
    expect((await held('&sender=staff-1')).histories).to.deep.equal([])
    expect((await fleet.ask('GET /v1/histories?state=held&sender=*', { as: 'staff' })).status).to.equal(403)
    await fleet.ask(`POST /v1/histories/${keys[0]}/release`, operator)
    expect((await held('&sender=*')).histories.map(({ key }) => key)).to.deep.equal([keys[1]])
  })

  it('waits when the cohort it is for is not theirs any more', async () => {
    const put = (owners: readonly string[]) =>
      fleet.ask('PUT /v1/cohorts/mine', admin, { name: 'Mine', owners, groups: ['own'] })
    await put(['trainer-1'])
    const [mine, group] = [await send(teacher, { to: ['cohort:mine'] }), await send()]
    await put([])
    await Promise.all([untilHeld(mine), runs(group)])
  })

  it('goes out when a group that was lost is theirs again before it is due, and nothing is remembered of it', async () => {
    const key = await send()
    await putGroup([])
    await putGroup(['trainer-1'])
    await runs(key)
    for (const shard of shardNames(shards))
      expect(await fleet.redis.hgetall(keys.barred(shard))).to.have.all.keys('trainer-1', 'trainer-1 user:*')
  })

  it('waits when the one person it is for was taken out of the only group of theirs', async () => {
    await fleet.directory.putGroup({ id: 'second', name: 'Second', owners: ['trainer-1'] })
    await fleet.directory.addMembers('second', ['boris'])
    const [anna, boris] = [await send(teacher, toAnna), await send(teacher, { to: ['user:boris'] })]
    for (const person of ['anna', 'boris'])
      expect((await fleet.ask(`DELETE /v1/groups/own/members/${person}`, admin)).status).to.equal(204)
    await Promise.all([untilHeld(anna), runs(boris)])
  })

  it('does not wait when the role of the sender lets them write to everybody', async () => {
    await fleet.ask('PUT /v1/people/trainer-1', admin, { name: 'T', role: 'staff', timeZone: 'UTC', language: 'en' })
    const browser = await fleet.signIn('trainer-1')
    const key = await send({ browser })
    await putGroup([])
    await runs(key)
  })

  it('whoever is promoted, or demoted without losing anybody to write to, keeps what is scheduled', async () => {
    const key = await send({ as: 'admin' })
    await fleet.ask('PUT /v1/people/admin-1', admin, { name: 'A', role: 'staff', timeZone: 'UTC', language: 'en' })
    await runs(key)
  })
})

const urlOf = ({ app }: University) => {
  const address = app.server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
}

describe('a stream of events, or the answer of a tracker', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  async function endsAfter(headers: Record<string, string>, sender: 'trainer' | 'staff', act: () => Promise<unknown>) {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const body = { to: ['group:own'], text: 'Hello', at }
    const { json } = await fleet.ask<{ key: string }>('POST /v1/messages', { as: sender }, body)
    const events = await fetch(`${urlOf(fleet)}/v1/histories/${json.key}/events`, { headers })
    expect(events.status).to.equal(200)
    const reader = (events.body as ReadableStream<Uint8Array>).getReader()
    expect((await reader.read()).done).to.equal(false)
    await act()
    while (!(await reader.read()).done);
  }

  it('ends when the API key is revoked', async () => {
    const { id, apiKey } = await fleet.apiKeys.create({ owner: 'trainer-1', role: 'trainer', label: 'x' })
    await endsAfter({ authorization: `Bearer ${apiKey}` }, 'trainer', () =>
      fleet.ask(`DELETE /v1/api-keys/${id}`, admin),
    )
  })

  it('ends when an operator who watches the message of another is one no more', async () => {
    const { cookie } = await fleet.signIn('operator-1')
    const body = { name: 'O', role: 'staff', timeZone: 'UTC', language: 'en' }
    await endsAfter({ cookie }, 'trainer', () => fleet.ask('PUT /v1/people/operator-1', admin, body))
  })

  it('is not waited for by somebody who may not see the message any more: their tracker is refused', async () => {
    const { cookie, csrfToken } = await fleet.signIn('operator-1')
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const body = { to: ['group:own'], text: 'Hello', at }
    const { json } = await fleet.ask<{ key: string }>('POST /v1/messages', { as: 'trainer' }, body)
    const wait = (who: Who) => fleet.ask(`POST /v1/histories/${json.key}/tracker`, who, { timeout: 60 })
    const { id, apiKey } = await fleet.apiKeys.create({ owner: 'trainer-1', role: 'trainer', label: 'x' })
    const waiting = [wait({ browser: { cookie, csrfToken } }), wait({ apiKey })]
    await until(async () => {
      const [, listeners] = (await fleet.redis.pubsub(
        'SHARDNUMSUB',
        hints.change(parseHistoryKey(json.key)),
      )) as unknown[]
      return Number(listeners) > 0
    }, 'they wait')
    await fleet.ask('PUT /v1/people/operator-1', admin, { name: 'O', role: 'staff', timeZone: 'UTC', language: 'en' })
    await fleet.ask(`DELETE /v1/api-keys/${id}`, admin)
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status, json }) => [status, json.code])).to.deep.equal([
      [403, 'not-your-history'],
      [401, 'bad-api-key'],
    ])
  })
})
