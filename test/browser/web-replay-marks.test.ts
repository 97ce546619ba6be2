/** What happened while a message went out is marked in its replay: a courier that was killed, a provider that asked for less, Redis away. */
import type { ReplayMark } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { keys } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { createLines } from '../e2e/lines.ts'
import { launchChromium } from './chromium.ts'
import { expectFine } from './looks.ts'
import { visit } from './visit.ts'

const leaseMs = 1500

/** The timekeeper that watches has begun to look twice: once it has looked at all processes that there are. */
async function lookedTwice(server: OwnRedis): Promise<void> {
  const redis = server.redis()
  let leftMs = Number.POSITIVE_INFINITY
  for (const look of ['once', 'twice'])
    await until(async () => {
      const beforeMs = leftMs
      leftMs = await redis.pttl(keys.watcher)
      return leftMs > beforeMs
    }, `the timekeeper has looked ${look}`)
}

describe('the marks of a replay', () => {
  let redis: OwnRedis
  let fleet: Fleet
  let browser: Browser
  let key: string
  const lines = createLines()

  before(async () => {
    const settings = (courier: Parameters<typeof lines.lead>[0]) =>
      courier.channel === 'telegram' ? lines.lead(courier) : {}
    const env = { LEASE_MS: String(leaseMs) }
    redis = await ownRedis()
    ;[fleet, browser] = await Promise.all([startFleet({ demoNames: true, redis, env, settings }), launchChromium()])
    await fleet.sandbox.fault({ channel: 'vk', kind: 'throttle', seconds: 5, count: 100_000 })
    lines.hold('courier-telegram-1')
    const own = await fleet.apiOf('t-01', 'trainer')
    key = await own.send({ to: ['group:ivt-102'], text: 'С помехами', channels: ['telegram', 'vk'] })
    const client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
    const isSlow = async () =>
      (await client.channels()).channels.some(
        ({ channel, couriers }) => channel === 'vk' && couriers.some(({ lately }) => lately?.slowDown !== undefined),
      )
    const isMarked = async (what: ReplayMark['what']) =>
      (await client.replay(key)).marks.some((mark) => mark.what === what)

    await until(async () => (await fleet.sandbox.accepted('С помехами')).length > 0, 'Telegram is in the middle of it')
    await until(isSlow, 'VK asks to be sent less')
    await lookedTwice(redis)
    await fleet.kill('courier-telegram-1')
    await fleet.start('courier-telegram-1')
    await until(() => isMarked('taken-over'), 'another process has gone on')
    // by whoever looks at processes and providers at once: it has seen VK, too
    await until(() => isMarked('process-gone'), 'it is noted that a process was gone')
    await redis.restart()
    await fleet.sandbox.clearFaults()
    // it is not there at once for everybody
    await until(() => isMarked('redis-away').catch(() => false), 'it is noted that Redis was away')
    await own.track(key, 120)
    await until(() => isMarked('slow-down'), 'it is noted that VK had asked to be sent less')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
    await redis?.stop()
    await lines.close()
  })

  const said = {
    ru: [
      /^Telegram: один процесс замолчал, за его получателей \(\d+\) взялся другой$/,
      /^Telegram: одного из процессов не стало$/,
      /^ВКонтакте: сервис попросил слать реже$/,
      /^База данных службы не отвечала$/,
    ],
    en: [
      /^Telegram: a process fell silent, and another went on with its people \(\d+\)$/,
      /^Telegram: one of its processes was gone$/,
      /^VK asked to be sent less$/,
      /^The database of the service did not answer$/,
    ],
  }

  it('say what happened to a message meanwhile, and lead to that moment, in both languages', async () => {
    const visitor = await visit(browser, fleet, { width: 360, height: 740 })
    const { page } = visitor
    const marked = (words: RegExp) =>
      page
        .locator('.replay')
        .getByRole('listitem')
        .filter({ has: page.getByText(words) })
        .first()
    await visitor.signIn('t-01')
    await page.goto(`${fleet.apiUrl}/messages/${key}?replay=0`)
    for (const words of said.ru) await marked(words).waitFor()
    const [takenOver] = said.ru as [RegExp]
    await marked(takenOver).getByRole('button').click()
    const moment = Number(new URL(page.url()).searchParams.get('replay'))
    expect(moment, 'not before its lease had run out').to.be.at.least(leaseMs)
    await expectFine(page, 'a mark of the replay')
    await page.getByRole('button', { name: 'English' }).click()
    for (const words of said.en) await marked(words).waitFor()
    expect(visitor.complaints).to.deep.equal([])
    await visitor.close()
  })
})
