import { expect } from 'chai'
import { createExpectations, type Message } from '../../src/expectations.ts'
import { createActions } from '../../src/traffic/actions.ts'
import { createClient } from '../../src/traffic/client.ts'
import { createPeople } from '../../src/traffic/index.ts'
import type { Action, Draft } from '../../src/traffic/plan.ts'
import { type Answers, type Asked, startService } from './service.ts'

const draft: Draft = {
  to: ['user:p01'],
  audience: Uint32Array.of(1),
  channels: undefined,
  class: 'normal',
  words: 'words',
  dueInMs: undefined,
  expiresInMs: undefined,
}
const at = '2030-09-01T06:00:00.000Z'
const accepted = { key: '07.chaos.a', audience: { size: 1, sha256: 'x' }, at, expires: at, acceptedAt: at }
const post = (again: 'no' | 'same' | 'another-body' = 'no'): Action => ({ kind: 'post', afterMs: 0, draft, again })
const put = (more: Partial<Action> = {}) => ({ kind: 'put', afterMs: 0, draft, ...more }) as Action
const repeatedly: Action = { kind: 'put-repeatedly', afterMs: 0, draft, copies: 2, laterMs: 1 }

/** as the real service answers: bodies are compared by their text */
const asDocumented = ({ method, path, body }: Asked, before: number) => {
  if (path === '/v1/history-keys') return { status: 201, body: { key: accepted.key } }
  if (body.includes('Not this one')) return { status: method === 'POST' ? 422 : 409, body: { code: 'another-body' } }
  if (method === 'DELETE') return { status: 200, body: { key: accepted.key, outcome: 'cancelled' } }
  if (method === 'PATCH') return { status: 200, body: { ...accepted, at: '2031-01-01T00:00:00.000Z' } }
  return { status: method === 'PUT' && before > 0 ? 200 : 201, body: accepted }
}

