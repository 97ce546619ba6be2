/** Of a message some people only: by what is known of them, by channel and by name, over the whole audience. */
import type { ReceiptsPage } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

describe('receipts of some people', () => {
  let fleet: University
  let key: string
  before(async () => {
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: {} })
    key = await fleet.settledBySms('ufd')
  })
  after(() => fleet.stop())

  async function page(query: string) {
    const { json } = await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts?${query}`, { as: 'trainer' })
    return json
  }
  const found = async (query: string) => (await page(query)).receipts.map(({ person }) => person)

  it('by the class that the history counts them in', async () => {
    const { people } = await fleet.history(key)
    expect(people).to.include({ unknown: 1, notDelivered: 1, delivered: 1 })
    expect(await found('class=unknown')).to.deep.equal(['anna'])
    expect(await found('class=notDelivered')).to.deep.equal(['boris'])
    expect(await found('class=delivered&channel=sms')).to.deep.equal(['clara'])
    expect(await found('class=withoutContact')).to.deep.equal([])
  })

  it('by name or id, as people are searched for, and by both', async () => {
    const { receipts } = await page('')
    const name = receipts.find(({ person }) => person === 'boris')?.name as string
    expect(await found(`name=${encodeURIComponent(name.slice(0, 3).toUpperCase())}`)).to.deep.equal(['boris'])
    expect(await found('name=clar')).to.deep.equal(['clara'])
    expect(await found('name=clar&class=unknown')).to.deep.equal([])
    expect(await found('name=nobody-is-called-so')).to.deep.equal([])
  })

  it('page by page: nobody is left out, and nobody is told twice', async () => {
    const all: string[] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { receipts, next }: ReceiptsPage = await page(`name=a&limit=1&from=${from}`)
      all.push(...receipts.map(({ person }) => person))
      from = next
    }
    expect(all).to.deep.equal(await found('name=a'))
    expect(all).to.include.members(['anna', 'clara'])
  })

  it('of a class or a name that there cannot be, the call is refused', async () => {
    for (const query of ['class=lost', `name=${'x'.repeat(101)}`, 'name=%20']) {
      const { status } = await fleet.ask(`GET /v1/histories/${key}/receipts?${query}`, { as: 'trainer' })
      expect(status, query).to.equal(400)
    }
  })
})
