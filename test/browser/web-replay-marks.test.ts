/** What happened while a message went out is marked in its replay: a courier that was killed in the middle, and another that went on. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { createLines } from '../e2e/lines.ts'
import { membersOf } from '../e2e/roster.ts'
import { seriousFindings } from './axe.ts'
import { launchChromium } from './chromium.ts'
import { visit } from './visit.ts'

const group = membersOf('ivt-102')
const leaseMs = 1500

describe('the marks of a replay', () => {
  let fleet: Fleet
  let browser: Browser
  let key: string
  const lines = createLines()

  before(async () => {
    const settings = (courier: Parameters<typeof lines.lead>[0]) =>
      courier.name === 'courier-telegram-1' ? lines.lead(courier) : {}
    const env = { LEASE_MS: String(leaseMs) }
    ;[fleet, browser] = await Promise.all([
      startFleet({ couriers: { telegram: 2 }, demoNames: true, env, settings }),
      launchChromium(),
    ])
    // alone, and without answers of its provider: it is certain who left whom
    await fleet.kill('courier-telegram-2', 'SIGTERM')
    lines.hold('courier-telegram-1')
    const own = await fleet.apiOf('t-01', 'trainer')
    key = await own.send({ to: ['group:ivt-102'], text: 'Убит на полпути', channels: ['telegram'] })
    await until(async () => (await fleet.sandbox.accepted('Убит на полпути')).length > 0, 'it is in the middle of it')
    await fleet.kill('courier-telegram-1')
    await fleet.start('courier-telegram-2')
    await own.track(key)
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
    await lines.close()
  })

  const said = {
    ru: /^Telegram: один процесс замолчал, за его получателей \((\d+)\) взялся другой$/,
    en: /^Telegram: a process fell silent, and another went on with its people \((\d+)\)$/,
  }

  it('say that a process was gone and another went on, and lead to that moment, in both languages', async () => {
    const visitor = await visit(browser, fleet, { width: 360, height: 740 })
    const { page } = visitor
    const taken = (mark: RegExp) =>
      page
        .locator('.replay')
        .getByRole('listitem')
        .filter({ has: page.getByText(mark) })
        .first()
    await visitor.signIn('t-01')
    await page.goto(`${fleet.apiUrl}/messages/${key}?replay=0`)
    const words = await taken(said.ru).getByText(said.ru).innerText()
    expect(Number(said.ru.exec(words)?.[1])).to.be.within(1, group.length)
    await taken(said.ru).getByRole('button').click()
    const moment = Number(new URL(page.url()).searchParams.get('replay'))
    expect(moment, 'not before its lease had run out').to.be.at.least(leaseMs)
    expect(await seriousFindings(page)).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(360)
    await page.getByRole('button', { name: 'English' }).click()
    await taken(said.en).waitFor()
    expect(visitor.complaints).to.deep.equal([])
    await visitor.close()
  })
})
