/** People by name: found by those who may write to them, page by page, however few of many match. */
import type { PeoplePage, ProblemDocument, Role } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

describe('GET /v1/people:search', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const person = (id: string, name: string) =>
      service.directory.putPerson({ id, name, role: 'student', timeZone: 'Europe/Moscow', language: 'ru' })
    await person('fedor', 'Фёдоров-Семёнов Артём')
  })
  after(() => service.stop())

  async function search(query: Record<string, string>, as: Role = 'staff') {
    const { json } = await service.call<PeoplePage>(`/v1/people:search?${new URLSearchParams(query)}`, { as })
    return { ids: json.people.map(({ id }) => id), next: json.next }
  }

  it('finds by the beginnings of words, case and ё aside, and by the id', async () => {
    expect((await search({ name: 'каре АННА' })).ids).to.deep.equal(['anna'])
    expect((await search({ name: 'артем семе' })).ids).to.deep.equal(['fedor'])
    expect((await search({ name: 'edo' })).ids).to.deep.equal(['fedor'])
    expect((await search({ name: 'ренина' })).ids).to.deep.equal([])
  })

  it('shows a trainer only the members of groups of his own', async () => {
    expect((await search({}, 'trainer')).ids).to.deep.equal(['anna', 'boris', 'clara'])
    expect((await search({ name: 'Дмитрий' }, 'trainer')).ids).to.deep.equal([])
    expect((await search({ name: 'Дмитрий' }, 'staff')).ids).to.deep.equal(['dmitri'])
  })

  it('shows the members of a group, to those who may look at it', async () => {
    expect((await search({ group: 'own', name: 'к' }, 'trainer')).ids).to.deep.equal(['anna'])
    const refused = await service.call<ProblemDocument>('/v1/people:search?group=other', { as: 'trainer' })
    expect([refused.status, refused.json.code]).to.deep.equal([403, 'not-your-group'])
    const unknown = await service.call<ProblemDocument>('/v1/people:search?group=none', { as: 'staff' })
    expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'unknown-group'])
  })

  it('comes to everyone page by page, once', async () => {
    for (const as of ['staff', 'trainer'] as const) {
      const everyone = (await search({}, as)).ids
      const found: string[] = []
      for (let after = ''; ; ) {
        const { ids, next } = await search({ limit: '2', ...(after ? { after } : {}) }, as)
        found.push(...ids)
        if (!next) break
        after = next
      }
      expect(found, as).to.deep.equal(everyone)
    }
  })

  it('reads so many people in one call and says where to go on', async () => {
    const nameOf = (id: string) => (id === 'p06500' ? 'Ярослав' : 'Иван')
    const ids = Array.from({ length: 7000 }, (_, index) => `p${String(index).padStart(5, '0')}`)
    await Promise.all(
      ids.map((id) =>
        service.directory.putPerson({ id, name: nameOf(id), role: 'student', timeZone: 'UTC', language: 'ru' }),
      ),
    )
    const first = await search({ name: 'ярослав' })
    expect(first.ids).to.deep.equal([])
    expect((await search({ name: 'ярослав', after: first.next as string })).ids).to.deep.equal(['p06500'])
  })
})
