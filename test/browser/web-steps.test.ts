/** A message that goes by SMS last: what is said of it before it is sent, what each step did, and whom it cost an SMS. */
import type { Plan } from '@courier-fleet/api-types'
import { foretoldSteps, mostWords, spentWords, stepsWords } from '@courier-fleet/words'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

const phone = (number: number) => `+7900777100${number}`
const chat = (number: number) => `77710${number}`
/** two have a chat, the last has a phone only */
const people = [1, 2, 3].map((number) => ({
  id: `s-${number}`,
  phone: phone(number),
  chat: number < 3 ? chat(number) : undefined,
}))
const text = 'Сначала в чат'

describe('SMS last, at the web app', () => {
  let fleet: Fleet
  let browser: Browser
  let teacher: Visit

  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    for (const person of people) {
      await fleet.api.call('PUT', `/v1/people/${person.id}`, { name: `Ступень ${person.id}`, role: 'student' })
      await fleet.api.call('PUT', `/v1/contacts/sms/${person.id}`, { address: person.phone })
      if (person.chat) await fleet.api.call('PUT', `/v1/contacts/telegram/${person.id}`, { address: person.chat })
    }
    await fleet.api.call('PUT', '/v1/groups/stairs', { name: 'Кружок ступеней', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/stairs/members', { people: people.map(({ id }) => id) })
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

  it('says before it is sent whom each step could be for', async () => {
    const { page } = teacher
    await choose(page, /^Кружок ступеней/)
    await page.getByLabel('Текст', { exact: true }).fill(text)
    await page.getByText('Ещё: о чём, срочность, каналы', { exact: true }).click()
    await page.getByLabel(/^SMS — только через десять минут/).check()
    await page.getByLabel('SMS не больше', { exact: true }).fill('2')
    const rehearsed = await fleet.api.call<{ steps: Parameters<typeof foretoldSteps>[1]; plan: Plan }>(
      'POST',
      '/v1/audiences:resolve',
      {
        to: ['group:stairs'],
        text,
        steps: [{ channels: ['telegram', 'vk'] }, { channels: ['sms'], after: 'PT10M', unless: 'sent' }],
      },
    )
    const [, last] = foretoldSteps('ru', rehearsed.body.steps)
    expect(last).to.match(
      /^SMS, позже на 10 минут, только тем, кому не отправилось раньше: не больше 3 человек; для 1 ждать нечего/,
    )
    await page.getByText(last as string, { exact: true }).waitFor()
    const most = mostWords('ru', rehearsed.body.plan, { ceiling: { parts: 2 } })
    expect(most).to.equal('Не больше: 1 SMS на человека, всего 3; потратить можно 2 SMS')
    await page.getByText(most as string, { exact: true }).waitFor()
    await expectEveryLook(page, 'SMS last')
  })

  it('sends an SMS to whom there is no chat, at once, and says that the others did not need it', async () => {
    const { page } = teacher
    await page.getByRole('button', { name: /^Отправить/ }).click()
    await hurry(page)
    await page.waitForURL(/\/messages\/[^/]+$/)
    const { history } = await fleet.api.track(page.url().split('/').at(-1) as string)
    const lines = stepsWords('ru', history.steps ?? [])
    expect(lines.at(-1)).to.equal('SMS, позже на 10 минут: отправлено 1, потрачено 1 SMS, не понадобилось 2.')
    const spent = spentWords('ru', history.ceiling as NonNullable<typeof history.ceiling>)
    expect(spent).to.equal('Потрачено на SMS: 1 из 2 SMS')
    for (const line of [...lines, spent]) await page.getByText(line, { exact: true }).waitFor()
    const bar = page.locator('[data-channel=sms]')
    await bar.getByText('доставлено: 1 · не понадобилось 2', { exact: true }).waitFor()
    expect(await bar.locator('.segments .notDelivered').count(), 'nothing has failed there').to.equal(0)
    expect((await fleet.sandbox.accepted(text, 'sms')).map(({ address }) => address)).to.deep.equal([phone(3)])
    expect(new Set((await fleet.sandbox.accepted(text, 'telegram')).map(({ address }) => address))).to.deep.equal(
      new Set([chat(1), chat(2)]),
    )
    await expectEveryLook(page, 'steps of a message')
  })
})
