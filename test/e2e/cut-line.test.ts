/**
 * Two couriers of a channel, of which one or both are cut off from their provider. A lease is longer than anything here waits for: what one of them keeps
 * for itself comes to nobody in time.
 */
import type { ChannelList } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines, type Lines } from './lines.ts'
import { addressesIn, goodContacts, studentsOf } from './roster.ts'

const to = ['cohort:all-students']
const everyone = studentsOf('all-students')

for (const channel of ['sms', 'telegram'] as const)
  describe(`two couriers of ${channel}, and a line that is cut`, () => {
    let fleet: Fleet
    let lines: Lines
    const [first, second] = [1, 2].map((number) => `courier-${channel}-${number}`) as [string, string]
    before(async () => {
      lines = createLines()
      const couriers = { telegram: 0, vk: 0, sms: 0, [channel]: 2 }
      fleet = await startFleet({ couriers, env: { LEASE_MS: '600000' }, settings: lines.lead })
    })
    after(async () => {
      await fleet.stop()
      await lines.close()
    })

    const told = async () => {
      const { channels } = await fleet.api.get<ChannelList>('/v1/channels')
      return channels.find((each) => each.channel === channel)
    }
    const courierOf = async (name: string) => (await told())?.couriers.find((each) => each.name === name)
    const untilNotReady = (name: string) => until(async () => (await courierOf(name))?.notReady, `${name} is not ready`)
    /** tried again every half a minute at last */
    const untilReady = (name: string) => until(async () => (await courierOf(name))?.ready === true, `${name} is ready`)
    const expectEveryoneOnce = async (text: string) =>
      expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(goodContacts(everyone, [channel]))

    it('takes no work from the healthy one; and is named, with since when and why', async () => {
      const cutAt = Date.now()
      await lines.cut(first)
      const { since, why } = await untilNotReady(first)
      // every process has a clock of its own, which nobody sets
      expect(Date.parse(since)).to.be.within(cutAt - 1_000, Date.now() + 1_000)
      expect(why).not.to.equal('')
      await until(async () => (await told())?.ready === true, 'the channel is ready')
      await untilReady(second)
      expect(await courierOf(first)).to.include({ ready: false, inFlight: 0 })

      const { history } = await fleet.api.deliver({ to, text: 'один отрезан', channels: [channel] })
      expect(history.channels[channel]).to.include({ unknown: 0, pending: 0 })
      await expectEveryoneOnce('один отрезан')
    })

    it('does not delay an urgent message behind a long one', async () => {
      const key = await fleet.api.send({ to, text: 'длинное', channels: [channel], class: 'bulk' })
      await fleet.api.deliver({ to: ['user:t-01'], text: 'срочно', channels: [channel], class: 'urgent' })
      expect((await fleet.api.track(key)).settled).to.equal(true)
      await expectEveryoneOnce('длинное')
    })

    it('hands back at once what it holds when its line is cut in the middle', async () => {
      await lines.release(first)
      await untilReady(first)
      const key = await fleet.api.send({ to, text: 'посреди', channels: [channel] })
      await until(async () => (await fleet.sandbox.accepted('посреди')).length > 0, 'it has begun')
      await lines.cut(first)
      const { settled, history } = await fleet.api.track(key)
      expect(settled).to.equal(true)
      const { sent = 0, delivered = 0, unknown = 0 } = history.channels[channel] ?? {}
      expect(sent + delivered + unknown).to.equal(goodContacts(everyone, [channel]).length)
      if (channel === 'telegram') expect(unknown, 'resends are folded').to.equal(0)
      const addresses = (await fleet.sandbox.accepted('посреди')).map(({ address }) => address)
      expect(new Set(addresses).size, 'nobody twice').to.equal(addresses.length)
    })

    it('with both cut everything waits, as is told, and all get it once a line is back', async () => {
      await lines.cut(second)
      for (const name of [first, second]) await untilNotReady(name)
      const key = await fleet.api.send({ to, text: 'оба отрезаны', channels: [channel] })
      await until(async () => (await fleet.api.history(key)).state === 'running', 'it has started')
      const channelNow = await until(async () => {
        const now = await told()
        return (now?.backlog.waiting ?? 0) > 0 && now
      }, 'people wait')
      expect(channelNow.ready).to.equal(false)
      expect(channelNow.couriers.every(({ notReady }) => notReady !== undefined)).to.equal(true)
      expect(channelNow.backlog).to.include({ inProgress: 0, pausedForMs: 0 })
      expect(await fleet.sandbox.accepted('оба отрезаны')).to.deep.equal([])
      await lines.release(second)
      await untilReady(second)
      const { settled, history } = await fleet.api.track(key)
      expect(settled).to.equal(true)
      expect(history.channels[channel]).to.include({ unknown: 0 })
      await expectEveryoneOnce('оба отрезаны')
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
    })
  })
