import { type HistoryView, parseHistoryKey, type ReceiptsPage } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

describe('a history and its receipts, read again later', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  const settled = () => fleet.settledBySms('uss')
  const read = (path: string, tag?: string, as: 'trainer' | 'staff' = 'trainer') =>
    fleet.ask(`GET /v1/histories/${path}`, { as, ...(tag ? { headers: { 'if-none-match': tag } } : {}) })
  const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag') as string

  for (const [what, path] of [
    ['a history', ''],
    ['receipts', '/receipts?limit=2'],
  ] as const) {
    it(`${what}: nothing is sent again that has not changed, and all of it once anything has`, async () => {
      const key = await settled()
      const first = await read(key + path)
      const tag = tagOf(first)
      expect(tag).to.match(/^"[\w-]{22}"$/)
      expect(first.headers.get('cache-control')).to.equal('private, no-cache')
      expect(first.headers.get('vary')).to.match(/Authorization, Cookie, On-Behalf-Of/)
      for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await read(key + path, condition)
        expect([again.status, again.json, tagOf(again)], condition).to.deep.equal([304, '', tag])
      }
      expect((await read(key + path, '"other"')).status).to.equal(200)

      // known after it settled, and the counters of nobody else move
      const told = { channel: 'sms', people: ['anna'], outcome: 'delivered' }
      await fleet.ask(`POST /v1/histories/${key}/receipts:resolve`, { as: 'trainer' }, told)
      const changed = await read(key + path, tag)
      expect(changed.status).to.equal(200)
      expect(tagOf(changed)).to.not.equal(tag)
      expect((await read(key + path, tagOf(changed))).status).to.equal(304)
    })
  }

  it('receipts: a name is part of the answer, a page has a tag of its own, and CSV has none', async () => {
    const key = await settled()
    const tag = tagOf(await read(`${key}/receipts`))
    expect(tagOf(await read(`${key}/receipts?limit=1`))).to.not.equal(tag)
    const anna = await fleet.directory.findPerson('anna')
    if (!anna) throw new Error('there is no anna')
    await fleet.directory.putPerson({ ...anna, name: 'Анна Вронская' })
    const renamed = await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts`, {
      as: 'trainer',
      headers: { 'if-none-match': tag },
    })
    expect(renamed.json.receipts[0]?.name).to.equal('Анна Вронская')
    expect((await read(`${key}/receipts?format=csv`)).headers.has('etag')).to.equal(false)
  })

  it('receipts name whoever was removed since, for as long as messages are kept', async () => {
    const key = await settled()
    await fleet.ask('DELETE /v1/people/boris', { as: 'admin' })
    expect((await fleet.ask('GET /v1/people/boris', { as: 'staff' })).status).to.equal(404)
    const { json } = await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts`, { as: 'trainer' })
    expect(json.receipts.map(({ person, name }) => [person, name])[1]).to.deep.equal(['boris', '=HYPERLINK("x")'])
    const days = (await fleet.redis.pttl(keys.formerName('boris'))) / 86_400_000
    expect(days, 'two years ahead, and as long as it is kept then').to.be.within(2 * 366 + 89, 2 * 366 + 90)
    const back = { name: 'Борис', role: 'student' }
    await fleet.ask('PUT /v1/people/boris?returning=true', { as: 'admin' }, back)
    const again = await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts`, { as: 'trainer' })
    expect(again.json.receipts[1]?.name).to.equal('Борис')
  })

  it('whose history it is not is refused, whatever tag is shown', async () => {
    const key = await settled()
    const refused = await read(key, tagOf(await read(key)), 'staff')
    expect(refused.status).to.equal(403)
    expect(refused.headers.get('cache-control')).to.equal('no-store')
  })

  it('who has cancelled a message is known, also when it was not its sender', async () => {
    for (const by of ['trainer', 'operator'] as const) {
      const key = await settled()
      await fleet.redis.hset(keys.history(parseHistoryKey(key)), 'state', 'scheduled')
      await fleet.ask(`DELETE /v1/histories/${key}`, { as: by })
      await fleet.ask(`DELETE /v1/histories/${key}`, { as: 'trainer' })
      const { json } = await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })
      expect(json).to.include({ state: 'cancelled', cancelledBy: `${by}-1` })
    }
  })
})
