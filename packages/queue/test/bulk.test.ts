import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { bulkAnswer, maxDataLevels } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

const ndjson = 'application/x-ndjson'
const message = (text: string, more: object = {}) => JSON.stringify({ to: ['group:own'], text, at: far, ...more })

describe('POST /v1/messages:bulk', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  async function bulk(body: string, headers: Record<string, string> = {}) {
    const answer = await service.call('/v1/messages:bulk', {
      method: 'POST',
      as: 'trainer',
      body,
      headers: { 'content-type': ndjson, ...headers },
    })
    expect(answer.headers['content-type']).to.equal(ndjson)
    return answer.text
      .split('\n')
      .filter(Boolean)
      .map((line) => bulkAnswer.parse(JSON.parse(line)))
  }

  /** How many scripts Redis was asked to run so far. */
  const scriptCalls = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await service.redis.info('commandstats'))?.[1] ?? 0)

  it('answers each line on its own, in order', async () => {
    const lines = [
      message('one'),
      '{broken',
      '',
      message(''),
      message('two', { to: ['group:none'] }),
      message('three'),
      'null',
      message('x'.repeat(20_001)),
      message('past', { at: '2001-01-01T00:00:00Z' }),
    ]
    const answers = await bulk(lines.join('\n'))
    expect(answers.map(({ line, status, code, field }) => [line, status, code, field])).to.deep.equal([
      [1, 201, undefined, undefined],
      [2, 400, 'bad-json', undefined],
      [4, 422, 'invalid', 'text'],
      [5, 422, 'unknown-audience', 'to.0'],
      [6, 201, undefined, undefined],
      [7, 422, 'invalid', 'body'],
      [8, 422, 'invalid', 'text'],
      [9, 422, 'past-at', 'at'],
    ])
    expect((await service.history(answers[4]?.key as string)).text).to.equal('three')
  })

  it('refuses data that is nested too deep by its name, however deep, and takes the lines beside it', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const line = (levels: number) => message('nested', { data: 0 }).replace('"data":0', `"data":${nested(levels)}`)
    const answers = await bulk([message('one'), line(maxDataLevels), line(31), line(20_000), message('two')].join('\n'))
    expect(answers.map(({ status, field }) => [status, field])).to.deep.equal([
      [201, undefined],
      [201, undefined],
      [422, 'data'],
      [422, 'data'],
      [201, undefined],
    ])
    expect(answers[3]?.detail).to.include('must not be nested deeper than 30 levels')
  })

  it('takes CRLF, refuses a line that is too long or not UTF-8, and goes on behind it', async () => {
    const answers = await bulk(`${'x'.repeat(300_000)}\r\n${message('fine')}\r\n`)
    expect(answers.map(({ status }) => status)).to.deep.equal([413, 201])
    const latin = await service.app.inject({
      method: 'POST',
      url: '/v1/messages:bulk',
      headers: { authorization: `Bearer ${service.keyOf.trainer}`, 'content-type': ndjson },
      payload: Buffer.from(message('naïve'), 'latin1'),
    })
    expect(JSON.parse(latin.body)).to.include({ line: 1, status: 400, code: 'bad-json' })
  })

  it('keeps lines and answers together over thousands of them, good and bad', async () => {
    const kinds = [
      [message('good', { to: ['user:anna', 'user:boris'] }), 201, undefined],
      [message('good'), 201, undefined],
      [message('bad', { to: ['user:nobody'] }), 422, 'unknown-audience'],
      ['{', 400, 'bad-json'],
      [message('bad', { to: ['group:other'] }), 403, 'not-your-audience'],
      [message('bad', { to: ['group:empty'] }), 422, 'empty-audience'],
      [message('bad', { expect: { size: 5 } }), 409, 'audience-mismatch'],
      [message('bad', { channels: ['pigeon'] }), 422, 'unknown-channel'],
      [JSON.stringify({ to: ['group:own'], template: { id: 'none' }, at: far }), 422, 'unknown-template'],
      [message('bad', { event: 'none', at: undefined, offset: 60 }), 422, 'unknown-event'],
    ] as const
    const kindOf = (index: number) => kinds[(index * 7 + (index >> 3)) % kinds.length] as (typeof kinds)[number]
    const count = 2000
    const answers = await bulk(Array.from({ length: count }, (_, index) => kindOf(index)[0]).join('\n'))
    expect(answers.map(({ line, status, code }) => [line, status, code])).to.deep.equal(
      Array.from({ length: count }, (_, index) => [index + 1, kindOf(index)[1], kindOf(index)[2]]),
    )
    const keysGiven = answers.flatMap(({ key }) => (key === undefined ? [] : [key]))
    expect(new Set(keysGiven).size).to.equal(keysGiven.length)
    expect((await service.history(keysGiven.at(-1) as string)).state).to.equal('scheduled')
  })

  it('answers nothing to nothing', async () => {
    expect(await bulk('')).to.deep.equal([])
  })

  it('repeats line by line under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'import-7' }
    const first = await bulk(`${message('one')}\n${message('two')}`, headers)
    const again = await bulk(`${message('one')}\n${message('other')}\n${message('three')}`, headers)
    expect(first.map(({ status }) => status)).to.deep.equal([201, 201])
    expect(again.map(({ status }) => status)).to.deep.equal([200, 409, 201])
    expect(again[0]?.key).to.equal(first[0]?.key)
    const { code, field, detail } = again[1] ?? {}
    expect([code, field]).to.deep.equal(['another-body', 'Idempotency-Key'])
    expect(detail).to.equal('under this Idempotency-Key another message was accepted by this line')
  })

  it('says of a repeated line that was cancelled what its caller can do, who knows no key of it', async () => {
    const headers = { 'idempotency-key': 'import-8' }
    const [first] = await bulk(message('one'), headers)
    await service.call(`/v1/histories/${first?.key}`, { method: 'DELETE', as: 'trainer' })
    const [{ status, code, field, detail } = {}] = await bulk(message('one'), headers)
    expect([status, code, field]).to.deep.equal([409, 'cancelled', 'Idempotency-Key'])
    expect(detail).to.match(/; to send it after all, use another Idempotency-Key$/)
  })

  it('answers while the request is still being sent, thousands of lines without holding them', async () => {
    const url = new URL(await service.listen())
    const headers = { authorization: `Bearer ${service.keyOf.trainer}`, 'content-type': ndjson }
    const outgoing = request(url, { method: 'POST', path: '/v1/messages:bulk', headers })
    const answered = new Promise<import('node:http').IncomingMessage>((resolve) => outgoing.once('response', resolve))
    outgoing.write(`${message('first')}\n`)
    const answers = createInterface({ input: await answered })[Symbol.asyncIterator]()
    expect(JSON.parse((await answers.next()).value as string)).to.include({ line: 1, status: 201 })

    const count = 3000
    const before = await scriptCalls()
    outgoing.end(Array.from({ length: count }, (_, index) => `${message(`message ${index}`)}\n`).join(''))
    let last = 1
    for await (const line of answers) {
      const answer = bulkAnswer.parse(JSON.parse(line))
      expect(answer).to.include({ line: last + 1, status: 201 })
      last = answer.line
    }
    expect(last).to.equal(count + 1)
    expect((await scriptCalls()) - before, 'lines travel together').to.be.below(count / 3)
  })
})
