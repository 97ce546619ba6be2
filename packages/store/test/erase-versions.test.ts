import { type HistoryRef, parseHistoryKey } from '@courier-fleet/api-types'
import { freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { eraseFromMessage } from '../src/erasure/erase-from-message.ts'
import {
  connectRedis,
  createHistories,
  keys,
  parseRecord,
  type RedisNode,
  recipientOfUrl,
  type Snapshot,
} from '../src/index.ts'

describe('erasing somebody from a message that was corrected', () => {
  let fresh: Awaited<ReturnType<typeof freshRedis>>
  let redis: RedisNode
  before(async () => {
    fresh = await freshRedis()
    redis = connectRedis(fresh.url, { name: 'erase-versions' }) as RedisNode
  })
  after(async () => {
    redis.disconnect()
    await fresh.stop()
  })

  async function corrected(audience: readonly string[]): Promise<HistoryRef> {
    const histories = createHistories({ redis, shards: 2 })
    const ref = parseHistoryKey(await histories.issue('dean'))
    const times = { dueMs: Date.now() + 3_600_000, expiresMs: 0 }
    const message = { source: 'api', text: 'On Monday', to: ['group:own'], class: 'normal', ...times } as const
    await histories.put({ ref, issued: true, digest: 'one', audience, ...message })
    const snapshot = (await histories.snapshot(ref)) as Snapshot
    const how = { followUp: 'where-needed', intro: 'Correction:', by: 'operator-1', atMs: Date.now() } as const
    await histories.correct(snapshot, { text: 'On Tuesday', ...how })
    return ref
  }
  const kept = async (ref: HistoryRef) => JSON.stringify(await redis.hgetall(keys.versions(ref)))

  it('takes them away as authors, and leaves the texts', async () => {
    const ref = await corrected(['anna', 'boris'])
    expect(await eraseFromMessage(redis, ref, 'operator-1')).to.equal(true)
    expect(await kept(ref)).to.not.contain('operator-1')
    expect(await kept(ref)).to.contain('Monday')
  })

  it('takes away the texts that were for them alone', async () => {
    const ref = await corrected(['anna'])
    expect(await eraseFromMessage(redis, ref, 'anna')).to.equal(true)
    for (const word of ['Monday', 'Tuesday']) expect(await kept(ref)).to.not.contain(word)
  })

  it('takes away their values of each of its texts, and leaves those of others', async () => {
    const histories = createHistories({ redis, shards: 2 })
    const ref = parseHistoryKey(await histories.issue('dean'))
    const message = { source: 'api', text: 'Room {{room}}', to: ['group:own'], class: 'normal' } as const
    const valuesOf = (mark: string) => ({
      fields: {},
      each: { anna: { room: `${mark}-a` }, boris: { room: `${mark}-b` } },
    })
    const audience = ['anna', 'boris']
    const times = { dueMs: Date.now() + 3_600_000, expiresMs: 0 }
    await histories.put({ ref, issued: true, digest: 'one', audience, ...message, personal: valuesOf('old'), ...times })
    const snapshot = (await histories.snapshot(ref)) as Snapshot
    const how = { followUp: 'where-needed', intro: 'Correction:', by: 'dean', atMs: Date.now() } as const
    await histories.correct(snapshot, { text: 'Hall {{room}}', personal: valuesOf('new'), ...how })
    expect(await eraseFromMessage(redis, ref, 'anna')).to.equal(true)
    const left = `${await kept(ref)} ${await redis.get(keys.record(ref))}`
    for (const word of ['old-a', 'new-a', 'anna']) expect(left).to.not.contain(word)
    for (const word of ['old-b', 'new-b', 'Hall', 'Room']) expect(left).to.contain(word)
  })

  it('takes away what programs are told of them, and of a message for others nothing that these are written', async () => {
    const histories = createHistories({ redis, shards: 2 })
    const recordOf = async (to: readonly string[], audience: readonly string[]) => {
      const ref = parseHistoryKey(await histories.issue('dean'))
      const times = { dueMs: Date.now() + 3_600_000, expiresMs: 0 }
      const message = { source: 'api', text: 'Fire drill', subject: 'Noon', class: 'normal', ...times } as const
      await histories.put({ ref, issued: true, digest: 'one', to, audience, data: { absent: ['anna'] }, ...message })
      expect(await eraseFromMessage(redis, ref, 'anna')).to.equal(true)
      return redis.get(keys.record(ref))
    }
    const url = 'https://hooks.example/door'
    const [ofOthers, withThem, toUrl] = [
      await recordOf(['group:own'], ['boris', 'vera']),
      await recordOf(['group:own'], ['anna', 'boris']),
      await recordOf([`url:${url}`], [recipientOfUrl(url)]),
    ]
    for (const record of [ofOthers, withThem, toUrl]) expect(record).to.not.contain('anna')
    for (const record of [ofOthers, withThem]) expect(record).to.contain('Fire drill').and.contain('Noon')
    expect(toUrl, 'it is about them').to.not.contain('Fire drill')
  })

  it('takes away what was for them alone in each of its languages, with the values of its fields', async () => {
    const histories = createHistories({ redis, shards: 2 })
    const recordOf = async (audience: readonly string[]) => {
      const ref = parseHistoryKey(await histories.issue('dean'))
      const times = { dueMs: Date.now() + 3_600_000, expiresMs: 0 }
      const personal = { language: 'en', texts: { ru: 'Вера, {{room}}' }, fields: { room: 'at Vera’s' } }
      const message = { source: 'api', text: 'Vera, {{room}}', personal, to: ['group:own'], class: 'normal' } as const
      await histories.put({ ref, issued: true, digest: 'one', audience, ...message, ...times })
      expect(await eraseFromMessage(redis, ref, 'anna')).to.equal(true)
      return redis.get(keys.record(ref))
    }
    const words = ['Vera', 'Вера', 'room']
    for (const word of words) expect(await recordOf(['anna'])).to.not.contain(word)
    for (const word of words) expect(await recordOf(['anna', 'boris']), 'others read it still').to.contain(word)
  })

  it('takes away their id where a message of theirs is named, and leaves that one was meant', async () => {
    const histories = createHistories({ redis, shards: 2 })
    const ref = parseHistoryKey(await histories.issue('dean'))
    const times = { dueMs: Date.now() + 3_600_000, expiresMs: 0 }
    const to = ['group:own', 'unconfirmed:01.olga.aaaaaaaa', 'unreached:01.olga-2.bbbbbbbb', 'unread:7d']
    const message = { source: 'api', text: 'Again', to, class: 'normal', audience: ['anna', 'boris'] } as const
    await histories.put({ ref, issued: true, digest: 'one', ...message, ...times })
    expect(await eraseFromMessage(redis, ref, 'olga')).to.equal(true)
    expect(parseRecord((await redis.get(keys.record(ref))) as string).to).to.deep.equal([
      'group:own',
      'unconfirmed:01.~.aaaaaaaa',
      'unreached:01.olga-2.bbbbbbbb',
      'unread:7d',
    ])
    expect(await eraseFromMessage(redis, ref, 'olga')).to.equal(false)
  })
})
