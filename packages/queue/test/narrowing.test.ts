/** Audiences by what people did, over HTTP, with couriers that work and reports of what became of it. */
import type { HistoryView, ProblemDocument, ReceiptState, RehearsalView } from '@courier-fleet/api-types'
import { namesPeople, narrowingIn, parseHistoryKey, receiptBytes } from '@courier-fleet/api-types'
import { eraseEverywhere, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startFleet } from '../../client/test/fleet.ts'
import { createDeliveryReports } from '../../couriers/src/engine/delivery-reports.ts'
import { peopleReached } from '../../store/src/history/known-people.ts'

const day = 86_400_000

describe('audiences by what people did', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  beforeEach(async () => {
    fleet = await startFleet()
    for (const [index, person] of ['anna', 'boris', 'clara'].entries())
      await fleet.fixture.directory.linkContact('telegram', person, String(1001 + index))
  })
  afterEach(() => fleet.stop())

  type As = 'trainer' | 'staff' | 'operator'
  const call = <T = ProblemDocument>(path: string, as: As, body?: unknown) =>
    fleet.service.call<T>(path, { method: body === undefined ? 'GET' : 'POST', as, ...(body ? { body } : {}) })
  const send = async (to: string[], as: As = 'trainer', more: object = {}) => {
    const { json, text } = await call<{ key: string }>('/v1/messages?wait=60s', as, { to, text: 'x', ...more })
    const key = (json as unknown as { history?: HistoryView }).history?.key
    if (key === undefined) throw new Error(text)
    return key
  }
  const peopleOf = async (key: string) => {
    const { json } = await call<{ receipts: { person: string }[] }>(`/v1/histories/${key}/receipts`, 'operator')
    return json.receipts.map(({ person }) => person)
  }
  const left = async (to: string[], as: As = 'trainer') => {
    const { json } = await call<RehearsalView>('/v1/audiences:resolve', as, { to })
    return [json.people, json.leftOut]
  }
  const refusal = async (to: string[], as: As = 'trainer') => {
    const { json } = await call('/v1/messages', as, { to, text: 'x' })
    const rehearsed = await call('/v1/audiences:resolve', as, { to })
    expect(rehearsed.json.code, 'a rehearsal says the same').to.equal(json.code)
    return [json.status, json.code, json.field]
  }

  /** The provider says later that the message has come to these. */
  async function reported(key: string, people: readonly string[], state: 'delivered' | 'read'): Promise<void> {
    const reports = createDeliveryReports({ redis: fleet.fixture.redis, channel: 'telegram' })
    const audience = await peopleOf(key)
    for (const person of people) {
      const ordinal = audience.indexOf(person)
      const providerId = `${key} ${person} ${state}`
      await reports.index([{ providerId, ref: parseHistoryKey(key), leg: 'telegram', ordinal }])
      await reports.receive({ providerIds: [providerId], state })
    }
    const { json } = await call<HistoryView>(`/v1/histories/${key}`, 'operator')
    expect(json.channels.telegram?.[state]).to.equal(people.length)
  }

  /** As if it had gone out and come to what it is so much earlier. */
  async function agedBy(key: string, ms: number): Promise<void> {
    const history = keys.history(parseHistoryKey(key))
    for (const field of ['started', 'settled']) await fleet.fixture.redis.hincrby(history, field, -ms)
    const { shard, sender, id } = parseHistoryKey(key)
    await fleet.fixture.redis.zincrby(keys.retention(shard), -ms, `${sender}:${id}`)
  }

  it('leave of a message those who are not known to have it, and go to them alone', async () => {
    const first = await send(['group:own'])
    expect(await left(['group:own', `unconfirmed:${first}`])).to.deep.equal([3, 0])
    await reported(first, ['anna'], 'delivered')
    expect(await left(['group:own', `unconfirmed:${first}`])).to.deep.equal([2, 1])
    const second = await send(['group:own', `unconfirmed:${first}`])
    expect(await peopleOf(second)).to.deep.equal(['boris', 'clara'])
    // frozen: what becomes known later takes nobody out of it
    await reported(first, ['anna', 'boris'], 'delivered')
    const { json } = await call<HistoryView>(`/v1/histories/${second}`, 'trainer')
    expect(json.to).to.deep.equal(['group:own', `unconfirmed:${first}`])
    expect(json.audience?.size).to.equal(2)
  })

  it('named by nothing else are those whom that message was addressed to, as they are now', async () => {
    const first = await send(['group:own'])
    await reported(first, ['anna'], 'delivered')
    await fleet.service.directory.removeMembers('own', ['boris'])
    const second = await send([`unconfirmed:${first}`])
    expect(await peopleOf(second)).to.deep.equal(['clara'])
    const third = await send([`unconfirmed:${second}`])
    expect(await peopleOf(third)).to.deep.equal(['clara'])
    // whoever may not write to them any more does not by another message of their own
    await fleet.service.directory.putGroup({ id: 'own', name: 'Own group', owners: ['trainer-2'] })
    expect(await refusal([`unconfirmed:${first}`])).to.deep.equal([403, 'not-your-audience', 'to.0'])
  })

  it('go by a message one of whose people was erased, whom it named singly', async () => {
    const first = await send(['user:anna', 'user:boris', 'user:clara'])
    const erased = { person: 'boris', name: 'Boris', addresses: [], by: 'admin-1' }
    await eraseEverywhere(fleet.fixture.redis, erased, async () => {}, true)
    await fleet.service.directory.deletePerson('boris')
    const { json } = await call<HistoryView>(`/v1/histories/${first}`, 'trainer')
    expect(json.to).to.deep.equal(['user:anna', 'user:~', 'user:clara'])
    expect(await left([`unconfirmed:${first}`])).to.deep.equal([2, 0])
    expect(await peopleOf(await send([`unconfirmed:${first}`]))).to.deep.equal(['anna', 'clara'])
  })

  it('say still that they left somebody, where the sender was erased of the message that they go by', async () => {
    const first = await send(['group:own'], 'staff')
    await reported(first, ['anna'], 'delivered')
    const second = await send(['group:own', `unconfirmed:${first}`], 'operator')
    const erased = { person: 'staff-1', name: 'Staff', addresses: [], by: 'admin-1' }
    await eraseEverywhere(fleet.fixture.redis, erased, async () => {}, true)
    const { json, text } = await fleet.service.call<HistoryView>(`/v1/histories/${second}`, { as: 'operator' })
    expect(text).to.not.contain('staff-1')
    expect(narrowingIn(json.to?.[1] ?? '')?.kind).to.equal('unconfirmed')
    expect(json.to?.filter(namesPeople)).to.deep.equal(['group:own'])
    expect(await peopleOf(await send([`unconfirmed:${second}`], 'operator'))).to.deep.equal(['boris', 'clara'])
  })

  it('leave of a message those whom it did not reach: nobody in whose chat it is, or who is still being sent to', async () => {
    await fleet.service.directory.addMembers('own', ['dmitri'])
    const first = await send(['group:own'])
    expect(await peopleOf(first)).to.deep.equal(['anna', 'boris', 'clara', 'dmitri'])
    expect(await left(['group:own', `unreached:${first}`]), 'of dmitri there is no contact').to.deep.equal([1, 3])
    const telegram = keys.receipts(parseHistoryKey(first), 'telegram')
    const write = (ordinal: number, state: ReceiptState) =>
      fleet.fixture.redis.setrange(telegram, ordinal, String.fromCharCode(receiptBytes[state]))
    for (const state of ['failed', 'suppressed', 'expired', 'cancelled', 'unknown'] as const) {
      await write(0, state)
      expect(await left([`unreached:${first}`]), state).to.deep.equal([2, 2])
    }
    for (const state of ['pending', 'sent', 'delivered', 'read', 'confirmed'] as const) {
      await write(0, state)
      expect(await left([`unreached:${first}`]), state).to.deep.equal([1, 3])
    }
    await write(0, 'unknown')
    const second = await send([`unreached:${first}`])
    expect(await peopleOf(second)).to.deep.equal(['anna', 'dmitri'])
    const scheduled = await call<{ key: string }>('/v1/messages', 'trainer', {
      to: ['group:own'],
      text: 'later',
      in: 3600,
    })
    expect(await left([`unreached:${scheduled.json.key}`]), 'all are still to be sent to').to.deep.equal([0, 4])
  })

  it('never add anybody, whatever they are named with', async () => {
    const first = await send(['group:own'])
    expect(await left(['user:anna', `unconfirmed:${first}`])).to.deep.equal([1, 0])
    expect(await left(['user:dmitri', `unconfirmed:${first}`], 'staff')).to.deep.equal([undefined, undefined])
    const ofStaff = await send(['user:anna'], 'staff')
    expect(await left(['group:own', 'user:dmitri', `unconfirmed:${ofStaff}`], 'staff')).to.deep.equal([1, 3])
    await reported(first, ['clara'], 'read')
    const both = ['group:own', 'unread:7d', `unconfirmed:${first}`]
    expect(await left(both)).to.deep.equal([2, 1])
    expect(await left([...both, 'group:own'].reverse())).to.deep.equal([2, 1])
  })

  it('leave those who are not known to have got anything for so many days', async () => {
    const first = await send(['group:own'])
    await reported(first, ['anna'], 'delivered')
    const second = await send(['user:boris'])
    await reported(second, ['boris'], 'read')
    expect(await left(['group:own', 'unread:7d'])).to.deep.equal([1, 2])
    await agedBy(first, 7 * day - 60_000)
    expect(await left(['group:own', 'unread:7d']), 'a minute before').to.deep.equal([1, 2])
    await agedBy(first, 120_000)
    expect(await left(['group:own', 'unread:7d']), 'a minute after').to.deep.equal([2, 1])
    expect(await left(['group:own', 'unread:8d'])).to.deep.equal([1, 2])
    expect(await left(['group:own', 'unread:1d'])).to.deep.equal([2, 1])
    await agedBy(second, 30 * day)
    expect(await left(['group:own', 'unread:7d'])).to.deep.equal([3, 0])
    expect(await peopleOf(await send(['group:own', 'unread:14d']))).to.deep.equal(['boris', 'clara'])
  })

  it('are about one’s own messages; those of operators about everybody’s', async () => {
    const first = await send(['group:own'], 'staff')
    await reported(first, ['anna'], 'delivered')
    expect(await left(['group:own', 'unread:7d'])).to.deep.equal([3, 0])
    expect(await left(['group:own', 'unread:7d'], 'staff')).to.deep.equal([2, 1])
    expect(await left(['group:own', 'unread:7d'], 'operator')).to.deep.equal([2, 1])
    expect(await refusal(['group:own', `unconfirmed:${first}`])).to.deep.equal([403, 'not-your-history', 'to.1'])
    expect(await left(['group:own', `unconfirmed:${first}`], 'operator')).to.deep.equal([2, 1])
  })

  it('are fixed for good: the same call again is answered with the same people, and bulk lines share them', async () => {
    const first = await send(['group:own'])
    const to = ['group:own', `unconfirmed:${first}`]
    const key = (await call<{ key: string }>('/v1/history-keys', 'trainer', {})).json.key
    const put = () =>
      fleet.service.call<{ audience: { size: number } }>(`/v1/histories/${key}`, {
        method: 'PUT',
        as: 'trainer',
        body: { to, text: 'x' },
      })
    const accepted = await put()
    await reported(first, ['anna'], 'delivered')
    const again = await put()
    expect([accepted.status, again.status]).to.deep.equal([201, 200])
    expect(again.json.audience).to.deep.equal(accepted.json.audience)

    const line = (more: string[]) => JSON.stringify({ to: [...to, ...more], text: 'in bulk' })
    const { text } = await fleet.service.call('/v1/messages:bulk', {
      method: 'POST',
      as: 'trainer',
      body: [line([]), line([]), line(['unread:7d']), line(['group:other']), line(['unread:99d'])].join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    const lines = text
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as { key?: string; code?: string; field?: string })
    expect(lines.map(({ code, field }) => code && [code, field])).to.deep.equal([
      undefined,
      undefined,
      undefined,
      ['not-your-audience', 'to.2'],
      ['too-far-back', 'to.2'],
    ])
    for (const { key: bulk } of lines.slice(0, 3)) expect(await peopleOf(bulk ?? '')).to.deep.equal(['boris', 'clara'])
  })

  it('read so many messages and people at most for one question', async () => {
    for (const people of [['anna', 'boris'], ['clara']]) {
      const key = await send(people.map((person) => `user:${person}`))
      await reported(key, people, 'delivered')
    }
    const { redis } = fleet.fixture
    const reached = async (messages: number, people: number, sender?: string) =>
      (await peopleReached({ redis, shards: 2 }, sender, Date.now() - day, { messages, people }))?.size
    for (const sender of ['trainer-1', undefined]) {
      expect(await reached(2, 3, sender)).to.equal(3)
      expect(await reached(1, 3, sender)).to.equal(undefined)
      expect(await reached(2, 2, sender)).to.equal(undefined)
    }
  })

  it('are refused where nothing is known, or nobody is named', async () => {
    expect(await refusal(['unread:7d'])).to.deep.equal([422, 'names-nobody', 'to.0'])
    expect(await refusal(['unread:7d', 'group:own', 'group:other'])).to.deep.equal([403, 'not-your-audience', 'to.2'])
    expect(await refusal(['group:own', 'unconfirmed:00.trainer-1.aaaaaaaaaaaa'])).to.deep.equal([
      422,
      'unknown-audience',
      'to.1',
    ])
    expect(await refusal(['group:own', 'unconfirmed:99.trainer-1.aaaaaaaaaaaa'])).to.deep.equal([
      422,
      'unknown-audience',
      'to.1',
    ])
    for (const token of ['unread:0d', 'unread:7', 'unread:1000d', 'unread:', 'unconfirmed:x', 'unconfirmed:'])
      expect(await refusal(['group:own', token])).to.deep.equal([422, 'invalid', 'to.1'])
    expect(await refusal(['group:own', 'unread:91d'])).to.deep.equal([422, 'too-far-back', 'to.1'])
    const later = await fleet.service.send()
    await fleet.service.call(`/v1/histories/${later}`, { method: 'DELETE', as: 'trainer' })
    expect(await refusal([`unconfirmed:${later}`, 'group:own'])).to.deep.equal([422, 'unknown-audience', 'to.0'])
    const first = await send(['user:anna'])
    await reported(first, ['anna'], 'delivered')
    const { json } = await call('/v1/messages', 'trainer', { to: [`unconfirmed:${first}`], text: 'x' })
    expect([json.status, json.code]).to.deep.equal([422, 'empty-audience'])
    expect(await left([`unconfirmed:${first}`])).to.deep.equal([0, 1])
  })
})