describe('a sender', () => {
  async function does(
    action: Action,
    answers: Answers,
  ): Promise<{ asked: readonly Asked[]; messages: readonly Message[] }> {
    const service = await startService(answers)
    const expectations = createExpectations(createPeople({ everyone: 50, first: 20, callsUrl: 'http://receiver.test' }))
    try {
      await createActions({ client: createClient({ apiUrl: service.url, apiKey: 'any' }), expectations }).perform(
        action,
      )
    } finally {
      await service.close()
    }
    return { asked: service.asked, messages: expectations.messages }
  }

  const contradictions = (messages: readonly Message[]) => messages.flatMap((message) => message.contradictions)

  it('repeats word by word, under the same key, until there is an answer', async () => {
    const troubled: Answers = (asked, before) =>
      [undefined, { status: 503, body: {} }, { status: 409, body: { code: 'in-progress' } }][before] ??
      (before < 3 ? undefined : asDocumented(asked, before))
    const { asked, messages } = await does(post(), troubled)
    expect(asked).to.have.length(4)
    expect(new Set(asked.map(({ idempotencyKey, body }) => `${idempotencyKey} ${body}`)).size).to.equal(1)
    expect(asked[0]?.idempotencyKey).to.match(/./)
    expect(messages[0]).to.include({ standing: 'accepted', key: accepted.key, dueMs: Date.parse(at) })
    expect(contradictions(messages)).to.deep.equal([])
    // what the first request wrote may have been sent before it was lost
    expect(messages[0]?.notBeforeMs).to.be.at.most(messages[0]?.askedMs as number)
  })

  it('expects nothing sooner than the one answer says', async () => {
    const { messages } = await does(post(), asDocumented)
    expect(messages[0]).to.include({ standing: 'accepted', notBeforeMs: Date.parse(at) })
  })

  it('expects nothing sooner than it asked for, however often it had to ask', async () => {
    const later: Action = { kind: 'post', afterMs: 0, draft: { ...draft, dueInMs: 60_000 }, again: 'no' }
    const troubled: Answers = (asked, before) =>
      before === 0 ? { status: 503, body: {} } : asDocumented(asked, before)
    const { asked, messages } = await does(later, troubled)
    expect(messages[0]?.notBeforeMs).to.equal(Date.parse(JSON.parse(asked[0]?.body as string).at))
  })

  it('is content with an API that does what it says, whatever it does to a message', async () => {
    const actions = [post('same'), post('another-body'), put({ cancelInMs: 0 }), repeatedly]
    for (const action of actions) expect(contradictions((await does(action, asDocumented)).messages)).to.deep.equal([])
  })

  it('takes the refusal of another body, and enters that nobody may have it', async () => {
    const { messages } = await does(repeatedly, asDocumented)
    expect(messages.map(({ standing }) => standing)).to.deep.equal(['accepted', 'refused'])
  })

  it('notices when another body under the same key is taken', async () => {
    const gullible: Answers = (asked, before) =>
      asDocumented({ ...asked, body: asked.body.replace('Not this one', '') }, before)
    for (const [action, status] of [
      [repeatedly, 409],
      [post('another-body'), 422],
    ] as const) {
      const [what, ...more] = contradictions((await does(action, gullible)).messages)
      expect(what).to.match(new RegExp(`must be refused with ${status}, was 20[01]`))
      expect(more).to.deep.equal([])
    }
  })

  it('notices when a repetition is answered differently, or creates twice', async () => {
    const forgetful: Answers = (asked, before) =>
      asked.method === 'PUT' && before === 2
        ? { status: 200, body: { ...accepted, acceptedAt: '2031-09-01T06:00:00.000Z' } }
        : asDocumented(asked, before)
    expect(contradictions((await does(repeatedly, forgetful)).messages)).to.match(/was answered .* to the same request/)
    const doubling: Answers = (asked, before) => asDocumented(asked, asked.method === 'PUT' ? 0 : before)
    expect(contradictions((await does(repeatedly, doubling)).messages)).to.match(/201, as created, more than once/)
  })

  it('enters a cancellation and a new time as they were answered', async () => {
    const cancelled = await does(put({ cancelInMs: 0 }), asDocumented)
    expect(cancelled.messages[0]?.cancellation).to.equal('cancelled')
    const moved = await does(put({ reschedule: { inMs: 0, dueInMs: 500 } }), asDocumented)
    expect(moved.messages[0]).to.include({ dueMs: Date.parse('2031-01-01'), notBeforeMs: Date.parse('2031-01-01') })
  })

  it('leaves open which time holds when the answer to a new one was lost', async () => {
    const silent: Answers = (asked, before) =>
      asked.method === 'PATCH' && before === 0 ? undefined : asDocumented(asked, before)
    const { messages } = await does(put({ reschedule: { inMs: 0, dueInMs: 500 } }), silent)
    expect(messages[0]).to.include({ dueMs: undefined })
  })

  it('says when a message in order is refused, not when it came too late', async () => {
    const refusing =
      (code: string): Answers =>
      () => ({ status: 422, body: { code, detail: 'why not' } })
    const { messages } = await does(post(), refusing('unknown-audience'))
    expect(messages[0]).to.include({ standing: 'refused' })
    expect(contradictions(messages)).to.deep.equal(['was in order and refused: 422 unknown-audience: why not'])
    expect(contradictions((await does(post(), refusing('expires-before-at'))).messages)).to.deep.equal([])
  })

  it('repeats a bulk until every line is answered, and notices a line with two keys', async () => {
    const line = (number: number, status: number, key?: string) => `${JSON.stringify({ line: number, status, key })}\n`
    const halting: Answers = (_asked, before) => ({
      status: 200,
      body: before === 0 ? line(1, 201, 'a') + line(2, 503) : line(1, 200, 'b') + line(2, 201, 'c'),
    })
    const { asked, messages } = await does({ kind: 'bulk', afterMs: 0, drafts: [draft, draft] }, halting)
    expect(asked).to.have.length(2)
    expect(asked[0]).to.deep.equal(asked[1])
    expect(messages.map(({ standing, key }) => `${standing} ${key}`)).to.deep.equal(['accepted a', 'accepted c'])
    expect(contradictions(messages)).to.match(/was accepted as a, repeated/)
  })

  it('comes back to what was never answered, and takes no other message for it', async () => {
    let away = true
    const service = await startService((asked, before) => (away ? undefined : asDocumented(asked, before)))
    const expectations = createExpectations(createPeople({ everyone: 50, first: 20, callsUrl: 'http://receiver.test' }))
    const { send, ...client } = createClient({ apiUrl: service.url, apiKey: 'any' })
    const { perform, askAgain } = createActions({
      client: { ...client, send: (request) => send(request, 0) },
      expectations,
    })
    try {
      await Promise.all([perform(post()), perform(post())])
      const [first, second] = expectations.messages as [Message, Message]
      await askAgain()
      expect([first.standing, second.standing]).to.deep.equal(['unanswered', 'unanswered'])
      away = false
      Object.assign(second, { standing: 'accepted', key: 'found meanwhile' })
      await askAgain()
      expect(first).to.deep.include({ standing: 'accepted', key: accepted.key, contradictions: [] })
      expect(second.contradictions).to.match(/^exists as found meanwhile, and was answered 201/)
      const before = service.asked.length
      await askAgain()
      expect(service.asked).to.have.length(before)
    } finally {
      await service.close()
    }
  })
})
