/** How a message was sent is shown once more: everyone a dot, at the moment that a slider and the address of the page name. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { expectNoComplaints, type Visit, visit } from './visit.ts'

describe('the replay of a message', () => {
  let fleet: Fleet
  let browser: Browser
  let teacher: Visit
  let key: string
  const states = ['ok', 'ok', 'blocked'] as const

  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    for (const [index, state] of states.entries()) {
      const address = `778000${index}`
      await fleet.api.call('PUT', `/v1/people/r-${index}`, { name: `Replayed ${index}`, role: 'student' })
      await fleet.api.call('PUT', `/v1/contacts/telegram/r-${index}`, { address })
      await fleet.sandbox.phones([{ channel: 'telegram', address, state }])
    }
    const own = await fleet.apiOf('t-01', 'trainer')
    await fleet.api.call('PUT', '/v1/groups/replayed', { name: 'Replayed', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/replayed/members', { people: states.map((_, index) => `r-${index}`) })
    // it waits there until it is resumed, so that both lie between the start and the end
    await fleet.api.call('PUT', '/v1/channels/telegram/pause', {})
    key = await own.send({ to: ['group:replayed'], text: 'Once more' })
    await until(async () => (await fleet.api.history(key)).state === 'running', 'it has begun')
    await fleet.api.call('DELETE', '/v1/channels/telegram/pause')
    await own.track(key)
    teacher = await visit(browser, fleet, { width: 360, height: 740 })
    await teacher.signIn('t-01')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, teacher)
  })

  const slider = (page: Page) => page.getByRole('slider', { name: /^(Момент отправки|Moment of sending)$/ })
  const count = (page: Page, name: string) => page.locator(`.replay [data-class=${name}] strong`)

  /** how many dots have the colour of a class, as they are on the screen: in the first row each begins where its colour does */
  const dots = (page: Page, name: string) =>
    page.evaluate(`(() => {
      const canvas = document.querySelector('.replay canvas')
      const { backgroundColor } = getComputedStyle(document.querySelector('.replay .swatch.${name}'))
      const wanted = [...backgroundColor.match(/\\d+/g).map(Number), 255]
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, 1)
      const isWanted = (x) => x >= 0 && wanted.every((each, index) => data[4 * x + index] === each)
      return Array.from({ length: canvas.width }, (_, x) => x).filter((x) => isWanted(x) && !isWanted(x - 1)).length
    })()`)

  it('is loaded when it is asked for, and goes from nobody to the outcome, by keyboard', async () => {
    const { page } = teacher
    await page.goto(`${fleet.apiUrl}/messages/${key}`)
    expect(await page.locator('canvas').count()).to.equal(0)
    await page.getByRole('button', { name: 'Показать, как отправляли' }).press('Enter')
    await slider(page).press('Home')
    await count(page, 'pending').getByText('3').waitFor()
    await until(async () => (await dots(page, 'pending')) === 3, 'three dots are grey')
    await slider(page).press('End')
    await count(page, 'sentToChat').getByText('2').waitFor()
    await count(page, 'notDelivered').getByText('1').waitFor()
    await until(async () => (await dots(page, 'sentToChat')) === 2, 'two dots are those of a chat')
    expect([await dots(page, 'notDelivered'), await dots(page, 'pending')]).to.deep.equal([1, 0])
    expect(await slider(page).getAttribute('aria-valuetext')).to.match(/ после начала: .*не дошло: 1/)
    await slider(page).press('Home')
    await until(async () => (await dots(page, 'pending')) === 3, 'three dots are grey again')
  })

  it('marks when an operator paused a channel and resumed it, and goes there', async () => {
    const { page } = teacher
    const marks = page.locator('.replay').getByRole('listitem')
    await marks.filter({ hasText: 'Telegram: оператор возобновил' }).getByRole('button').click()
    const moment = Number(new URL(page.url()).searchParams.get('replay'))
    expect(moment).to.be.above(0)
    await count(page, 'pending').getByText('3').waitFor()
    expect(await page.locator('.replay-ticks span').count()).to.equal(await marks.getByRole('button').count())
  })

  it('plays to the end, in jumps where less motion is asked for, and can be stopped', async () => {
    const { page } = teacher
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      await page.emulateMedia({ reducedMotion })
      await slider(page).press('Home')
      const seen = page.evaluate(`new Promise((resolve) => {
        const slider = document.querySelector('.replay input')
        const places = new Set()
        const look = () => {
          places.add(slider.value)
          Number(slider.value) === 1000 ? resolve(places.size) : requestAnimationFrame(look)
        }
        look()
      })`)
      await page.getByRole('button', { name: 'Показать', exact: true }).click()
      if (reducedMotion === 'reduce') expect(await seen).to.be.at.most(12)
      else await seen
      await count(page, 'pending').getByText('0').waitFor()
    }
    await page.getByRole('button', { name: 'Показать', exact: true }).click()
    await page.getByRole('button', { name: 'Остановить показ' }).click()
    await page.getByRole('button', { name: 'Показать', exact: true }).waitFor()
  })

  it('is shared by its address with whoever may see the message, in every look', async () => {
    const { page } = teacher
    await slider(page).press('End')
    await until(() => new URL(page.url()).searchParams.get('replay') !== null, 'the address leads to the moment')
    const end = new URL(page.url()).searchParams.get('replay')
    const operator = await visit(browser, fleet, { language: 'en', colorScheme: 'dark' })
    try {
      await fleet.api.call('PUT', '/v1/people/oper', { name: 'Operator', role: 'operator', language: 'en' })
      await fleet.api.call('PUT', '/v1/contacts/sms/oper', { address: '+79005554434' })
      await operator.signIn('oper')
      for (const shown of [operator.page, page]) {
        await shown.goto(`${fleet.apiUrl}/messages/${key}?replay=${end}`)
        await count(shown, 'sentToChat').getByText('2').waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          for (const width of [360, 1280]) {
            await shown.emulateMedia({ colorScheme })
            await shown.setViewportSize({ width, height: 800 })
            const look = `${colorScheme}, ${width} px`
            await until(async () => (await dots(shown, 'sentToChat')) === 2, `two dots in ${look}`)
          }
        }
      }
      await expectEveryLook(page, 'a replay')
    } finally {
      await operator.close()
    }
    expect(operator.complaints).to.deep.equal([])
  })

  it('is nothing to whoever may not see the message', async () => {
    const other = await fleet.apiOf('t-02', 'trainer')
    const { status, body } = await other.call('GET', `/v1/histories/${key}/replay`)
    expect([status, body.code]).to.deep.equal([403, 'not-your-history'])
  })
})
