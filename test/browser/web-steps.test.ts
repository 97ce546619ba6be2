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

  it('of a type are set in its dialog, and told to whoever writes a message of it', async () => {
    await fleet.api.call('PUT', '/v1/people/oper', { name: 'Оператор', role: 'operator', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/oper', { address: phone(9) })
    const operator = await visit(browser, fleet)
    await operator.signIn('oper')
    const { page } = operator
    await page.goto(`${fleet.apiUrl}/rules`)
    await page.getByRole('button', { name: 'Новый вид' }).click()
    const dialog = page.getByRole('dialog', { name: 'Новый вид' })
    await dialog.getByLabel('Обозначение').fill('stairs')
    await dialog.getByLabel('Название по-русски').fill('Ступени')
    await dialog.getByLabel('Название по-английски').fill('Stairs')
    await dialog.getByRole('button', { name: 'Идти по шагам' }).click()
    const step = (number: number) => dialog.getByRole('group', { name: `Шаг ${number}` })
    expect(await step(1).getByLabel('Telegram').isChecked()).to.equal(true)
    await step(1).getByLabel('ВКонтакте').uncheck()
    await step(2).getByLabel('ВКонтакте').waitFor()
    await step(2).getByLabel('Кому отправляем').selectOption({ label: 'только тем, кто до этого не прочитает' })
    // what is typed stays as it is typed, whatever else is changed, and in its unit
    const count = step(2).getByLabel('Сколько')
    await count.fill('')
    await step(2).getByLabel('ВКонтакте').check()
    expect(await count.inputValue()).to.equal('')
    await step(2).getByLabel('ВКонтакте').uncheck()
    await count.fill('60')
    expect(await step(2).getByLabel('Чего').inputValue()).to.equal('minutes')
    await count.fill('20')
    await expectEveryLook(page, 'steps of a type')
    await dialog.getByRole('button', { name: 'Сохранить' }).click()
    await dialog.getByText('Этот канал не сообщает о сообщении так много.').waitFor()
    await step(2).getByLabel('Кому отправляем').selectOption({ label: 'только тем, кому не отправилось раньше' })
    await dialog.getByRole('button', { name: 'Сохранить' }).click()
    await dialog.waitFor({ state: 'detached' })
    const change =
      'вид «Ступени»: важность 3; по шагам (Telegram; SMS, позже на 20 минут, только тем, кому не отправилось раньше)'
    await page.getByText(change).waitFor()
    await operator.close()

    const { page: own } = teacher
    await own.goto(fleet.apiUrl)
    await choose(own, /^Кружок ступеней/)
    await own.getByLabel('Текст', { exact: true }).fill('По шагам вида')
    await own.getByText('Ещё: о чём, срочность, каналы', { exact: true }).click()
    await own.getByLabel('О чём').selectOption({ label: 'Ступени' })
    const last = /^SMS, позже на 20 минут, только тем, кому не отправилось раньше: не больше 3 человек/
    await own.getByText(last).waitFor()
    await expectEveryLook(own, 'a message of a type with steps')
    await own.getByLabel('SMS не больше').fill('0')
    await own.getByRole('button', { name: /^Отправить/ }).click()
    await own.getByText('SMS не больше: целое число от 1 или пусто.').nth(1).waitFor()
    await own.getByLabel('SMS не больше').fill('')
    await own.getByRole('button', { name: /^Отправить/ }).click()
    await hurry(own)
    await own.waitForURL(/\/messages\/[^/]+$/)
    const { history } = await fleet.api.track(own.url().split('/').at(-1) as string)
    for (const line of stepsWords('ru', history.steps ?? [])) await own.getByText(line, { exact: true }).waitFor()
    expect(history.steps?.map(({ channels }) => channels)).to.deep.equal([['telegram'], ['sms']])
    await fleet.api.call('DELETE', '/v1/types/stairs')
  })
})
