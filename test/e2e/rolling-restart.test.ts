import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Api } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const group = 'ivt-102'
const expected = goodContacts(membersOf(group))
const everyMs = 150

describe('a rolling restart of the whole fleet, under load', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 2, sms: 2 },
      // so slow that something is always on its way
      env: {
        TELEGRAM_RATE_PER_SECOND: '120',
        SMS_PER_SECOND: '120',
        VK_CALLS_PER_SECOND: '5',
        SMS_WINDOW: '10',
      },
    })
  })
  after(() => fleet.stop())

  it('every process stops well, and everything is sent exactly once, nothing unknown', async () => {
    const load = startLoad(fleet.api)
    await until(async () => (await fleet.sandbox.accepted()).length > 20, 'sending has begun')
    for (const name of fleet.names) {
      const asked = performance.now()
      expect(await fleet.kill(name, 'SIGTERM'), name).to.equal(0)
      expect(performance.now() - asked, `${name}: ms to stop`).to.be.below(10_000)
      await fleet.start(name)
    }
    const sent = await load.stop()
    expect(sent.length).to.be.above(20)

    await Promise.all(
      sent.map(async ({ key, text }) => {
        const { settled, history } = await fleet.api.track(key, 30)
        expect(settled, text).to.equal(true)
        for (const ledger of Object.values(history.channels)) {
          expect(ledger, text).to.include({ pending: 0, unknown: 0 })
        }
      }),
    )
    const accepted = await fleet.sandbox.accepted()
    for (const { text } of sent) {
      expect(addressesIn(accepted.filter((row) => row.text === text)), text).to.deep.equal(expected)
    }
    expect(accepted).to.have.length(sent.length * expected.length)
  }).timeout(120_000)
})

/** Puts message after message, each as often as it takes: the API is away while it is restarted. */
function startLoad(api: Api): { stop(): Promise<{ key: string; text: string }[]> } {
  const sent: { key: string; text: string }[] = []
  let stopped = false

  async function callUntilAnswered<T>(method: string, path: string, body: unknown): Promise<T> {
    return until(async () => {
      const answer = await api.call<T>(method, path, body).catch(() => undefined)
      if (!answer || answer.status >= 500) return undefined
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    }, `${method} ${path} is answered`)
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const text = `по кругу ${sent.length + 1}`
      const { key } = await callUntilAnswered<{ key: string }>('POST', '/v1/history-keys', {})
      await callUntilAnswered('PUT', `/v1/histories/${key}`, { to: [`group:${group}`], text })
      sent.push({ key, text })
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      await running
      return sent
    },
  }
}
