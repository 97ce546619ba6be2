/** `in: 60`: due so many seconds after it was accepted, by the clock of Redis, which all processes share. */
import type { Acceptance, HistoryView, ProblemDocument } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University, type Who } from './university.ts'

const teacher: Who = { as: 'trainer' }
const hourMs = 3_600_000

describe('a message that is due in so many seconds', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  const message = (more: object) => ({ to: ['group:own'], text: 'The bell has rung', ...more })
  const redisMs = async () => {
    const [seconds, micros] = await fleet.redis.time()
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  }
  const issue = async () => (await fleet.ask<{ key: string }>('POST /v1/history-keys', teacher)).json.key

  it('is due so long after Redis has accepted it, whatever the clock of the queue says', async () => {
    const { now } = fleet.clock
    fleet.clock.now = () => now() + 2 * hourMs
    const before = await redisMs()
    const { status, json } = await fleet.ask<Acceptance>('POST /v1/messages', teacher, message({ in: 3600 }))
    const after = await redisMs()
    expect(status).to.equal(201)
    expect(Date.parse(json.at)).to.be.within(before + hourMs, after + hourMs)
    expect(Date.parse(json.acceptedAt)).to.equal(Date.parse(json.at) - hourMs)
  })

  it('put again stays at the time of the first acceptance, and another length of time is another body', async () => {
    const key = await issue()
    const put = (seconds: number) =>
      fleet.ask<Acceptance & ProblemDocument>(`PUT /v1/histories/${key}`, teacher, message({ in: seconds }))
    const first = await put(60.5)
    const again = await put(60.5)
    expect([first.status, again.status]).to.deep.equal([201, 200])
    expect(again.json).to.deep.equal(first.json)
    expect(Date.parse(first.json.at) - Date.parse(first.json.acceptedAt)).to.equal(60_500)
    const other = await put(61)
    expect([other.status, other.json.code]).to.deep.equal([409, 'another-body'])
  })

  it('keeps a time that was moved, when it is put again', async () => {
    const key = await issue()
    const body = message({ in: 600 })
    await fleet.ask(`PUT /v1/histories/${key}`, teacher, body)
    await fleet.ask<HistoryView>(`PATCH /v1/histories/${key}`, teacher, { at: far })
    const again = await fleet.ask<Acceptance>(`PUT /v1/histories/${key}`, teacher, body)
    expect([again.status, again.json.at]).to.deep.equal([200, far])
  })

  it('says nothing of a time besides, and is at most a year ahead', async () => {
    const refused = async (more: object) => {
      const { status, json } = await fleet.ask('POST /v1/messages', teacher, message(more))
      return [status, json.code, json.field, json.detail]
    }
    expect(await refused({ in: 60, at: 'now' })).to.deep.equal([
      422,
      'invalid',
      'in',
      'in: it is due `at` a time or `in` so many seconds: leave one of them out',
    ])
    expect((await refused({ in: -1 })).slice(0, 3)).to.deep.equal([422, 'invalid', 'in'])
    expect((await refused({ in: 367 * 86_400 })).slice(0, 3)).to.deep.equal([422, 'invalid', 'in'])
    const expires = new Date(Date.now() + 60_000).toISOString()
    expect((await refused({ in: 600, expires })).slice(0, 3)).to.deep.equal([422, 'expires-before-at', 'expires'])
  })

  it('says the same as no time at all when it says now', async () => {
    const key = await issue()
    const put = (more: object) => fleet.ask<Acceptance>(`PUT /v1/histories/${key}`, teacher, message(more))
    expect((await put({})).status).to.equal(201)
    expect((await put({ at: 'now' })).status).to.equal(200)
  })
})
