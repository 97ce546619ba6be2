/** Lists of messages by state and by words, over all that a sender has; and their counts. */
import type { HistoriesPage, HistoryCounts } from '@courier-fleet/api-types'
import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

describe('lists of messages', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.stop())

  const list = async (query: string, as: 'trainer' | 'operator' = 'trainer') =>
    (await service.call<HistoriesPage>(`/v1/histories?${query}`, { as })).json
  const textsOf = async (query: string, as?: 'operator') => (await list(query, as)).histories.map(({ text }) => text)
  const counts = async (query = '', as: 'trainer' | 'operator' = 'trainer') =>
    (await service.call<HistoryCounts>(`/v1/history-counts?${query}`, { as })).json
  const become = (key: string, fields: Record<string, string | number>) =>
    service.redis.hset(keys.history(parseHistoryKey(key)), fields)
  const cancel = (key: string) => service.call(`/v1/histories/${key}`, { method: 'DELETE', as: 'trainer' })

  it('are of one state, and there are as many as the counts say', async () => {
    for (const text of ['one', 'two', 'three']) await service.send({ text })
    await become(await service.send({ text: 'at it' }), { state: 'running' })
    await become(await service.send({ text: 'done' }), { state: 'settled' })
    await cancel(await service.send({ text: 'not any more' }))
    const held = await service.send({ text: 'asks' })
    await become(held, { held: Date.now() })
    await service.redis.zadd(
      keys.held(parseHistoryKey(held).shard),
      Date.now(),
      held.replace(/^\w+\./, '').replace('.', ':'),
    )

    expect(await counts()).to.deep.equal({ scheduled: 3, held: 1, running: 1, settled: 1, cancelled: 1 })
    expect(await textsOf('state=scheduled')).to.deep.equal(['three', 'two', 'one'])
    expect(await textsOf('state=running')).to.deep.equal(['at it'])
    expect(await textsOf('state=settled')).to.deep.equal(['done'])
    expect(await textsOf('state=held')).to.deep.equal(['asks'])
    expect(await textsOf('state=cancelled')).to.deep.equal([undefined])
    expect((await service.call('/v1/histories?state=issued', { as: 'trainer' })).status).to.equal(400)
  })

  it('are searched by words in texts, groups, people and, of all senders, who sent it', async () => {
    await service.send({ text: 'Ещё раз: экзамен в 101', to: ['user:anna'] })
    await service.send({ text: 'Hello', to: ['group:own'] })
    await service.send({ text: 'Another hello', to: ['group:own', 'user:clara'] })
    expect(await textsOf('search=еще%20ЭКЗАМЕН')).to.deep.equal(['Ещё раз: экзамен в 101'])
    expect(await textsOf('search=own%20group')).to.deep.equal(['Another hello', 'Hello'])
    expect(await textsOf('search=каренина')).to.deep.equal(['Ещё раз: экзамен в 101'])
    expect(await textsOf('search=hello%20third')).to.deep.equal(['Another hello'])
    expect(await textsOf('search=hello&limit=1')).to.deep.equal(['Another hello'])
    expect(await list('search=nowhere')).to.deep.equal({ histories: [] })
    expect(await counts('search=hello')).to.include({ scheduled: 2, settled: 0 })
    expect(await textsOf('search=trainer-1')).to.deep.equal([])
    expect(await textsOf('search=trainer-1&sender=*', 'operator')).to.have.length(3)
  })

  it('say how far a search has looked, go on from there, and find what is older than that', async () => {
    const oldest = await service.send({ text: 'a needle' })
    const line = (index: number) => `${JSON.stringify({ to: ['group:own'], text: `hay ${index}`, at: far })}\n`
    const headers = { 'content-type': 'application/x-ndjson' }
    // a page takes what was accepted in one millisecond whole, and a request may be: so none is of many
    for (let from = 0; from < 6500; from += 100) {
      const body = Array.from({ length: 100 }, (_, index) => line(from + index)).join('')
      const answer = await service.call('/v1/messages:bulk', { method: 'POST', as: 'trainer', body, headers })
      expect(answer.status).to.equal(200)
    }

    const first = await list('search=needle')
    expect(first.histories).to.deep.equal([])
    expect(Number(first.next)).to.equal(Date.parse(first.searchedSince ?? ''))
    let last = first
    for (let calls = 0; last.next !== undefined; calls += 1) {
      expect([calls < 10, last.histories]).to.deep.equal([true, []])
      last = await list(`search=needle&before=${last.next}`)
    }
    expect(last.histories.map(({ key }) => key)).to.deep.equal([oldest])
    expect(last).not.to.have.property('searchedSince')
    const { scheduled, since } = await counts()
    expect(scheduled).to.be.within(5000, 6400)
    expect(since).to.be.a('string')

    const seen = new Set<string | undefined>()
    let pages = 0
    for (let next: string | undefined = ''; next !== undefined; pages += 1) {
      const page: HistoriesPage = await list(`state=scheduled&search=hay&limit=100${next && `&before=${next}`}`)
      for (const { text } of page.histories) seen.add(text)
      next = pages < 3 ? page.next : undefined
    }
    expect(seen.size).to.be.at.least(200)
  })
})
