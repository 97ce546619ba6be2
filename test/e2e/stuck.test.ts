import type { ChannelList } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

describe('a channel without a courier', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet()
  })
  after(() => fleet.stop())

  const channel = async (name: string) => {
    const { channels } = await fleet.api.get<ChannelList>('/v1/channels')
    const found = channels.find((each) => each.channel === name)
    if (!found) throw new Error(`${name} is not listed`)
    return found
  }
  /** What is told may be a second old. */
  const nothingIsLeft = (name: string) =>
    until(async () => {
      const { waiting, unclaimed, oldestUnclaimedMs, inProgress, abandoned } = (await channel(name)).backlog
      return [waiting, unclaimed, oldestUnclaimedMs, inProgress, abandoned].every((each) => each === 0)
    }, `nothing of ${name} is left`)
  const metrics = async () => (await fetch(`${fleet.apiUrl}/metrics`)).text()

  it('is named with what waits for it and how long, until a courier is back', async () => {
    await fleet.kill('courier-sms-1', 'SIGTERM') // one that is killed is believed alive until its heartbeat lapses
    const key = await fleet.api.send({ to: ['group:ivt-101'], text: 'кто-нибудь?' })
    const sms = await until(async () => {
      const found = await channel('sms')
      return found.backlog.unclaimed === 1 && found.backlog.oldestUnclaimedMs > 0 && found
    }, 'an entry waits for sms')
    expect(sms).to.deep.include({ ready: false, couriers: [] })
    expect(sms.backlog).to.include({ inProgress: 0, abandoned: 0, stuck: false })
    await until(
      async () => (await channel('sms')).backlog.oldestUnclaimedMs > sms.backlog.oldestUnclaimedMs,
      'it is told how long it has waited',
    )
    await until(async () => {
      const told = await metrics()
      return ['fleet_unclaimed_entries{channel="sms"} 1', 'fleet_couriers_ready{channel="sms"} 0'].every((line) =>
        told.includes(line),
      )
    }, 'the metrics say so')

    await until(async () => (await fleet.api.history(key)).channels.vk?.state === 'settled', 'vk has settled')
    await nothingIsLeft('vk')

    await fleet.start('courier-sms-1')
    expect((await fleet.api.track(key, 60)).settled).to.equal(true)
    await nothingIsLeft('sms')
    expect((await fetch(`${fleet.apiUrl}/readyz`)).status).to.equal(200)
  })
})
