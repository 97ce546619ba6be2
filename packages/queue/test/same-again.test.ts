import type { Acceptance, ProblemDocument } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const now = Date.parse('2030-09-01T11:02:00Z')
const news = { id: 'news', number: 2, name: { ru: 'Новости', en: 'News' }, duplicates: { window: 'PT1H' } }

describe('the same text to the same people', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    fleet.clock.now = () => now
    await fleet.set({ types: [news] })
  })
  afterEach(() => fleet.stop())

  const send = (more: object = {}, as: 'trainer' | 'staff' = 'trainer', headers: Record<string, string> = {}) =>
    fleet.ask<Acceptance & ProblemDocument>(
      'POST /v1/messages',
      { as, headers },
      { to: ['group:own'], text: 'No class today', type: 'news', at: '2030-10-01T00:00:00Z', ...more },
    )
  const statuses = async (...calls: ReturnType<typeof send>[]) => (await Promise.all(calls)).map(({ status }) => status)

  it('is told to its sender, with when and to how many, and sent when they mean it', async () => {
    const { json: first } = await send()
    const { status, json } = await send({ text: ' No  class today ' })
    expect(status).to.equal(409)
    expect(json).to.include({ code: 'same-again', field: 'duplicates', sentAt: '2030-09-01T11:02:00.000Z', people: 3 })
    expect(json.detail).to.include(first.key)
    expect((await send({ duplicates: 'allow' })).status).to.equal(201)
  })

  it('is another one with another text, other people, another sender or another type, or once its window is over', async () => {
    expect(
      await statuses(
        send(),
        send({ text: 'No Class today' }),
        send({ to: ['user:anna', 'user:boris'] }),
        send({}, 'staff'),
        send({ type: 'general' }),
      ),
    ).to.deep.equal([201, 201, 201, 201, 201])
    expect((await send({ type: 'general' })).status).to.equal(201)
    const [key = ''] = await fleet.redis.keys('same:trainer-1:*')
    expect(await fleet.redis.pttl(key)).to.be.within(3_500_000, 3_600_000)
    await fleet.redis.del(key)
    expect((await fleet.redis.keys('same:*')).length).to.equal(3)
  })

  it('is no repeat of a call, and costs nothing where no type wants it', async () => {
    const headers = { 'idempotency-key': 'same-1' }
    const first = await send({}, 'trainer', headers)
    expect((await send({}, 'trainer', headers)).json.key).to.equal(first.json.key)
    const { json } = await fleet.ask<{ key: string }>('POST /v1/history-keys', { as: 'staff' })
    const put = () =>
      fleet.ask(`PUT /v1/histories/${json.key}`, { as: 'staff' }, { to: ['user:anna'], text: 'x', type: 'news' })
    expect([(await put()).status, (await put()).status]).to.deep.equal([201, 200])
    await fleet.set({ types: [] })
    await send({ type: 'general', text: 'other' })
    expect(await fleet.redis.keys('same:*')).to.have.length(2)
  })

  it('is free again when the earlier one was cancelled, or was never accepted', async () => {
    const { json } = await send()
    await fleet.ask(`DELETE /v1/histories/${json.key}`, { as: 'trainer' })
    expect((await send()).status).to.equal(201)
    // a process that died after it had claimed
    const [key = ''] = await fleet.redis.keys(keys.same('trainer-1', '*'))
    await fleet.redis.set(key, `${now} 3 00.trainer-1.aaaaaaaaaaaa`, 'PX', 60_000)
    expect((await send()).json.code).to.equal('in-progress')
    fleet.clock.now = () => now + 6_000
    expect((await send()).status).to.equal(201)
    expect((await send()).json.code).to.equal('same-again')
  })

  it('goes once when several take over what was never accepted', async () => {
    await send()
    const [key = ''] = await fleet.redis.keys(keys.same('trainer-1', '*'))
    await fleet.redis.set(key, `${now - 6_000} 3 00.trainer-1.aaaaaaaaaaaa`, 'PX', 60_000)
    await goesOnce()
  })

  it('goes once when it is sent twice at one moment', () => goesOnce())

  async function goesOnce() {
    const outcomes = await Promise.all([send(), send(), send(), send()])
    const accepted = outcomes.filter(({ status }) => status === 201)
    expect(accepted).to.have.length(1)
    for (const { status, json } of outcomes)
      if (status !== 201) expect(json.code).to.be.oneOf(['same-again', 'in-progress'])
  }
})
