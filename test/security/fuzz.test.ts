/** Every field and parameter of every operation × values that nobody expects: a clear refusal, or an answer, and never a 5xx. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { far } from '../../packages/queue/test/service.ts'
import { startUniversity, type University } from '../../packages/queue/test/university.ts'
import {
  bodyOf,
  type Document,
  fieldsOf,
  type Operation,
  operationsOf,
  pathOf,
  type Values,
  withField,
} from './operations.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

const values: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '\0',
  '\ud800',
  '٣',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00%ff',
  '{{7*7}}',
  "'; return redis.call('FLUSHALL') --",
  '\r\nset-cookie: x=1',
  'я'.repeat(30_000),
  [],
  [[]],
  {},
  { __proto__: { role: 'admin' }, role: 'admin' },
  JSON.parse(nested(1_000)),
]

const usual: Values = {
  key: '00.admin-1.aaaaaaaaaaaa',
  id: 'anna',
  person: 'anna',
  channel: 'sms',
  to: ['group:own'],
  text: 'x',
  at: far,
  role: 'student',
  owner: 'anna',
  address: '+79001234567',
  code: '12345678',
  timeout: 0,
}

describe('fuzzing', () => {
  let fleet: University
  let document: Document
  let operations: Operation[]
  let calls = 0
  const dir = mkdtempSync(join(tmpdir(), 'fuzz-'))

  before(async () => {
    const files = { dir, keptMs: 1, bytesADay: {} }
    const publicUrl = 'https://fleet.example'
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: {}, inboundContacts: 1000, publicUrl, files })
    document = fleet.app.swagger() as unknown as Document
    operations = operationsOf(document).filter(({ path }) => path.startsWith('/v1/'))
  })
  after(() => {
    rmSync(dir, { recursive: true, force: true })
    console.log(`      ${operations.length} operations, ${calls} calls`)
    return fleet.stop()
  })

  async function isAnswered(operation: Operation, path: string, body: unknown, what: string): Promise<void> {
    calls += 1
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fleet.call<{ code?: string; detail?: string }>(path, {
      method: operation.method,
      as: 'admin',
      headers: { 'idempotency-key': `fuzz-${calls}`, ...(operation.type ? { 'content-type': operation.type } : {}) },
      ...(text === undefined ? {} : { body: text }),
    })
    const where = `${operation.name}, ${what}: ${answer.text.slice(0, 300)}`
    expect(answer.status, where).to.be.below(500)
    if (answer.status < 400) return
    expect(answer.headers['content-type'], where).to.contain('application/problem+json')
    expect(answer.json.code, where).to.match(/^[a-z][a-z-]+$/)
    expect(answer.text, where).not.to.match(/\.ts:\d|node_modules| at async |ReplyError|ERR /)
  }

  const short = (value: unknown) => String(JSON.stringify(value)).slice(0, 40)

  it('of bodies leaves the service answering', async () => {
    for (const operation of operations) {
      const body = bodyOf(operation, document, usual)
      if (body === undefined || operation.type === 'text/csv') continue
      const schema = operation.type ? operation.body?.contentSchema : operation.body
      const base = typeof body === 'string' ? JSON.parse(body) : body
      for (const field of fieldsOf(schema, document)) {
        for (const value of values) {
          const changed = withField(base, field, value)
          const sent = operation.type ? `${JSON.stringify(changed)}\n` : changed
          await isAnswered(operation, pathOf(operation, usual), sent, `${field} ${short(value)}`)
        }
      }
      for (const value of values) {
        await isAnswered(operation, pathOf(operation, usual), JSON.stringify(value) ?? '', `body ${short(value)}`)
      }
    }
  })

  it('of bodies that are no such thing leaves the service answering', async () => {
    for (const operation of operations.filter(({ method }) => method !== 'GET')) {
      for (const text of [nested(50_000), '{"to":', '\ufeff{}', '\0', '{"a":1,"a":2}', '[1e999]', 'x'.repeat(300_000)])
        await isAnswered(operation, pathOf(operation, usual), text, short(text))
    }
  })

  it('of paths and queries leaves the service answering', async () => {
    const texts = values
      .filter((value) => typeof value === 'string')
      .map((value) => value.replace(/\p{Surrogate}/gu, '?').slice(0, 3_000))
    for (const operation of operations) {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
      // a stream of events ends only with its history
      if (operation.path.endsWith('/events')) continue
      const body = bodyOf(operation, document, usual)
      for (const name of [...inPath, ...operation.query.map((each) => `?${each}`)]) {
        for (const text of texts) {
          if (inPath.includes(name) && text === '') continue
          await isAnswered(operation, pathOf(operation, { ...usual, [name]: text }), body, `${name} ${short(text)}`)
        }
      }
    }
  })

  it('leaves the data as it was where nothing was accepted', async () => {
    expect((await fleet.ask('GET /v1/limits', { as: 'admin' })).status).to.equal(200)
    expect(({} as { role?: string }).role).to.equal(undefined)
    expect((await fleet.ask('GET /healthz')).status).to.equal(200)
  })
})
