/** A teacher at the web app, from signing in to "all received", with the phones of the sandbox beside it: at a desk in Russian, on a phone in English. */
import type { ForecastReport } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { allowedRates } from '../e2e/kept-forecasts.ts'
import { addressesIn, goodContacts, isGood, membersOf } from '../e2e/roster.ts'
import { launchChromium } from './chromium.ts'
import { journeys } from './journey-words.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

/** the looks at the page take a busy machine longer than two */
const tenMinutesMs = 600_000

for (const { language, width, words } of journeys) {
  describe(`a teacher at the web app, ${width} px wide, in ${language}`, () => {
    let fleet: Fleet
    let browser: Browser
    let teacher: Visit
    const club = membersOf('robots')
    const audience = [...new Set([...membersOf('ivt-102'), ...club])]
    const members = membersOf('ivt-101')

    before(async () => {
      ;[fleet, browser] = await Promise.all([startFleet({ env: allowedRates }), launchChromium()])
      await fleet.api.call('PUT', '/v1/groups/robots', { name: 'Кружок роботов', owners: ['t-01'] })
      teacher = await visit(browser, fleet, { language, width })
      // hers in the directory is Russian
      await teacher.page.getByRole('button', { name: words.languageName }).click()
    })
    after(async () => {
      await browser?.close()
      await fleet?.stop()
    })
    afterEach(function () {
      return expectNoComplaints.call(this, teacher)
    })

    /** the history the page is at */
    const keyShown = () => teacher.page.url().split('/').at(-1) as string

    it('signs in with a code that arrives on a phone, where the page says it does', async () => {
      const { page, context } = teacher
      const phones = context.waitForEvent('page')
      await page.getByRole('link', { name: words.wall }).click()
      const wall = await phones
      await teacher.signIn('t-01')
      await page.getByRole('heading', { level: 1, name: words.write }).waitFor()
      // on the wall stands the last message only, and that may be by now that somebody has signed in
      await wall.locator('.row', { hasText: 'Гусева Алёна' }).locator('.tile[data-channel=telegram]').click()
      await wall
        .locator('.phone')
        .getByText(/Код для входа/)
        .waitFor()
      await wall.close()
      const cookies = await context.cookies()
      expect(cookies.map(({ name }) => name)).to.have.members(['fleet_session', 'fleet_browser'])
      for (const { httpOnly, sameSite } of cookies) expect([httpOnly, sameSite]).to.deep.equal([true, 'Strict'])
    })

    it('sends to two overlapping groups, everyone once, and sees who was not reached and why', async () => {
      const { page } = teacher
      await choose(page, /^ivt-102/, /^Кружок роботов/)
      await page.getByLabel(words.text, { exact: true }).fill('Пары не будет')
      await page.getByText(words.overlap).waitFor()
      const withContact = audience.filter(({ contacts }) => Object.keys(contacts).length > 0).length
      await page.getByText(words.reach(withContact, audience.length)).waitFor()
      await page.getByText(words.smsEach).waitFor()
      await page
        .locator('[data-phone=telegram] .bubble', { hasText: /^Гусева А\. · ivt-102, Кружок роботов\nПары не будет$/ })
        .waitFor()
      await page.getByText(words.left(4)).waitFor()
      const send = page.getByRole('button', { name: words.sendTo(withContact) })
      // on a phone the page is longer than the screen, and the button stays on it wherever one is
      await page.setViewportSize({ width: 360, height: 740 })
      const length = (await page.evaluate('document.documentElement.scrollHeight')) as number
      expect(length).to.be.above(2 * 740)
      for (const top of [0, length / 2, length]) {
        await page.evaluate(`scrollTo(0, ${top})`)
        const box = (await send.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
        expect(box.y, `${top} px down`).to.be.within(0, 740 - box.height)
        const there = `document.elementFromPoint(${box.x + box.width / 2}, ${box.y + box.height / 2}).closest('button')?.type`
        expect(await page.evaluate(there), `${top} px down`).to.equal('submit')
      }
      await page.setViewportSize({ width, height: 900 })
      await send.click()
      await hurry(page)

      await page.locator('[data-ending=some]').waitFor()
      const rows = await fleet.sandbox.accepted('Пары не будет')
      expect(addressesIn(rows)).to.deep.equal(goodContacts(audience))
      expect(new Set(rows.map(({ channel }) => channel))).to.deep.equal(new Set(['telegram', 'vk', 'sms']))

      const unreached = audience.filter((each) => !(['telegram', 'vk', 'sms'] as const).some((on) => isGood(each, on)))
      for (const { name, contacts } of unreached) {
        const [title, why] =
          Object.keys(contacts).length === 0
            ? [words.withoutContact, words.noContact]
            : [words.notDelivered, words.blocked]
        const list = page.getByRole('region', { name: title })
        await list.getByRole('listitem').filter({ hasText: name }).filter({ hasText: why }).waitFor()
      }
      const named = page.locator('[data-named=notDelivered] li.row, [data-named=withoutContact] li.row')
      expect(await named.count()).to.equal(unreached.length)
      expect((await fleet.api.recount(keyShown())).balanced).to.equal(true)
      for (const channel of ['telegram', 'vk', 'sms'])
        await page.locator(`[data-channel=${channel}]`).getByText(words.settled).waitFor()
      const reached = page.getByRole('region', { name: words.everyone }).getByRole('listitem')
      await reached.filter({ hasText: '✓' }).first().waitFor()
      await expectFine(page, 'an outcome')
    })

    it('sees what was foretold of it beside what came of it, and how often what she was told has held', async () => {
      const { page } = teacher
      const { key } = (await fleet.api.track(keyShown())).history
      const { forecast, actual } = await fleet.api.get<ForecastReport>(`/v1/histories/${key}/forecast`)
      const { finishedAt = '', isWithin } = actual
      const held = isWithin ? 'inTime' : finishedAt < (forecast?.finish?.from ?? '') ? 'sooner' : 'later'
      const onSms = audience.filter(({ contacts }) => contacts.sms).length
      const sent = goodContacts(audience, ['sms']).length
      const said = (name: string) =>
        page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]')
      await said(words.forecast).getByText(words.foretold(onSms)).waitFor()
      await said(words.inFact).getByText(words.came(sent, words.held[held])).waitFor()
      await expectFine(page, 'an outcome beside its forecast')

      const address = page.url()
      await page.getByRole('link', { name: words.compose, exact: true }).click()
      await choose(page, /^ivt-101/)
      await page.getByText(words.record(isWithin ? 1 : 0, 1), { exact: true }).waitFor()
      await page.getByRole('button', { name: words.remove('ivt-101') }).click()
      await page.goto(address)
      await page.locator('[data-ending=some]').waitFor()
    })

    it('downloads who got it', async () => {
      const download = teacher.page.waitForEvent('download')
      await teacher.page.getByRole('link', { name: words.csv }).click()
      expect((await download).suggestedFilename()).to.match(/^receipts-.*\.csv$/)
    })

    it('takes a message back before it has started, and writes on', async () => {
      const { page } = teacher
      await page.getByRole('link', { name: words.compose, exact: true }).click()
      await choose(page, /^ivt-101/)
      await page.getByLabel(words.text, { exact: true }).fill('Не туда')
      // a busy machine may take longer than ten seconds to press a button
      await page.route('**/v1/messages', (route) => {
        const body = route.request().postDataJSON()
        expect(body.in).to.equal(10)
        return route.continue({ postData: JSON.stringify({ ...body, in: 600 }) })
      })
      await page.getByRole('button', { name: words.sendTo() }).click()
      await page.getByText(words.canTakeBack).waitFor()
      await page.unroute('**/v1/messages')
      await expectFine(page, 'a message that can be taken back')
      const key = keyShown()
      await page.getByRole('button', { name: words.takeBack }).click()
      await page.getByRole('heading', { level: 1, name: words.write }).waitFor()
      expect(await page.getByLabel(words.text, { exact: true }).inputValue()).to.equal('Не туда')
      await page.getByRole('list', { name: words.chosen }).getByText('ivt-101').waitFor()
      const { state, people } = await fleet.api.history(key)
      expect({ state, people }).to.deep.equal({ state: 'cancelled', people: undefined })
      expect(await fleet.sandbox.accepted('Не туда')).to.deep.equal([])
      await page.getByRole('button', { name: words.remove('ivt-101') }).click()
    })

    it('shows a view whose file comes just when one goes to it', async () => {
      const { page } = teacher
      const files = /\/assets\/message-[\w-]+\.js$/
      const asked: string[] = []
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(files, async (route) => {
        asked.push(route.request().url())
        await released
        await route.continue()
      })
      await page.clock.install()
      const prefetched = page.waitForRequest(files)
      await page.goto(`${fleet.apiUrl}/messages`)
      await prefetched
      // nothing that the page has put off happens from here on
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.locator('#main a[href^="/messages/"]').first().click()
      await page
        .locator('#main')
        .getByText(/^(Загрузка|Loading)…$/)
        .waitFor()
      release()
      for (const url of asked) await page.evaluate(`import(${JSON.stringify(url)})`)
      await page.clock.resume()
      await page.locator('#main').getByRole('heading', { level: 1 }).waitFor()
      await page.unroute(files)
    })

    it('schedules for ten minutes later, reschedules, cancels, and has the message of the day back', async () => {
      const { page } = teacher
      await page.getByRole('link', { name: words.compose, exact: true }).click()
      await page.getByText(words.left(3)).waitFor()
      await choose(page, /^ivt-101/)
      await page.getByLabel(words.text, { exact: true }).fill('Позже')
      await page.getByLabel(words.later).check()
      await page.getByText(words.zone).waitFor()
      await page.getByLabel(words.at).fill(moscow(Date.now() + tenMinutesMs))
      await page.getByRole('button', { name: words.schedule }).click()
      await page.getByRole('heading', { level: 1, name: words.scheduled }).waitFor()
      const key = keyShown()
      expect((await fleet.api.history(key)).state).to.equal('scheduled')
      // somebody says STOP meanwhile, somebody leaves the group, and somebody joins it
      const stopped = members.find(({ contacts }) => Object.keys(contacts).length > 0) as (typeof members)[number]
      const left = members.find(({ id }) => id !== stopped.id) as (typeof members)[number]
      for (const channel of Object.keys(stopped.contacts))
        await fleet.api.call('PUT', `/v1/people/${stopped.id}/consents/${channel}`, { allowed: false })
      await fleet.api.call('DELETE', `/v1/groups/ivt-101/members/${left.id}`)
      // whoever joins is not sent it: its people are fixed
      const joined = audience.find(({ id }) => !members.some((each) => each.id === id))?.id
      expect((await fleet.api.call('POST', '/v1/groups/ivt-101/members', { people: [joined] })).status).to.be.below(300)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: weekdayOf(language, Date.now() + tenMinutesMs) }).waitFor()
      const still = members.filter((each) => each !== left)
      const getting = still.filter((each) => each !== stopped && Object.keys(each.contacts).length > 0).length
      const sentence = words.reach(getting, still.length)
      const reach = page.getByRole('region', { name: words.whom })
      await reach.getByText(sentence).waitFor()
      await reach.getByText(words.hasLeft).waitFor()
      await reach.getByText(words.asOfNow).waitFor()
      for (const { name, contacts } of still.filter(
        (each) => each === stopped || Object.keys(each.contacts).length === 0,
      ))
        await reach
          .getByRole('listitem')
          .filter({ hasText: name })
          .getByText(Object.keys(contacts).length > 0 ? words.askedNot : words.noContact)
          .waitFor()

      await page.getByRole('button', { name: words.changeText }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(sentence).waitFor()
      await dialog.getByText(words.smsEach).waitFor()
      const longer = `Позже, и это уже не одна SMS: ${'а'.repeat(80)}`
      await dialog.getByLabel(words.newText).fill(longer)
      await dialog.getByText(words.twoSmsEach).waitFor()
      await dialog.locator('[data-phone=telegram] .bubble').getByText(longer).waitFor()
      await expectEveryLook(page, 'another text before it is sent')
      await dialog.getByRole('button', { name: words.save }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.locator('.bubble').getByText(longer).waitFor()

      const later = Date.now() + 7_200_000
      await page.getByRole('button', { name: words.reschedule }).click()
      await dialog.getByLabel(words.at).fill(moscow(later))
      await dialog.getByText(weekdayOf(language, later)).waitFor()
      await dialog.getByText(sentence).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: words.save }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await until(async () => {
        const { at } = await fleet.api.history(key)
        return at?.slice(0, 16) === new Date(later).toISOString().slice(0, 16)
      }, 'it is due later')

      await page.getByRole('button', { name: words.cancel, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.cancelYes }).click()
      await page.getByRole('heading', { name: words.cancelled }).waitFor()
      await until(() => page.evaluate('document.activeElement.localName === "h1"'), 'the focus is on the heading')
      expect((await fleet.api.history(key)).state).to.equal('cancelled')
      await page.getByRole('link', { name: words.compose, exact: true }).click()
      await page.getByText(words.left(3)).waitFor()
    })

    it('finds messages again by text and state, also after going back, and writes one once more', async () => {
      const { page } = teacher
      await page.getByRole('link', { name: words.messages }).click()
      const found = page.getByRole('article')
      await found.filter({ hasText: words.textGone }).nth(1).waitFor()
      expect(await found.count()).to.equal(3)
      await page.getByText(words.shown(3)).waitFor()
      for (const row of await found.all())
        expect((await row.boundingBox())?.height).to.be.at.most(width === 360 ? 160 : 72)
      await expectFine(page, 'messages')

      await page.getByLabel(words.search).fill('такого нет')
      await page.getByText(words.nothingFound).waitFor()
      await page.getByLabel(words.search).fill('робот')
      await page.getByText(words.shown(1)).waitFor()
      await found.getByRole('link', { name: 'Пары не будет' }).click()
      await page.locator('.standing').waitFor()
      await page.goBack()
      await page.getByText(words.shown(1)).waitFor()
      await page.reload()
      await page.getByText(words.shown(1)).waitFor()
      expect(await page.getByLabel(words.search).inputValue()).to.equal('робот')

      await page.getByLabel(words.search).fill('')
      await page.getByText(words.shown(3)).waitFor()
      const states = page.getByRole('navigation', { name: words.states })
      await states.getByRole('link', { name: words.filters.cancelled }).click()
      await page.getByText(words.shown(2)).waitFor()
      await states.getByRole('link', { name: words.filters.all }).click()
      await page.getByText(words.shown(3)).waitFor()
      // somebody has no contact: it has not reached everyone, and is not shown as if it had
      const row = found.filter({ hasText: 'Пары не будет' })
      await row.locator('[data-mark=some]').getByText(words.notEveryone).waitFor()
      await row.getByLabel(words.actions('Пары не будет')).press('Enter')
      await row.getByRole('button', { name: words.writeAgain, exact: true }).click()
      await page.getByText(words.overlap).waitFor()
      expect(await page.getByLabel(words.text, { exact: true }).inputValue()).to.equal('Пары не будет')
    })

    it('decides what may reach her: STOP on one channel, and a code to link another', async () => {
      const { page } = teacher
      await page.getByRole('link', { name: words.contacts }).click()
      const sms = page.locator('[data-channel=sms]')
      await sms.getByRole('button', { name: words.stop }).click()
      await sms.getByText(words.stopped).waitFor()
      await sms.getByRole('button', { name: words.allow }).click()
      await sms.getByText(words.linked, { exact: true }).waitFor()
      const vk = page.locator('[data-channel=vk]')
      await vk.getByRole('button', { name: words.link }).click()
      expect(await vk.getByText(words.writeToVk).innerText()).to.match(/КОД \d{8}/)
    })

    it('is answered in another language when she asks for it, and signs out for good', async () => {
      const { page, context } = teacher
      const session = (await context.cookies()).find(({ name }) => name === 'fleet_session')
      await page.getByRole('button', { name: words.otherLanguage }).click()
      await page.getByRole('heading', { level: 1, name: words.other.contacts }).waitFor()
      await page.getByRole('button', { name: words.other.signOut }).click()
      await page.getByRole('heading', { level: 1, name: words.other.signIn }).waitFor()
      const headers = { cookie: `${session?.name}=${session?.value}` }
      expect((await fetch(`${fleet.apiUrl}/v1/sessions/current`, { headers })).status).to.equal(401)
    })
  })

  /** as somebody in Moscow reads it */
  const weekdayOf = (language: string, ms: number) =>
    new RegExp(new Intl.DateTimeFormat(language, { timeZone: 'Europe/Moscow', weekday: 'long' }).format(ms))
}

/** as a date field of somebody in Moscow holds it */
const moscow = (ms: number) => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 16)
