/** The people behind the numbers of the statistics: each number leads to as many, page by page, and says how far it has looked. */
import type { AuditPage, CountedPerson, StatsPeople } from '@courier-fleet/api-types'
import { hourMs } from '@courier-fleet/store'
import { expect } from 'chai'
import { ApiError, createClient, type StatsPeopleQuestion } from '../src/index.ts'
import { startFleet } from './fleet.ts'

describe('the people behind the statistics', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  before(async () => {
    fleet = await startFleet()
    await fleet.linkPeople()
    for (const type of ['general', 'news', 'news'])
      await fleet.fixture.settled(await fleet.fixture.put(['anna', 'boris', 'clara'], { rules: { type } }))
    await fleet.fixture.put(['anna'], { dueMs: Date.now() + hourMs })
  })
  after(() => fleet.stop())

  const operator = () => createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf.operator })

  /** Page by page, so many at a time. */
  async function everybody(question: StatsPeopleQuestion, limit = 100): Promise<CountedPerson[]> {
    const people: CountedPerson[] = []
    for (let before: string | undefined, page: StatsPeople; ; before = page.next) {
      page = await operator().statsPeople({ ...question, limit, ...(before === undefined ? {} : { before }) })
      people.push(...page.people)
      expect(page.people.length).to.be.at.most(limit)
      expect(page.searchedSince === undefined, 'it says how far it has looked').to.equal(page.next === undefined)
      if (page.next === undefined) return people
    }
  }

  it('are as many as each number says, by type, channel, state and reason, in pages of any size', async () => {
    const { receipts } = await operator().stats({ by: ['type', 'channel', 'reason'] })
    let numbers = 0
    for (const { type, channel = '', reason, came } of receipts)
      for (const [state, count] of Object.entries(came)) {
        const which = { channel, came: state as 'sent', ...(type ? { type } : {}), ...(reason ? { reason } : {}) }
        for (const limit of [1, 2, 100])
          expect(await everybody(which, limit), JSON.stringify(which)).to.have.length(count)
        numbers += 1
      }
    expect(numbers).to.equal(14)
    const { receipts: funnels } = await operator().stats({ by: ['channel'] })
    for (const { channel = '', passed } of funnels)
      for (const step of ['sent', 'delivered', 'read', 'confirmed'] as const)
        expect(await everybody({ channel, passed: step }), `${channel} ${step}`).to.have.length(passed?.[step] ?? -1)
  })

  it('say of which message, when and why, the message accepted last first', async () => {
    const found = await everybody({ channel: 'telegram', came: 'failed', reason: 'blocked' })
    expect(found).to.have.length(3)
    expect(found.map(({ acceptedAt }) => acceptedAt)).to.deep.equal(
      found
        .map(({ acceptedAt }) => acceptedAt)
        .sort()
        .reverse(),
    )
    for (const { key, person, text, receipt } of found) {
      const { receipts } = await operator().receipts(key, { channel: 'telegram', state: 'failed' })
      expect(receipts.map((each) => [each.person, each.channels.telegram])).to.deep.equal([[person, receipt]])
      expect(receipt).to.include({ state: 'failed', reason: 'blocked' })
      expect(text).to.not.equal('')
    }
    expect(await everybody({ channel: 'telegram', came: 'failed', reason: 'invalid' })).to.deep.equal([])
  })

  it('of other hours are left out', async () => {
    const hour = Math.floor(Date.now() / hourMs) - 3
    const span = { from: new Date(hour * hourMs).toISOString(), to: new Date((hour + 1) * hourMs).toISOString() }
    for (const which of [{ came: 'failed' }, { came: 'pending' }, { passed: 'sent' }] as const)
      expect(await everybody({ channel: 'telegram', ...which, ...span })).to.deep.equal([])
  })

  it('are looked for among so many messages a call, and then gone on with, though nobody was found', async () => {
    for (let count = 0; count < 600; count += 1) await fleet.fixture.put(['anna'], { dueMs: Date.now() + hourMs })
    const which = { channel: 'telegram', came: 'failed' } as const
    const first = await operator().statsPeople(which)
    expect(first.people).to.deep.equal([])
    expect(first.messages).to.be.within(500, 600)
    expect(Date.parse(first.searchedSince ?? '')).to.be.within(Date.now() - hourMs, Date.now())
    expect(await everybody(which)).to.have.length(3)
  })

  const refusal = async (call: Promise<unknown>) => {
    const error = await call.catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(ApiError)
    return (error as ApiError).problem
  }

  it('are for operators, the audit says who has looked, and what is wrong with the question is said', async () => {
    expect(await refusal(fleet.client.statsPeople({ channel: 'vk', came: 'sent' }))).to.include({ code: 'not-allowed' })
    const asked = (question: object) => refusal(operator().statsPeople({ channel: 'vk', ...question }))
    for (const [question, field] of [
      [{}, 'came'],
      [{ came: 'sent', passed: 'sent' }, 'came'],
      [{ passed: 'sent', reason: 'edited' }, 'reason'],
      [{ came: 'sent', before: 'yesterday' }, 'before'],
      [{ came: 'sent', from: '2020-01-01T00:00:00Z' }, 'from'],
    ] as const)
      expect(await asked(question), JSON.stringify(question)).to.include({ status: 400, code: 'invalid', field })
    await operator().statsPeople({ channel: 'vk', came: 'failed', reason: 'blocked', type: 'news' })
    const { lines }: AuditPage = await operator().audit({ limit: 1 })
    expect(lines[0]).to.include({ action: 'people.looked-up', channel: 'vk', detail: 'news: failed, blocked' })
  })
})
