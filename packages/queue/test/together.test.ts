/** Calls of one caller that come together are accepted together; each is still judged, answered and noted for itself. */
import { type Acceptance, type AuditPage, messageBody, type ProblemDocument } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { newHistoryRef } from '@courier-fleet/store'
import { freshRedis, type RedisGate, redisGate, startMonitor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { newDraft } from '../src/acceptance/draft.ts'
import { createTogether, isBrief } from '../src/acceptance/together.ts'
import type { Caller } from '../src/access/callers.ts'
import { far, type Service, startService } from './service.ts'

describe('calls that come together', () => {
  let stopRedis: () => Promise<void>
  let gate: RedisGate
  let service: Service
  let url: string
  let came = 0

  before(async () => {
    const fresh = await freshRedis()
    stopRedis = fresh.stop
    gate = await redisGate(fresh.url)
    service = await startService({ redis: fresh.redis, url: gate.url })
    service.app.server.on('request', () => {
      came += 1
    })
    url = await service.listen()
  })
  after(async () => {
    await service?.stop()
    await gate?.close()
    await stopRedis?.()
  })

  type Answer = readonly [status: number, json: Acceptance & ProblemDocument]

  async function put(key: string, body: object, apiKey = service.keyOf.staff): Promise<Answer> {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v1/histories/${key}`, { method: 'PUT', headers, body: JSON.stringify(body) })
    return [answer.status, (await answer.json()) as Acceptance & ProblemDocument]
  }

  const issue = async (as: 'staff' | 'trainer' = 'staff') =>
    (await service.call<{ key: string }>('/v1/history-keys', { method: 'POST', as })).json.key
  const issueMany = (count: number) => Promise.all(Array.from({ length: count }, () => issue()))

  /** All of them are here before the first hears who it is. */
  async function atOnce(calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
    gate.hold()
    came = 0
    const answers = Promise.all(calls.map((call) => call()))
    await until(() => came === calls.length, 'all have come')
    await gate.restore()
    return answers
  }

  const to = (person: string, text: string) => ({ to: [`user:${person}`], text, at: far })
  const audited = async () => (await service.call<AuditPage>('/v1/audit?limit=100', { as: 'admin' })).json.lines

  it('ask once whom they are for, and each has its answer, its message and its line in the audit', async () => {
    const keys = await issueMany(12)
    const monitor = await startMonitor(service.redis)
    const asked: string[][] = []
    monitor.on('monitor', (_time: string, command: string[], _source: string, database: string) => {
      if (Number(database) === service.redis.options.db) asked.push(command)
    })
    const answers = await atOnce(keys.map((key, index) => () => put(key, to('anna', `lecture ${index}`))))
    await service.redis.echo('that is all')
    await until(() => asked.some(([name]) => name === 'echo'), 'all that was asked is known')
    monitor.disconnect()

    for (const [index, [status, json]] of answers.entries())
      expect([status, json.key]).to.deep.equal([201, keys[index]])
    expect(asked.filter(([name]) => name?.toLowerCase() === 'zmscore')).to.have.lengthOf.below(4)
    for (const [index, key] of keys.entries()) {
      const { json } = await service.call<{ text: string }>(`/v1/histories/${key}`, { as: 'staff' })
      expect(json.text).to.equal(`lecture ${index}`)
    }
    const lines = (await audited()).filter(({ history }) => keys.includes(history as string))
    expect(lines.map(({ history }) => history)).to.have.members(keys)
    for (const { action, by, detail } of lines)
      expect([action, by, detail]).to.deep.equal(['message.sent', 'staff-1', 'user:anna: 1 person'])
  })

  it('are refused each for itself', async () => {
    const [one, another, third, fourth] = (await issueMany(4)) as [string, string, string, string]
    const again = await issue()
    expect((await put(again, to('anna', 'before')))[0]).to.equal(201)
    const answers = await atOnce([
      () => put(one, to('anna', 'good')),
      () => put(another, to('nobody', 'for a stranger')),
      () => put(third, { ...to('anna', 'too late'), at: '2020-01-01T00:00:00Z' }),
      () => put(again, to('anna', 'before')),
      () => put(again, to('anna', 'another')),
      () => put(`${again.slice(0, -1)}${again.endsWith('A') ? 'B' : 'A'}`, to('anna', 'of no key')),
      () => put(fourth, to('boris', 'good')),
    ])
    const codes = answers.map(([status, { code }]) => `${status} ${code ?? ''}`.trim())
    expect(codes).to.deep.equal([
      '201',
      '422 unknown-audience',
      '422 past-at',
      '200',
      '409 another-body',
      '404 unknown-key',
      '201',
    ])
    const state = async (key: string) => (await service.call(`/v1/histories/${key}`, { as: 'staff' })).json.state
    expect(await state(another)).to.equal('issued')
    expect(await state(third)).to.equal('issued')
  })

  it('the same key put twice is accepted once', async () => {
    const key = await issue()
    const answers = await atOnce([() => put(key, to('anna', 'once')), () => put(key, to('anna', 'once'))])
    expect(answers.map(([status]) => status)).to.have.members([200, 201])
    const lines = (await audited()).filter(({ history }) => history === key)
    expect(lines).to.have.lengthOf(1)
  })

  it('are told apart by who calls: each has the rights of its own key', async () => {
    const [mine, theirs] = [await issue(), await issue('trainer')]
    const answers = await atOnce([
      () => put(mine, to('dmitri', 'by staff')),
      () => put(theirs, to('dmitri', 'by a trainer, of a group of somebody else'), service.keyOf.trainer),
    ])
    expect(answers.map(([status, { code }]) => [status, code])).to.deep.equal([
      [201, undefined],
      [403, 'not-your-audience'],
    ])
  })

  /** @param expandMany in the place of what the directory does, for as long as `work` takes */
  async function finding(expandMany: Directory['expandMany'], work: () => Promise<void>): Promise<void> {
    const directory = service.directory as { expandMany: Directory['expandMany'] }
    const own = directory.expandMany
    directory.expandMany = expandMany
    try {
      await work()
    } finally {
      directory.expandMany = own
    }
  }

  it('do not wait for whom it takes long to find', async () => {
    const [large, small] = (await issueMany(2)) as [string, string]
    const { expandMany } = service.directory
    let found = () => {}
    const isFound = new Promise<void>((resolve) => {
      found = resolve
    })
    const slowly: Directory['expandMany'] = async (lists, by) => {
      if (lists.flat().includes('group:own')) await isFound
      return expandMany(lists, by)
    }
    await finding(slowly, async () => {
      const order: string[] = []
      const answers = atOnce(
        [
          [large, { to: ['group:own'], text: 'for many', at: far }] as const,
          [small, to('anna', 'for one')] as const,
        ].map(([key, body]) => async () => {
          const answer = await put(key, body)
          order.push(key)
          found()
          return answer
        }),
      )
      expect((await answers).map(([status]) => status)).to.deep.equal([201, 201])
      expect(order).to.deep.equal([small, large])
    })
  })

  it('all hear that Redis is away, and may be made again', async () => {
    const keys = await issueMany(3)
    const calls = keys.map((key) => () => put(key, to('anna', 'not now')))
    await finding(
      () => Promise.reject(new Error('Connection is closed.')),
      async () => {
        const answers = await atOnce(calls)
        expect(answers.map(([status, { code }]) => `${status} ${code}`)).to.deep.equal(Array(3).fill('503 redis-away'))
      },
    )
    expect((await atOnce(calls)).map(([status]) => status)).to.deep.equal([201, 201, 201])
  })
})

describe('what is accepted together', () => {
  const caller: Caller = { owner: 'staff-1', role: 'staff', keyId: 'one', credential: 'secret' }
  const draft = () =>
    newDraft({
      ref: newHistoryRef('staff-1', 1),
      issued: true,
      repeatable: true,
      body: messageBody.parse({ to: ['user:anna'], text: 'x' }),
    })

  async function sizesOf(callers: readonly Caller[]): Promise<number[]> {
    const sizes: number[] = []
    const together = createTogether(async (drafts) => void sizes.push(drafts.length))
    await Promise.all(callers.map((by) => together(draft(), by)))
    return sizes
  }

  it('is what one caller says in one turn, of so many calls at most', async () => {
    expect(await sizesOf(Array(5).fill(caller))).to.deep.equal([5])
    expect(await sizesOf([caller, { ...caller }, { ...caller, credential: 'another' }])).to.deep.equal([2, 1])
    expect(await sizesOf(Array(130).fill(caller))).to.deep.equal([64, 64, 2])
  })

  it('is not what is said with other rights by the same key, which have changed in between', async () => {
    expect(await sizesOf([caller, { ...caller, role: 'student' }])).to.deep.equal([1, 1])
    expect(await sizesOf([caller, { ...caller, ownRole: 'dean' }])).to.deep.equal([1, 1])
  })

  it('is for few people by name', () => {
    const isJoined = (body: object) => isBrief({ ...draft().offer, body: { ...draft().offer.body, ...body } })
    const people = (count: number) => ({ to: Array.from({ length: count }, (_each, index) => `user:p${index}`) })
    expect([isJoined({}), isJoined(people(16)), isJoined(people(17))]).to.deep.equal([true, true, false])
    for (const to of ['group:own', 'cohort:all', 'topic:news', 'role:student', 'unread:7d', 'https://example.org'])
      expect(isJoined({ to: ['user:anna', to] }), to).to.equal(false)
    expect(isJoined({ event: 'exam' })).to.equal(false)
    expect(isJoined({ files: ['f1'] })).to.equal(false)
  })
})
