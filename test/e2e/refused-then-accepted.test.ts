import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'

/** a student of the demo, on VK only */
const to = ['user:s-ivt-101-02']
const [frozen, other] = ['courier-vk-1', 'courier-vk-2']

describe('somebody whom one courier was refused and another brings the message to', () => {
  let fleet: Fleet
  let server: OwnRedis
  const lines = createLines()

  before(async () => {
    server = await ownRedis()
    fleet = await startFleet({
      redis: server,
      couriers: { telegram: 0, vk: 2, sms: 0 },
      // the frozen one still waits for its answer when it wakes up
      env: { LEASE_MS: '2000', VK_DEADLINE_MS: '120000' },
      settings: (courier) => (courier.name === frozen ? lines.lead(courier) : {}),
    })
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
    await server.stop()
  })

  it('is said to have it, once, however late the first courier wakes up', async () => {
    const text = 'сначала нет, потом да'
    await fleet.kill(other, 'SIGTERM')
    lines.silence(frozen)
    const key = await fleet.api.send({ to, text, channels: ['vk'] })
    const receipts = keys.receipts(parseHistoryKey(key), 'vk')
    await until(
      async () => (await server.redis().getrange(receipts, 0, 0)) === 'a',
      'the first courier is about to send',
    )
    fleet.signal(frozen, 'SIGSTOP')

    await fleet.sandbox.fault({ channel: 'vk', kind: 'refuse-once', count: 1 })
    await fleet.start(other)
    expect((await fleet.api.track(key)).settled).to.equal(true)
    const [refused] = await fleet.api.receipts(key)
    expect(refused?.channels.vk).to.include({ state: 'failed', reason: 'blocked' })

    fleet.signal(frozen, 'SIGCONT')
    await lines.release(frozen)
    await until(async () => (await fleet.sandbox.accepted(text)).length === 1, 'the first courier has sent')
    await until(async () => (await fleet.api.history(key)).channels.vk?.sent === 1, 'it has said so')
    const [row] = await fleet.api.receipts(key)
    expect(row?.channels.vk?.state).to.equal('sent')
    expect(row?.channels.vk).to.have.property('providerId')
    expect(row?.channels.vk).to.not.have.any.keys('reason', 'detail')
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })
})
