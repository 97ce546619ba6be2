/** Processes of two versions side by side on one Redis, there and back, while messages go out: no older build is needed, see tools/launch/src/next-version.mjs. */
import { parseHistoryKey } from '@courier-fleet/api-types'
import { nextVersion } from '@courier-fleet/launch'
import { fleetVersion } from '@courier-fleet/process'
import { keys, readProcesses } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { startLoad } from './load.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const group = 'ivt-102'
const expected = goodContacts(membersOf(group))

describe('a rolling upgrade, and the way back, under load', function () {
  this.timeout(900_000)
  let server: OwnRedis
  let fleet: Fleet
  const isNext = new Set<string>()

  before(async () => {
    server = await ownRedis()
    fleet = await startFleet({
      redis: server,
      couriers: { vk: 2 },
      env: { TELEGRAM_RATE_PER_SECOND: '120', SMS_PER_SECOND: '120', VK_CALLS_PER_SECOND: '5', SMS_WINDOW: '10' },
      nodeArguments: nextVersion.nodeArguments,
      envOf: (name) => (isNext.has(name) ? nextVersion.env : {}),
    })
  })
  after(async () => {
    await fleet.stop()
    await server.stop()
  })

  it('everything is sent exactly once, by whichever version has it in hand', async () => {
    const load = startLoad(fleet.api, group)
    await until(async () => (await fleet.sandbox.accepted()).length > 20, 'sending has begun')
    // as docs/upgrading.md has it: what writes comes after what reads, and goes back before it
    for (const name of ['courier-vk-1', 'courier-telegram-1', 'courier-sms-1', 'timekeeper', 'queue'])
      await restart(name, () => isNext.add(name))
    for (const name of ['queue', 'courier-vk-1']) await restart(name, () => isNext.delete(name))
    const sent = await load.stop()

    await Promise.all(
      sent.map(async ({ key, text }) => {
        const { settled, history } = await fleet.api.track(key, 60)
        expect(settled, text).to.equal(true)
        for (const ledger of Object.values(history.channels))
          expect(ledger, text).to.include({ pending: 0, unknown: 0 })
      }),
    )
    const accepted = await fleet.sandbox.accepted()
    for (const { text } of sent)
      expect(addressesIn(accepted.filter((row) => row.text === text)), text).to.deep.equal(expected)
    const wokenByNext = await Promise.all(
      sent.map(({ key }) => server.redis().hexists(keys.history(parseHistoryKey(key)), 'next')),
    )
    const versions = new Map((await readProcesses(server.redis())).map(({ name, version }) => [name, version]))
    for (const [name, version] of versions)
      expect(version, name).to.equal(`${fleetVersion()}${isNext.has(name) ? '-next' : ''}`)
    expect(versions.has('courier-telegram-1')).to.equal(true)
    expect(new Set(wokenByNext), 'both have had them in hand').to.deep.equal(new Set([0, 1]))
  })

  async function restart(name: string, change: () => void): Promise<void> {
    expect(await fleet.kill(name, 'SIGTERM'), name).to.equal(0)
    change()
    await fleet.start(name)
  }
})
