/** `fleet top` beside a fleet whose provider slows down: it says why, who waits and until when, as the service page does. */
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fleetCommand } from '../../packages/command-line/src/index.ts'
import { type Fleet, startFleet } from './fleet.ts'

describe('fleet top', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet()
  })
  after(() => fleet.stop())

  async function top(): Promise<string> {
    const out: string[] = []
    const code = await fleetCommand(['top'], {
      out: (text) => out.push(text),
      err: new PassThrough() as unknown as NodeJS.WriteStream,
      env: { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.apiKey },
      fleetFile: join(import.meta.dirname, 'there-is-none.json'),
    })
    expect(code).to.equal(0)
    return out.join('\n')
  }
  const says = (what: RegExp, text: string) =>
    until(async () => {
      const said = await top()
      return what.test(said) && said
    }, text)

  it('says that nothing is wrong where nothing is', async () => {
    expect(await says(/^Nothing is wrong\.$/m, 'all is well')).not.to.match(/asks to be sent less|in trouble/)
  })

  it("says why VK is slow in the provider's words, who waits and until when, and that nobody is lost", async () => {
    await fleet.sandbox.fault({ channel: 'vk', kind: 'throttle', seconds: 20, count: 1000 })
    const key = await fleet.api.send({ to: ['group:ivt-101'], text: 'Медленно', channels: ['vk'] })
    // the pause is known at once, why and since when with the next sign of life of the courier
    const said = await says(
      /^VK asks to be sent less since \d{4}-\S+Z: “VK says 9: Flood control”\. 18 people wait\. (It asks to wait for \d+ s more|As it goes now, done at about \d{4}-\S+Z)\.$/m,
      'it says why',
    )
    expect(said).to.include('\nNobody is lost: everyone who waits is accounted for.\n')
    expect(said).not.to.include('Nothing is wrong.')
    await fleet.sandbox.clearFaults()
    expect((await fleet.api.track(key)).settled).to.equal(true)
    await says(/^Nothing is wrong\.$/m, 'it is over')
  })

  it('names the messages of anybody that an operator should look at, and why', async () => {
    const sender = await fleet.apiOf('t-01', 'trainer')
    const key = await sender.send({
      to: ['group:ivt-101'],
      text: 'Ждёт решения',
      at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await fleet.api.call('PUT', '/v1/people/t-01', { name: 'Бывший преподаватель', role: 'student' })
    await fleet.api.call('PATCH', `/v1/histories/${key}`, { at: 'now' })
    const said = await says(/^Messages in trouble:$/m, 'it is held')
    expect(said).to.include(`\n${key} of Бывший преподаватель: waits for an operator; Ждёт решения`)
  })
})
