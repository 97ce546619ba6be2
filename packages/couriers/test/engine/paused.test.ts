import { joinFleet } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startUniversity, type University } from '../../../queue/test/university.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const operator = { as: 'operator' } as const

describe('engine: a channel that an operator has paused', () => {
  let fixture: Fixture
  let university: University
  beforeEach(async () => {
    fixture = await createFixture()
    await joinFleet(fixture.redis, 2)
    university = await startUniversity(undefined, fixture)
  })
  afterEach(async () => {
    await university.stop()
    await fixture.stop()
  })

  it('claims nothing, is ready again once it is resumed, and the audit says who it was', async () => {
    const courier = fakeCourier()
    const runner = await fixture.run(courier)
    const people = await fixture.people(30)
    expect((await university.ask('PUT /v1/channels/vk/pause', operator)).json).to.include({ pausedBy: 'operator-1' })
    await until(() => runner.readiness.notReady()?.why === 'operator-1 has paused the channel', 'it knows')
    const ref = await fixture.put(people)
    await until(async () => (await fixture.get(ref)).state === 'running', 'it runs')
    const { channels } = (
      await university.ask<{ channels: { channel: string; paused?: object; backlog: { waiting: number } }[] }>(
        'GET /v1/channels',
        operator,
      )
    ).json
    expect(channels.find(({ channel }) => channel === 'vk')?.paused).to.include({ pausedBy: 'operator-1' })
    expect((await university.ask('GET /readyz')).status).to.equal(200)
    expect(courier.handed).to.have.length(0)
    expect((await university.ask('DELETE /v1/channels/vk/pause', operator)).status).to.equal(204)
    expect((await fixture.settled(ref)).channels.vk?.sent).to.equal(30)
    const { lines } = (
      await university.ask<{ lines: { action: string; by: string; before?: string }[] }>(
        'GET /v1/audit?limit=2',
        operator,
      )
    ).json
    expect(lines.map(({ action, by }) => [action, by])).to.deep.equal([
      ['channel.resumed', 'operator-1'],
      ['channel.paused', 'operator-1'],
    ])
    expect(lines[0]?.before).to.match(/^paused by operator-1 since 20/)
  })
})
