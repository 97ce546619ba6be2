import type { DiaryView, ReceiptView } from '@courier-fleet/api-types'
import { parseHistoryKey, receiptBytes, typeOf } from '@courier-fleet/api-types'
import { bucketOf, evidenceOfLimit, keys, pageName, pageStart, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const hourMs = 3_600_000

/** As lua/allow.lua writes an entry. */
function entryOf(atMs: number, key: string, type: number, channels: number): Buffer {
  const head = Buffer.alloc(20)
  head.writeUInt8(19 + key.length, 0)
  head.writeUInt32BE(atMs - pageStart(atMs), 1)
  head.writeUInt8(type, 5)
  head.writeUInt16BE(channels, 6)
  return Buffer.concat([head, Buffer.from(key)])
}

describe("a person's diary", () => {
  let fleet: University
  let nowMs: number
  let earlier: number
  const url = 'GET /v1/people/student-1/diary'

  before(async () => {
    fleet = await startUniversity()
    nowMs = Math.floor(Date.now() / 1000) * 1000
    earlier = nowMs - hourMs
    const news = {
      ...typeOf([], 'news'),
      number: 7,
      interval: 'PT2H',
      caps: [{ n: 3, per: 'P7D', over: 'drop' as const }],
    }
    const stored = { types: [news], levels: [{ after: 5, least: 4 }] }
    await writeSettings(fleet.redis, { expected: 0, by: 'operator-1', stored })
    await until(
      async () => (await fleet.ask<DiaryView>(url, { as: 'student' })).json.room.length === 3,
      'the rules are known',
    )
    const page = (atMs: number) => keys.diary(bucketOf('student-1'), pageName(atMs))
    const write = (atMs: number, key: string, type: number, channels: number) =>
      fleet.redis.hset(page(atMs), 'student-1', entryOf(atMs, key, type, channels))
    await write(earlier, '00.trainer-1.message-1', 7, 0b101)
    await write(earlier - 48 * hourMs, '01.operator-1.message-2', 7, 0x8002)
  })
  after(() => fleet.stop())

  it('says what counted, the newest first, and what room each rule leaves, until when', async () => {
    const { status, json } = await fleet.ask<DiaryView>(url, { as: 'operator' })
    expect(status).to.equal(200)
    expect(json.entries).to.deep.equal([
      {
        at: new Date(earlier).toISOString(),
        type: 'news',
        messages: 1,
        channels: ['sms', 'telegram'],
        key: '00.trainer-1.message-1',
        contested: false,
      },
      {
        at: new Date(earlier - 48 * hourMs).toISOString(),
        type: 'news',
        messages: 1,
        channels: ['vk'],
        key: '01.operator-1.message-2',
        contested: true,
      },
    ])
    const room = json.room.map(({ rule, type, per, used, left, until: free }) => [rule, type, per, used, left, free])
    expect(room.slice(0, 2)).to.deep.equal([
      ['too-soon', 'news', 'PT2H', 1, 0, new Date(earlier + 2 * hourMs).toISOString()],
      ['capped', 'news', 'P7D', 2, 1, undefined],
    ])
    expect(json.room[2]).to.include({ rule: 'not-important', n: 5, per: 'day' })
  })

  it('is for the person, who does not see keys of histories that are not theirs, and for nobody else', async () => {
    const own = await fleet.ask<DiaryView>(url, { as: 'student' })
    expect(own.json.entries.map(({ key }) => key)).to.deep.equal([undefined, undefined])
    expect((await fleet.ask(url, { as: 'trainer' })).status).to.equal(403)
    expect((await fleet.ask('GET /v1/people/nobody/diary', { as: 'operator' })).status).to.equal(404)
  })

  it('a duplicate is told with its time, and with its key only to who may read that', async () => {
    const sent = await fleet.ask<{ key: string }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to: ['group:own'], text: 'Twice', channels: ['telegram'], at: new Date(Date.now() + hourMs).toISOString() },
    )
    const ref = parseHistoryKey(sent.json.key)
    const limit = { settings: 1, n: 1, per: 'P1D', until: new Date(nowMs).toISOString() }
    const earlierOf = async (key: string) => {
      const evidence = evidenceOfLimit({ ...limit, earlier: { at: new Date(earlier).toISOString(), key } })
      await fleet.redis.setrange(keys.receipts(ref, 'telegram'), 0, String.fromCharCode(receiptBytes.suppressed))
      await fleet.redis.hset(keys.evidence(ref, 'telegram'), '0', evidence)
      await fleet.redis.hset(keys.history(ref), 'state', 'running', 'expected', 'telegram', 'telegram:open', '1')
      const { json } = await fleet.ask<{ receipts: ReceiptView[] }>(`GET /v1/histories/${sent.json.key}/receipts`, {
        as: 'trainer',
      })
      return json.receipts[0]?.channels.telegram?.limit?.earlier
    }
    const at = new Date(earlier).toISOString()
    expect(await earlierOf('00.operator-1.message-9')).to.deep.equal({ at })
    const own = `00.${ref.sender}.message-9`
    expect(await earlierOf(own)).to.deep.equal({ at, key: own })
  })
})
