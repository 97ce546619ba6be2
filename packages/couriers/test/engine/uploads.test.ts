/** Two processes of one account, one of which stood still until its lease had lapsed. */
import { silentLog, systemClock } from '@courier-fleet/process'
import { keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Given } from '../../src/courier.ts'
import { createUploads } from '../../src/engine/uploads.ts'
import { messageFiles } from '../message-files.ts'
import { neverAborted } from '../vk/fixture.ts'

describe('a file that two processes upload, for one stood still', () => {
  const { bytesOf, file } = messageFiles()
  const plan = file('plan00000000', 'plan.pdf', Buffer.from('%PDF-1.7'))
  const key = keys.fileReference('vk', 'account', plan.id)
  const waitMs = 60_000

  let server: FreshRedis
  before(async () => {
    server = await freshRedis()
  })
  after(() => server.stop())
  beforeEach(() => server.redis.flushdb())

  const process = () =>
    createUploads({
      redis: server.redis,
      courier: () => ({ channel: 'vk', account: 'account' }),
      readFile: async ({ id }) => bytesOf.get(id) ?? 'gone',
      clock: systemClock,
      log: silentLog,
    })
  const given: Given = { kind: 'given', reference: 'doc-1_2' }

  /** The first gets its answer once the second has given the file under a lease of its own. */
  async function afterTheSecond(answer: (first: ReturnType<typeof process>) => Given) {
    const [first, second] = [process(), process()]
    const late = async () => {
      await server.redis.del(key)
      expect(await second.upload(plan, async () => given, waitMs, neverAborted)).to.deep.equal(given)
      return answer(first)
    }
    const outcome = await first.upload(plan, late, waitMs, neverAborted)
    for (const each of [first, second]) each.stop()
    return { outcome, kept: await server.redis.get(key) }
  }

  it('goes by what the other was told, where it was refused itself', async () => {
    const { outcome, kept } = await afterTheSecond(() => ({ kind: 'refused', detail: 'no room' }))
    expect(kept).to.equal('=doc-1_2')
    expect(outcome).to.deep.equal(given)
  })

  it('leaves what the other was told, where it cannot give it now', async () => {
    const { kept } = await afterTheSecond((first) => {
      first.stop()
      return { kind: 'later', outcome: { kind: 'not-sent', why: 'told to stop' } }
    })
    expect(kept).to.equal('=doc-1_2')
  })

  it('forgets a reference only while it is the one that is not known any more', async () => {
    const uploads = process()
    await server.redis.set(key, '=doc-1_3')
    await uploads.forget(plan, 'doc-1_2')
    expect(await server.redis.get(key)).to.equal('=doc-1_3')
    await uploads.forget(plan, 'doc-1_3')
    expect(await server.redis.get(key)).to.equal(null)
    uploads.stop()
  })
})
