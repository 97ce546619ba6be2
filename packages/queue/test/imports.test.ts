import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { importReport } from '@courier-fleet/api-types'
import { maxRosterBytes } from '@courier-fleet/directory'
import { bucketOf, keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

const header = 'id,name,role,groups,phone\n'
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `p${from + index},Person ${from + index},student,g1,\n`).join('')

describe('POST /v1/imports', () => {
  let service: Service
  let url: URL
  before(async () => {
    service = await startService()
    url = new URL(await service.listen())
  })
  after(() => service.stop())

  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(new URL('/v1/imports', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.keyOf.admin}`,
        'content-type': 'text/csv; charset=utf-8',
        ...headers,
      },
      body,
    })

  it('imports, and may be repeated', async () => {
    const csv = header + rows(0, 20)
    const first = importReport.parse(await (await post(csv)).json())
    expect(first).to.include({ created: 20, rejected: 0 })
    expect(importReport.parse(await (await post(csv)).json())).to.include({ created: 0, unchanged: 20 })
    expect((await service.call('/v1/groups/g1', { as: 'admin' })).json).to.include({ size: 20 })
  })

  it('reports bad lines and takes the good ones', async () => {
    const csv = `${header}good,Good,student,,\nbad,Bad,king,,\n`
    const report = importReport.parse(await (await post(csv)).json())
    expect(report).to.include({ created: 1, rejected: 1 })
    expect(report.lines[0]).to.include({ line: 3, status: 'rejected', field: 'role' })
  })

  it('tells every line when asked to', async () => {
    const answer = await fetch(new URL('/v1/imports?lines=all', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.keyOf.admin}`, 'content-type': 'text/csv' },
      body: header + rows(50, 53),
    })
    expect(importReport.parse(await answer.json()).lines).to.have.length(3)
  })

  it('tells the progress line by line, and the report at the end', async () => {
    const answer = await post(header + rows(1000, 3000), { accept: 'application/x-ndjson' })
    expect(answer.headers.get('content-type')).to.equal('application/x-ndjson')
    const lines = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const report = lines.pop()
    expect(importReport.parse(report.report)).to.include({ created: 2000 })
    const progress = lines.map(({ done }) => done as number)
    expect(progress.length).to.be.greaterThan(3)
    expect(progress).to.deep.equal([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).to.equal(2000)
  })

  it('refuses more than a roster may have, however it comes', async () => {
    const outgoing = request(new URL('/v1/imports', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.keyOf.admin}`, 'content-type': 'text/csv' },
    })
    outgoing.on('error', () => {})
    const answered = once(outgoing, 'response')
    outgoing.write(header)
    outgoing.write(Buffer.alloc(maxRosterBytes, 'x'))
    const [response] = (await answered) as [IncomingMessage]
    expect(response.statusCode).to.equal(413)
    outgoing.destroy()
  })

  for (const accept of ['application/json', 'application/x-ndjson']) {
    it(`refuses what is no roster with a problem (${accept})`, async () => {
      const cases: [body: string | Uint8Array<ArrayBuffer>, code: string][] = [
        ['', 'bad-csv'],
        ['what,ever\n1,2\n', 'bad-csv'],
        [new Uint8Array(Buffer.from('id;name\nanna;Анна\n', 'utf16le')), 'bad-csv'],
        [new Uint8Array([0x69, 0x64, 0x2c, 0x6e, 0x61, 0x6d, 0x65, 0x0a, 0x61, 0x2c, 0xc0, 0xff, 0x0a]), 'bad-csv'],
      ]
      for (const [body, code] of cases) {
        const answer = await post(body, { accept })
        const problem = (await answer.json()) as { code: string }
        expect([answer.status, problem.code]).to.deep.equal([422, code])
      }
    })
  }

  it('takes CSV only', async () => {
    const answer = await post('{}', { 'content-type': 'application/json' })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).to.deep.equal([
      415,
      'unsupported-media-type',
    ])
  })

  it('gives the first report again under an Idempotency-Key', async () => {
    const csv = header + rows(200, 210)
    const headers = { 'idempotency-key': 'roster-1' }
    const first = await (await post(csv, headers)).json()
    const again = await post(csv, headers)
    expect(again.headers.get('idempotency-replayed')).to.equal('true')
    expect(await again.json()).to.deep.equal(first)
    const other = await post(`${csv}x,X,student,,\n`, headers)
    expect([other.status, ((await other.json()) as { code: string }).code]).to.deep.equal([
      422,
      'idempotency-key-reused',
    ])
    expect(await service.redis.hexists(keys.people(bucketOf('x')), 'x')).to.equal(0)
  })

  it('lives on when the client goes away in the middle', async () => {
    const outgoing = request(new URL('/v1/imports', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.keyOf.admin}`,
        'content-type': 'text/csv',
        'idempotency-key': 'gone',
      },
    })
    outgoing.on('error', () => {})
    const arrived = once(service.app.server, 'request')
    outgoing.write(header + rows(300, 320))
    await arrived
    outgoing.destroy()
    expect((await service.call('/healthz')).status).to.equal(200)
    // the key is free again: the next call with it is the first
    const answer = await until(async () => {
      const posted = await post(header + rows(300, 340), { 'idempotency-key': 'gone' })
      return posted.status !== 409 && posted
    }, 'the first call is over')
    expect(answer.status).to.equal(200)
  })
})
