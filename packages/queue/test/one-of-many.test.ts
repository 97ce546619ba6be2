/** One caller cannot stall the rest. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { cpuMs, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { cached } from '../src/http/cached.ts'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const rules = { timeZone: 'Europe/Moscow', quotas: {} }

describe('one caller among many', () => {
  let fleet: University
  let url: URL
  const sockets: Socket[] = []
  const start = async (more: object = {}) => {
    fleet = await startUniversity({ ...rules, ...more })
    const address = fleet.app.server.address() as { port: number }
    url = new URL(`http://127.0.0.1:${address.port}`)
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await fleet.stop()
  })

  /** How many commands Redis has carried out so far. */
  const commands = async () => Number(/total_commands_processed:(\d+)/.exec(await fleet.redis.info('stats'))?.[1])

  async function open(): Promise<Socket> {
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  /** What comes until the server ends the connection. */
  async function answerTo(text: string): Promise<string> {
    const socket = await open()
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.write(text)
    await once(socket, 'end')
    return answer
  }

  const problemIn = (answer: string) => {
    const [head = '', body = '{}'] = answer.split('\r\n\r\n')
    const { code, status } = JSON.parse(body) as { code: string; status: number }
    return [head.split(' ')[1], /content-type: ([\w/+]+)/i.exec(head)?.[1], code, status]
  }
  const problem = (status: number, code: string) => [String(status), 'application/problem+json', code, status]

  it('answers others while bulk calls are full of bad lines, and nobody reads their answers', async () => {
    await start()
    const body = '{}\n'.repeat(350_000)
    const head = [
      'POST /v1/messages:bulk HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${fleet.keyOf.trainer}`,
      'Content-Type: application/x-ndjson',
      `Content-Length: ${body.length}`,
    ].join('\r\n')
    for (let i = 0; i < 20; i += 1) {
      const socket = await open()
      socket.pause()
      socket.write(`${head}\r\n\r\n${body}`)
    }
    let slowest = 0
    for (const giveUpAt = performance.now() + 5_000; performance.now() < giveUpAt; ) {
      const began = cpuMs()
      expect((await fleet.ask('GET /v1/limits', { as: 'staff' })).status).to.equal(200)
      slowest = Math.max(slowest, cpuMs() - began)
    }
    expect(slowest).to.be.below(1_000)
  })

  it('resolves what is named again and again once', async () => {
    await start()
    const people = Array.from({ length: 20_000 }, (_, i) => `p-${i}`)
    const lines = people.map((id) => `${id},P,student,crowd-a/one|crowd-a/two-${id.length}|crowd-a/three`)
    const headers = { 'content-type': 'text/csv' }
    await fleet.ask('POST /v1/imports', { as: 'admin', headers }, ['id,name,role,groups', ...lines].join('\n'))
    const to = Array.from({ length: 1000 }, () => 'cohort:crowd-a')
    const [commandsBefore, began] = [await commands(), cpuMs()]
    const { json } = await fleet.ask<{ people: number; overlap: number }>(
      'POST /v1/audiences:resolve',
      { as: 'staff' },
      { to },
    )
    expect([json.people, json.overlap]).to.deep.equal([20_000, 999 * 20_000])
    expect((await commands()) - commandsBefore, 'read once').to.be.below(50_000)
    expect(cpuMs() - began, 'counted once').to.be.below(20_000)
  })

  it('may keep few calls open, an operator more', async () => {
    await start({ openCalls: 3 })
    const { json } = await fleet.ask<{ key: string }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to: ['group:own'], text: 'x', at: far },
    )
    /** @returns the status; the stream goes on until its socket ends */
    const watch = async (as: 'trainer' | 'admin') => {
      const socket = await open()
      const authorization = `Authorization: Bearer ${fleet.keyOf[as]}`
      socket.write(`GET /v1/histories/${json.key}/events HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`)
      const [head] = (await once(socket, 'data')) as [Buffer]
      return Number(head.toString().split(' ')[1])
    }
    for (let i = 0; i < 3; i += 1) expect(await watch('trainer')).to.equal(200)
    const refused = [
      await fleet.ask(`GET /v1/histories/${json.key}/events`, { as: 'trainer' }),
      await fleet.ask(`POST /v1/histories/${json.key}/tracker`, { as: 'trainer' }, { timeout: 1 }),
      await fleet.ask('POST /v1/messages?wait=1s', { as: 'trainer' }, { to: ['group:own'], text: 'x', at: far }),
    ]
    for (const { status, json: problem, headers } of refused) {
      expect([status, problem.code]).to.deep.equal([429, 'too-many-open'])
      expect(headers.get('retry-after')).to.equal('5')
    }
    for (let i = 0; i < 24; i += 1) expect(await watch('admin')).to.equal(200)
    expect(await watch('admin')).to.equal(429)
    for (const socket of sockets.splice(0)) socket.destroy()
    await until(async () => {
      const again = await fleet.ask(`POST /v1/histories/${json.key}/tracker`, { as: 'trainer' }, { timeout: 0 })
      return again.status === 200
    }, 'those that ended make room')
  })

  it('is not waited for with half a body', async () => {
    await start({ bodyTimeoutMs: 3_000 })
    const head = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fleet.keyOf.trainer}\r\nContent-Type: ${type}\r\nContent-Length: 99\r\n\r\n`
    expect(problemIn(await answerTo(`${head('/v1/messages', 'application/json')}{"to"`))).to.deep.equal(
      problem(408, 'too-slow'),
    )
    // its answer has begun already
    expect(await answerTo(`${head('/v1/messages:bulk', 'application/x-ndjson')}{}\n{"to"`)).not.to.contain('too-slow')
    expect(problemIn(await answerTo('POST /v1/messages HTTP/1.1\r\nHo'))).to.deep.equal(problem(408, 'too-slow'))
  })

  it('is left without an answer where nothing was asked', async () => {
    await start({ bodyTimeoutMs: 3_000 })
    expect(await answerTo('')).to.equal('')
  })

  it('is told by problem+json what is wrong with its HTTP', async () => {
    await start()
    expect(problemIn(await answerTo('HELLO\r\n\r\n'))).to.deep.equal(problem(400, 'bad-request'))
    const long = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
    expect(problemIn(await answerTo(long))).to.deep.equal(problem(431, 'headers-too-large'))
    const expectation = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: much\r\n\r\n'
    expect(problemIn(await answerTo(expectation))).to.deep.equal(problem(417, 'unknown-expectation'))
    const homeless = 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'
    expect(problemIn(await answerTo(homeless))).to.deep.equal(['400', 'application/problem+json', 'bad-request', 400])
  })

  it('cannot break the service with a body nested deep', async () => {
    await start()
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const headers = { 'idempotency-key': 'deep' }
    const called = await fleet.ask('POST /v1/history-keys', { as: 'trainer', headers }, deep)
    expect([called.status, called.json.code]).to.deep.equal([400, 'bad-json'])
  })

  it('makes the fleet read its figures once a second at most', async () => {
    await start({ probeCacheMs: 60_000 })
    for (const path of ['/readyz', '/metrics']) await fetch(url.origin + path)
    const before = await commands()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => fetch(url.origin + (i % 2 ? '/readyz' : '/metrics'))),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(100).fill(200))
    // Redis is looked at for other things meanwhile, too
    expect((await commands()) - before).to.be.below(50)
  })

  it('has what was read for others, until it is too old', async () => {
    await start()
    const readFor = (lifeMs: number) => {
      let reads = 0
      return cached(lifeMs, async () => (reads += 1))
    }
    const kept = readFor(3_600_000)
    expect(await Promise.all([kept(), kept()])).to.deep.equal([1, 1])
    expect(await kept()).to.equal(1)
    const short = readFor(50)
    await until(async () => (await short()) > 1, 'it is read again')
  })
})
