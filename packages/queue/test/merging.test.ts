/** Which messages may go out as one with others, and that those lie where one script sees them. */
import { type Acceptance, type MessageInput, messageBody, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { mergeOf } from '../src/acceptance/merging.ts'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const reminder = { to: ['user:anna'], text: 'Your coupon is over soon', at: far, type: 'coupons' }

describe('messages that may go out as one', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
    const names = { name: { ru: 'Купоны', en: 'Coupons' } }
    for (const [id, more] of [
      ['coupons', { merge: 'PT60S' }],
      ['news', {}],
    ] as const)
      expect((await fleet.ask(`PUT /v1/types/${id}`, { as: 'operator' }, { ...names, ...more })).status).to.equal(201)
  })
  after(() => fleet.stop())

  const send = async (more: Partial<MessageInput> = {}) => {
    const { status, json } = await fleet.ask<Acceptance>(
      'POST /v1/messages',
      { as: 'trainer' },
      { ...reminder, ...more },
    )
    expect(status).to.equal(201)
    return parseHistoryKey(json.key)
  }
  const indexed = (shard: string, sender: string) =>
    fleet.redis.zrange(keys.merge(shard, sender, 'anna', 'coupons'), '0', '-1')

  it('lie in one shard, and are found there until they are cancelled', async () => {
    const refs = await Promise.all(Array.from({ length: 6 }, () => send()))
    const [{ shard, sender }] = refs as [(typeof refs)[number]]
    expect(new Set(refs.map((ref) => ref.shard)).size).to.equal(1)
    expect(await indexed(shard, sender)).to.have.members(refs.map(({ id }) => `${sender}:${id}`))
    for (const ref of refs) await fleet.ask(`DELETE /v1/histories/${shard}.${sender}.${ref.id}`, { as: 'trainer' })
    expect(await indexed(shard, sender)).to.deep.equal([])
    expect(await fleet.redis.hget(keys.history(refs[0] as (typeof refs)[number]), 'merge')).to.equal(null)
  })

  it('lie with reminders about whatever it is, asked for anew or not', async () => {
    const plain = await send()
    const about = await Promise.all([1, 2, 3].map((coupon) => send({ about: `coupon:${coupon}` })))
    const { shard, sender, id } = about[0] as typeof plain
    expect(new Set([plain, ...about].map((ref) => ref.shard)).size).to.equal(1)
    await fleet.ask(`DELETE /v1/histories/${shard}.${sender}.${id}`, { as: 'trainer' })
    const again = await send({ about: 'coupon:1' })
    const there = [plain, ...about.slice(1), again]
    expect(again.shard).to.equal(shard)
    expect(again.id).to.not.equal(id)
    expect(await indexed(shard, sender)).to.have.members(there.map((ref) => `${sender}:${ref.id}`))
    for (const ref of there) await fleet.ask(`DELETE /v1/histories/${shard}.${sender}.${ref.id}`, { as: 'trainer' })
  })

  it('of one event lie together, and are moved and cancelled with it', async () => {
    const at = (minutes: number) => new Date(Date.parse(far) + minutes * 60_000).toISOString()
    const put = (minutes: number) => fleet.ask('PUT /v1/events/opening', { as: 'trainer' }, { at: at(minutes) })
    expect((await put(0)).status).to.equal(201)
    const refs = await Promise.all(
      [-60, -30].map((offset) => send({ at: undefined, event: 'opening', offset, text: `${offset} s` })),
    )
    const [{ shard, sender }] = refs as [(typeof refs)[number]]
    expect((await put(10)).status).to.equal(200)
    const due = await fleet.redis.zrange(keys.merge(shard, sender, 'anna', 'coupons'), '0', '-1', 'WITHSCORES')
    const dueOf = (offset: number) => String(Date.parse(at(10)) + offset * 1000)
    expect(due).to.deep.equal([-60, -30].flatMap((offset, place) => [`${sender}:${refs[place]?.id}`, dueOf(offset)]))
    expect((await fleet.ask('DELETE /v1/events/opening', { as: 'trainer' })).status).to.equal(200)
    expect(await indexed(shard, sender)).to.deep.equal([])
  })

  it('are moved with their message', async () => {
    const ref = await send()
    const at = new Date(Date.parse(far) - 60_000).toISOString()
    const path = `/v1/histories/${ref.shard}.${ref.sender}.${ref.id}`
    expect((await fleet.ask(`PATCH ${path}`, { as: 'trainer' }, { at })).status).to.equal(200)
    const key = keys.merge(ref.shard, ref.sender, 'anna', 'coupons')
    expect(Number(await fleet.redis.zscore(key, `${ref.sender}:${ref.id}`))).to.equal(Date.parse(at))
  })

  const alone: [what: string, more: Partial<MessageInput>][] = [
    ['of a type without a window', { type: 'news' }],
    ['of no type', { type: undefined }],
    ['that is urgent', { class: 'urgent' }],
    ['to a group', { to: ['group:ivt-101'] }],
    ['to two people', { to: ['user:anna', 'user:boris'] }],
    ['with steps', { steps: [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT10M' }] } as never],
    ['that waits until people are online', { whenOnline: true } as never],
    ['that is asked before it is sent', { recheck: { url: 'https://example.org' } } as never],
    ['that asks to be confirmed', { confirm: true } as never],
    ['with data for programs', { data: { a: 1 } } as never],
    ['with a ceiling', { ceiling: { parts: 3 } } as never],
    ['with fields', { fields: { room: 'the hall' } } as never],
    ['in the language of each', { text: { ru: 'Купон', en: 'Coupon' } } as never],
    ['with a level of its own', { level: 1 }],
    ['with quiet hours of its own', { quiet: 'ignore' }],
  ]
  for (const [what, more] of alone)
    it(`one ${what} goes by itself`, () => {
      const types = [
        { ...type, id: 'coupons', merge: 'PT60S' },
        { ...type, id: 'news', number: 3 },
      ]
      const said = (input: object) => mergeOf(types, { ...messageBody.parse(reminder), ...input } as never)
      expect(said({})).to.deep.equal({ person: 'anna', windowMs: 60_000, channels: ['push', 'sms', 'telegram', 'vk'] })
      expect(said(more)).to.equal(undefined)
    })
})

const type = {
  number: 2,
  name: { ru: 'Купоны', en: 'Coupons' },
  level: 3 as const,
  optOut: 'allowed' as const,
  caps: [],
  quiet: 'respect' as const,
  senders: [],
}
