/** What a correction or a recall would do, as it is told before: nothing is written, and it is refused as the real one is. */
import {
  type CorrectionRehearsal,
  memberOf,
  type ProblemDocument,
  parseHistoryKey,
  type RecallRehearsal,
} from '@courier-fleet/api-types'
import { digestOfContact, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { dump } from '../../store/test/scripts/dump.ts'
import { startUniversity, type University } from './university.ts'

const hourMs = 3_600_000
const untouched = { attempting: 0, notSent: 0, untouched: 0 }
const trainer = { as: 'trainer' } as const

describe('a correction and a recall that are rehearsed', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    await fleet.set({ tariffs: { currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_000_000 }] } })
    for (const [index, person] of ['anna', 'boris', 'clara'].entries()) {
      await fleet.directory.linkContact('sms', person, `+7900222000${index}`)
      await fleet.directory.linkContact('vk', person, String(6001 + index))
      await fleet.directory.linkContact('telegram', person, String(8001 + index))
    }
  })
  afterEach(() => fleet.stop())

  /** As couriers of this channel leave it: everybody had it when it began, and each by a message that is known. */
  async function sentOn(channel: string, receipts = 'sss', ids = ['11', '12', '13']): Promise<string> {
    const body = { to: ['group:own'], text: 'On Monday', channels: [channel] }
    const { key } = (await fleet.ask<{ key: string }>('POST /v1/messages', trainer, body)).json
    const ref = parseHistoryKey(key)
    const now = Date.now()
    await fleet.redis
      .multi()
      .set(keys.receipts(ref, channel), Buffer.concat([Buffer.from(receipts), Buffer.alloc(12)]))
      .hset(keys.history(ref), { expected: channel, started: now, state: 'settled', settled: now })
      .hset(keys.history(ref), `${channel}:settled`, now)
      .zrem(keys.due(ref.shard), `${memberOf(ref)}:0`)
      .exec()
    const times = Buffer.concat([...receipts].map(() => Buffer.from([0, 0, 0, 1])))
    await fleet.redis.setrange(keys.receipts(ref, channel), receipts.length, times)
    for (const [ordinal, id] of ids.entries())
      await fleet.redis.hset(keys.evidence(ref, channel), String(ordinal), `#${id}`)
    return key
  }
  const correct = (key: string, body: object, who: Parameters<University['ask']>[1] = trainer) =>
    fleet.ask<CorrectionRehearsal & ProblemDocument>(`POST /v1/histories/${key}/corrections?dryRun=true`, who, body)
  const recall = (key: string, who: Parameters<University['ask']>[1] = trainer) =>
    fleet.ask<RecallRehearsal & ProblemDocument>(`DELETE /v1/histories/${key}?recall=true&dryRun=true`, who)
  const later = (ms: number) => {
    const nowMs = Date.now() + ms
    fleet.clock.now = () => nowMs
  }

  it('writes nothing: Redis is the same key by key', async () => {
    const key = await sentOn('sms', 'su\0')
    const before = await dump(fleet.redis)
    expect((await correct(key, { text: 'On Tuesday' })).status).to.equal(200)
    expect((await recall(key)).status).to.equal(200)
    expect(await dump(fleet.redis)).to.deep.equal(before)
  })

  it('says of whom what, and what the SMS cost: who may have it is told, who is still to be sent it gets the new text', async () => {
    const key = await sentOn('sms', 'su\0')
    const { json } = await correct(key, { text: 'On Tuesday' })
    expect(json).to.deep.include({ key, version: 2, people: 3 })
    const { cost, ...counts } = json.channels.sms ?? {}
    expect(counts).to.deep.equal({ ...untouched, edited: 0, followedUp: 2, uncorrected: 0, notSent: 1 })
    expect(cost).to.include({ people: 2, currency: 'RUB', partsEach: 2, parts: 4, millionths: 8_000_000 })
    const never = (await correct(key, { text: 'On Tuesday', followUp: 'never' })).json.channels.sms
    expect(never).to.include({ followedUp: 0, uncorrected: 2, notSent: 1 })
    expect(never).to.not.have.property('cost')
    // SMS edits nothing: who is told is told once
    const always = (await correct(key, { text: 'On Tuesday', followUp: 'always' })).json.channels.sms
    expect(always).to.deep.equal(json.channels.sms)
    const taken = (await recall(key)).json
    expect(taken.channels).to.deep.equal({ sms: { ...untouched, deleted: 0, replaced: 0, remaining: 2, notSent: 1 } })
    const attempted = await sentOn('sms', 'abf')
    expect((await correct(attempted, { text: 'On Tuesday' })).json.channels.sms).to.include({
      attempting: 2,
      untouched: 1,
    })
  })

  it('counts nobody as told whose phone that had it is theirs no more', async () => {
    const key = await sentOn('sms')
    const ref = parseHistoryKey(key)
    await fleet.directory.addContact('sms', 'anna', '+79002220099')
    const tried = (address: string) =>
      JSON.stringify([{ digest: digestOfContact(ref, address), shown: address.slice(-2), more: false, by: '1-1' }])
    await fleet.redis.hset(keys.tried(ref, 'sms'), { 0: tried('+79002220099'), 1: tried('+79002220098') })
    await fleet.redis.hset(keys.history(ref), 'sms:tried', '1')
    const told = async () => (await correct(key, { text: 'On Tuesday', followUp: 'where-needed' })).json.channels.sms
    expect(await told()).to.include({ followedUp: 2, uncorrected: 1 })
    await fleet.directory.unlinkContact('sms', 'anna', '+79002220099')
    expect(await told()).to.include({ followedUp: 1, uncorrected: 2 })
  })

  it('VK edits and deletes for a day; Telegram deletes for two, and edits for ever', async () => {
    const [vk, telegram] = [await sentOn('vk'), await sentOn('telegram', 'sss', ['11', '12,13', '14'])]
    const edits = async () => [
      (await correct(vk, { text: 'On Tuesday' })).json.channels.vk,
      (await correct(telegram, { text: 'On Tuesday' })).json.channels.telegram,
    ]
    const deletes = async () => [(await recall(vk)).json.channels.vk, (await recall(telegram)).json.channels.telegram]
    const edited = { ...untouched, uncorrected: 0, edited: 3, followedUp: 0 }
    // one of them has it in two messages
    const mostly = { ...edited, edited: 2, followedUp: 1 }
    const gone = { ...untouched, deleted: 3, replaced: 0, remaining: 0 }
    later(23 * hourMs)
    expect([await edits(), await deletes()]).to.deep.equal([
      [edited, mostly],
      [gone, gone],
    ])
    const always = (await correct(telegram, { text: 'On Tuesday', followUp: 'always' })).json.channels.telegram
    expect(always).to.deep.equal({ ...mostly, alsoTold: 2 })
    later(25 * hourMs)
    const still = { ...gone, deleted: 0, remaining: 3 }
    expect([await edits(), await deletes()]).to.deep.equal([
      [{ ...edited, edited: 0, followedUp: 3 }, mostly],
      [still, gone],
    ])
    later(49 * hourMs)
    expect(await deletes()).to.deep.equal([still, { ...gone, deleted: 0, replaced: 3 }])
  })

  it('of a message that has not begun nobody has it', async () => {
    const key = await fleet.send()
    expect((await correct(key, { text: 'On Tuesday' })).json).to.deep.equal({
      key,
      version: 2,
      people: 3,
      channels: {},
    })
    expect((await recall(key)).json).to.deep.equal({ key, people: 3, channels: {} })
  })

  it('is refused as the real one is', async () => {
    const key = await sentOn('vk')
    const codeOf = async (asked: Promise<{ status: number; json: ProblemDocument }>) => {
      const { status, json } = await asked
      return [status, json.code]
    }
    expect((await correct(key, { text: 'On Tuesday' }, { as: 'student' })).status).to.equal(403)
    expect((await recall(key, { as: 'student' })).status).to.equal(403)
    expect(await codeOf(correct(key, { text: 'On Monday' }))).to.deep.equal([422, 'cannot-correct'])
    const alone = await fleet.ask(`DELETE /v1/histories/${key}?dryRun=true`, trainer)
    expect([alone.status, alone.json.code, alone.json.field]).to.deep.equal([400, 'invalid', 'dryRun'])
    await fleet.ask(`POST /v1/histories/${key}/corrections`, trainer, { text: 'On Friday' })
    expect(await codeOf(correct(key, { text: 'On Tuesday' }))).to.deep.equal([409, 'in-progress'])
    later(15 * 24 * hourMs)
    const other = await sentOn('vk')
    await fleet.redis.hset(keys.history(parseHistoryKey(other)), 'settled', Date.now())
    expect(await codeOf(correct(other, { text: 'On Tuesday' }))).to.deep.equal([409, 'has-expired'])
    expect(await codeOf(recall(other))).to.deep.equal([409, 'has-expired'])
    later(0)
    await fleet.ask(`DELETE /v1/histories/${other}?recall=true`, trainer)
    expect(await codeOf(correct(other, { text: 'On Tuesday' }))).to.deep.equal([409, 'was-cancelled'])
    expect(await codeOf(recall(other))).to.deep.equal([409, 'was-cancelled'])
    const issued = (await fleet.ask<{ key: string }>('POST /v1/history-keys', trainer)).json.key
    expect(await codeOf(correct(issued, { text: 'On Tuesday' }))).to.deep.equal([404, 'unknown-key'])
  })
})
