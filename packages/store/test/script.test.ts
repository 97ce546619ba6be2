import { Problem } from '@courier-fleet/api-types'
import { type OwnRedis, ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { numberReply } from '../src/replies.ts'
import { asProblem, defineScript, ScriptError } from '../src/script.ts'
import { sourceOf } from '../src/script-source.ts'

const issue = defineScript('issue', { keys: ['history'], args: ['unusedMs'], reply: numberReply })
const reschedule = defineScript('reschedule', {
  keys: ['history', 'due'],
  args: ['message', 'tag', 'dueMs'],
  reply: numberReply,
})
const moving = (redis: Redis) => reschedule(redis, { history: 'h', due: 'z' }, { message: 'm', tag: 't', dueMs: 0 })
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('scripts', () => {
  let server: OwnRedis
  let redis: Redis
  before(async () => {
    server = await ownRedis({ appendonly: false })
    redis = server.redis()
  })
  after(() => server.stop())

  it('are loaded at their first use, and again when Redis has forgotten them', async () => {
    expect(await issue(redis, { history: 'h1' }, { unusedMs: 60_000 })).to.equal(1)
    await redis.script('FLUSH')
    const calls = ['h2', 'h3', 'h4'].map((history) => issue(redis, { history }, { unusedMs: 60_000 }))
    expect(await Promise.all(calls)).to.deep.equal([1, 1, 1])
    expect(await issue(redis, { history: 'h2' }, { unusedMs: 60_000 })).to.equal(0)
  })

  it('answer with errors of their own, by code', async () => {
    await redis.script('FLUSH')
    for (const when of ['by text', 'by hash']) {
      const error = await errorOf(moving(redis))
      expect(error, when).to.be.instanceOf(ScriptError)
      expect(error, when).to.include({ code: 'UNKNOWN', message: 'nothing was put under this key' })
    }
  })

  it('have no function that nothing names, and each that is called', () => {
    const functionsOf = (name: string) =>
      [...sourceOf(name).matchAll(/^local function (\w+)/gm)].map(([, each]) => each)
    expect(functionsOf('backlog')).to.deep.equal(['work_key', 'want'])
    // delivery_key calls of_message, which nothing else there does
    expect(functionsOf('reschedule'))
      .to.include.members(['of_message', 'delivery_key'])
      .and.not.include('work_of_channel')
  })

  it('whose error has a problem to stand for becomes that; any other error stays itself', async () => {
    const problem = await errorOf(asProblem(moving(redis), { UNKNOWN: [404, 'unknown-key', 'key'] }))
    expect(problem).to.be.instanceOf(Problem)
    expect(problem).to.include({ status: 404, code: 'unknown-key', field: 'key' })
    expect(await errorOf(asProblem(moving(redis), { STARTED: [409, 'x'] }))).to.be.instanceOf(ScriptError)
  })

  it('where memory is full are refused before their first step, but for those that only free', async () => {
    const full = await ownRedis({ appendonly: false })
    try {
      const redis = full.redis()
      const gone = defineScript('release-address', { keys: ['owner'], args: ['person'], reply: numberReply })
      await redis.set('owner', 'anna')
      await redis.config('SET', 'maxmemory', 1)
      expect(String(await errorOf(issue(redis, { history: 'h' }, { unusedMs: 60_000 })))).to.contain('OOM')
      expect(await gone(redis, { owner: 'owner' }, { person: 'anna' })).to.equal(1)
      expect(await redis.dbsize()).to.equal(0)
    } finally {
      await full.stop()
    }
  })

  it('an error of Redis itself is not taken for one of theirs', async () => {
    await redis.set('h', 'a string')
    const error = await errorOf(moving(redis))
    expect(error).to.not.be.instanceOf(ScriptError)
    expect(String(error)).to.contain('WRONGTYPE')
  })
})
