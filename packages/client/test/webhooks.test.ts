import { EventEmitter, once } from 'node:events'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { createWebhookReceiver, verifyWebhook, type WebhookDelivery, WebhookError } from '../src/index.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, so').toString('base64')}`
const other = `whsec_${Buffer.from('another one, also of 32 bytes ..').toString('base64')}`
let calls = 0

/** As the fleet calls, signed by the official library. */
function call(data: unknown, { id = `call-${++calls}`, at = new Date(), by = secret } = {}) {
  const body = JSON.stringify(data)
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, at, body),
  }
  return { headers, body }
}

describe('verifyWebhook', () => {
  const codeOf = (given: Parameters<typeof verifyWebhook>[0]) =>
    verifyWebhook(given).then(
      () => 'verified',
      (error) => (error instanceof WebhookError ? error.code : error),
    )

  it('gives what a call says that the fleet signed', async () => {
    const at = new Date()
    const { headers, body } = call({ text: 'Пара перенесена' }, { id: 'a1', at })
    const expected = { id: 'a1', atMs: Math.floor(at.getTime() / 1000) * 1000, data: { text: 'Пара перенесена' } }
    expect(await verifyWebhook({ headers, body, secrets: [secret] })).to.deep.equal(expected)
    const bytes = new TextEncoder().encode(body)
    expect(await verifyWebhook({ headers: new Headers(headers), body: bytes, secrets: [secret] })).to.deep.equal(
      expected,
    )
  })

  it('takes either secret while one is being rotated, on both sides', async () => {
    const { headers, body } = call({ n: 1 })
    expect(await codeOf({ headers, body, secrets: [other, secret] })).to.equal('verified')
    const byOther = new Webhook(other).sign(headers['webhook-id'] as string, new Date(), body)
    const both = { ...headers, 'webhook-signature': `${byOther} v2,abc ${headers['webhook-signature']}` }
    expect(await codeOf({ headers: both, body, secrets: [secret] })).to.equal('verified')
  })

  it('believes nothing that is not signed, or not of this body, this id and this time', async () => {
    const { headers, body } = call({ n: 1 })
    const secrets = [secret]
    expect(await codeOf({ headers: {}, body, secrets })).to.equal('no-signature')
    for (const name of Object.keys(headers))
      expect(await codeOf({ headers: { ...headers, [name]: undefined }, body, secrets }), name).to.equal('no-signature')
    expect(await codeOf({ headers, body: `${body} `, secrets })).to.equal('wrong-signature')
    expect(await codeOf({ headers: { ...headers, 'webhook-id': 'b' }, body, secrets })).to.equal('wrong-signature')
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(await codeOf({ headers: { ...headers, 'webhook-timestamp': later }, body, secrets })).to.equal(
      'wrong-signature',
    )
    expect(await codeOf({ headers, body, secrets: [other] })).to.equal('wrong-signature')
    for (const signature of ['v1,', 'v1,!!', 'abc', 'v1a,abc', headers['webhook-signature']?.slice(3)])
      expect(await codeOf({ headers: { ...headers, 'webhook-signature': signature }, body, secrets })).to.equal(
        'wrong-signature',
      )
  })

  it('believes nothing that is old, or from the future', async () => {
    const now = Date.now()
    const of = (ms: number) => ({ ...call({ n: 1 }, { at: new Date(ms) }), secrets: [secret], nowMs: now })
    expect(await codeOf(of(now - 301_000))).to.equal('too-old')
    expect(await codeOf(of(now + 302_000))).to.equal('too-new')
    expect(await codeOf(of(now - 290_000))).to.equal('verified')
    expect(await codeOf({ ...of(now - 301_000), toleranceMs: 600_000 })).to.equal('verified')
  })

  it('says that a body is no JSON object, and a secret none', async () => {
    expect(await codeOf({ ...call('text'), secrets: [secret] })).to.equal('no-json')
    for (const wrong of ['secret', 'whsec_', 'whsec_!'])
      expect(String(await codeOf({ ...call({}), secrets: [wrong] }))).to.match(
        /TypeError: a secret of the fleet begins with/,
      )
  })
})

describe('a webhook receiver', () => {
  let handled: WebhookDelivery[]
  let fail: Error | undefined
  const receiver = (remember?: number) =>
    createWebhookReceiver({
      secrets: [secret],
      async handle(delivery) {
        await new Promise(setImmediate)
        if (fail) throw fail
        handled.push(delivery)
      },
      ...(remember === undefined ? {} : { remember }),
    })

  beforeEach(() => {
    handled = []
    fail = undefined
  })

  it('handles a call once, however often it comes, at once or one after the other', async () => {
    const receive = receiver()
    const { headers, body } = call({ text: 'Здравствуйте' }, { id: 'a1' })
    const again = call({ text: 'Здравствуйте' }, { id: 'a1', at: new Date(Date.now() + 1000) })
    const replies = await Promise.all([
      receive(headers, body),
      receive(again.headers, again.body),
      receive(headers, body),
    ])
    expect(replies).to.deep.equal([{ status: 204 }, { status: 204 }, { status: 204 }])
    expect(await receive(headers, body)).to.deep.equal({ status: 204 })
    expect(handled).to.deep.equal([{ id: 'a1', data: { text: 'Здравствуйте' }, missed: false }])
  })

  it('answers that it could not, so that the fleet calls again, and handles it then', async () => {
    const receive = receiver()
    const { headers, body } = call({ n: 1 })
    fail = new Error('the database is away')
    const replies = await Promise.all([receive(headers, body), receive(headers, body)])
    expect(replies.map(({ status, error }) => [status, error])).to.deep.equal([
      [500, fail],
      [500, fail],
    ])
    fail = undefined
    expect(await receive(headers, body)).to.deep.equal({ status: 204 })
    expect(handled).to.have.length(1)
  })

  it('handles nothing that the fleet did not sign', async () => {
    const receive = receiver()
    const { headers, body } = call({ n: 1 }, { by: other })
    expect(await receive(headers, body)).to.deep.equal({
      status: 401,
      why: 'its signature is not of this body by a secret that is known here',
    })
    expect(handled).to.deep.equal([])
    expect(() => createWebhookReceiver({ secrets: ['abc'], handle() {} })).to.throw(TypeError, 'begins with whsec_')
  })

  it('handles no change of a resource after a newer one, and says when it missed some', async () => {
    const receive = receiver()
    const change = (sequence: number, resource_id = 'anna', subscription = 's1') => {
      const { headers, body } = call({ subscription, resource: 'person', resource_id, sequence, diff: {} })
      return receive(headers, body)
    }
    for (const sequence of [1, 2, 2, 1, 4, 3, 5]) expect(await change(sequence)).to.deep.equal({ status: 204 })
    const seen = () => handled.splice(0).map(({ data, missed }) => [data.sequence, missed])
    expect(seen()).to.deep.equal([
      [1, false],
      [2, false],
      [4, true],
      [5, false],
    ])
    await change(1, 'boris')
    await change(1, 'anna', 's2')
    expect(seen(), 'each has an order of its own').to.deep.equal([
      [1, false],
      [1, false],
    ])
    await change(0)
    await change(0)
    expect(seen(), 'a test each time').to.deep.equal([
      [0, false],
      [0, false],
    ])
    fail = new Error('not now')
    await change(6)
    fail = undefined
    await change(6)
    expect(seen(), 'what failed was not handled').to.deep.equal([[6, false]])
  })

  it('handles a change only when the one before is done, however long that takes', async () => {
    const steps: string[] = []
    const open: (() => void)[] = []
    const events = new EventEmitter()
    const receive = createWebhookReceiver({
      secrets: [secret],
      async handle({ data }) {
        steps.push(`begin ${data.sequence}`)
        await new Promise<void>((done) => {
          open.push(done)
          events.emit('begun')
        })
        steps.push(`end ${data.sequence}`)
      },
    })
    const both = [1, 2].map((sequence) => call({ resource: 'person', resource_id: 'anna', sequence }))
    const first = once(events, 'begun')
    const replies = both.map(({ headers, body }) => receive(headers, body))
    await first
    for (let n = 0; n < 20; n++) await new Promise(setImmediate)
    const second = once(events, 'begun')
    open.pop()?.()
    await replies[0]
    await second
    open.pop()?.()
    await replies[1]
    expect(steps).to.deep.equal(['begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  it('remembers so many, and forgets the oldest first', async () => {
    const receive = receiver(2)
    const [a, b, c] = [call({ n: 'a' }), call({ n: 'b' }), call({ n: 'c' })]
    for (const each of [a, b, c, c, b, a]) await receive(each.headers, each.body)
    expect(handled.map(({ data }) => data.n)).to.deep.equal(['a', 'b', 'c', 'a'])
  })
})
