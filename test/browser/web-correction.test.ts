/** Another text for a message: before it goes out, and once people have it. */
import { maxTextLength } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import type { Api } from '../e2e/api.ts'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

const phone = '+79007772001'
const chat = '7772002'
const [old, corrected, never] = ['Зачёт в пятницу', 'Зачёт в субботу', 'Зачёт отменён'] as const
const hourMs = 3_600_000

describe('a text that is corrected at the web app', () => {
  let fleet: Fleet
  let browser: Browser
  let teacher: Visit
  let key: string
  /** the teacher's own key */
  let office: Api

  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    for (const [id, channel, address] of [
      ['k-phone', 'sms', phone],
      ['k-chat', 'telegram', chat],
    ] as const) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name: `Корректура ${id}`, role: 'student' })
      await fleet.api.call('PUT', `/v1/contacts/${channel}/${id}`, { address })
    }
    await fleet.api.call('PUT', '/v1/groups/proofs', { name: 'Кружок корректоров', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/proofs/members', { people: ['k-phone', 'k-chat'] })
    office = await fleet.apiOf('t-01', 'trainer')
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

  async function open(text: string, at?: string): Promise<void> {
    key = await office.send({ to: ['group:proofs'], text, channels: ['telegram', 'sms'], ...(at && { at }) })
    await teacher.page.goto(`${fleet.apiUrl}/messages/${key}`)
  }
  /** @param foreseen what it would do, where somebody has it already */
  async function write(button: string, text: string, foreseen: readonly string[] = [], told?: RegExp): Promise<void> {
    const { page } = teacher
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByLabel('Новый текст', { exact: true }).fill(text)
    if (told) await page.getByLabel(told).check()
    for (const line of foreseen) await page.getByRole('dialog').getByText(line, { exact: true }).waitFor()
    await expectEveryLook(page, 'another text')
    await page.getByRole('button', { name: 'Сохранить новый текст', exact: true }).click()
    // that it is saved is told to a screen reader, until something else is
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const own = async () => {
    const { messages } = await fleet.sandbox.chat('telegram', chat)
    return messages.filter(({ from }) => from === 'client').map(({ text }) => text.split('\n').at(-1))
  }

  /** what the page tells of one of its people, step by step */
  async function stepsShown(): Promise<string[]> {
    const { page } = teacher
    // what is told of everybody is known now, and the list may be of a moment ago
    await page.reload()
    const list = page.getByRole('region', { name: 'По каждому человеку' }).first()
    await list.getByRole('listitem').first().getByRole('button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('По каждому каналу хранится только последнее изменение.').waitFor()
    const steps = await dialog.getByRole('listitem').allInnerTexts()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    return steps
  }

  it('before it goes out: there is nothing to explain, and nobody ever gets the first one', async () => {
    const { page } = teacher
    await open(old, new Date(Date.now() + hourMs).toISOString())
    await write('Изменить текст', corrected)
    await page.getByText(corrected).first().waitFor()
    // opened by its address: nobody has read the names of groups before
    await page
      .getByRole('definition')
      .filter({ hasText: /^Кружок корректоров · / })
      .waitFor()
    await page.getByText(/^Прежний текст \(/).waitFor()
    await fleet.api.call('PATCH', `/v1/histories/${key}`, { at: 'now' })
    const { history } = await fleet.api.track(key)
    expect(history.people?.sentToChat).to.equal(1)
    expect(await own()).to.deep.equal([corrected])
    expect(await fleet.sandbox.accepted(old)).to.deep.equal([])
  })

  it('afterwards: the chat is edited, the phone is told, and the page says of how many', async () => {
    const { page } = teacher
    await open(old)
    // whoever is still to be sent it gets the new text, and has nothing to be corrected
    await fleet.api.track(key)
    await write('Исправить текст', never, [
      'SMS: сообщим отдельно — 1; 2 SMS на человека, всего 2.',
      'Telegram: изменим у получивших — 1.',
    ])
    await until(async () => (await own()).at(-1) === never, 'the chat shows the new text')
    await page
      .getByText('Исправление текста: Telegram: изменено — 1; SMS: сообщили отдельно — 1.', { exact: true })
      .waitFor()
    const told = (await fleet.sandbox.accepted(undefined, 'sms')).map(({ text }) => text)
    expect(told.at(-1)).to.match(/^(?:.*\n)?Исправление к сообщению от \d\d:\d\d:\nЗачёт отменён$/)
    expect(await own()).to.deep.equal([corrected, never])
    await expectEveryLook(page, 'what was corrected')
    const steps = await stepsShown()
    const at = steps.findIndex((step) => /Текст исправлен, исправил\(а\) /.test(step))
    expect(at, steps.join('\n')).to.be.above(steps.findIndex((step) => step.includes('Отправка началась')))
    expect(steps.slice(at + 1).join('\n')).to.match(
      /Telegram, исправление: отправлено в чат \(прежнее сообщение исправлено\)$/,
    )
    const [chatted] = (await fleet.api.receipts(key)).filter(({ person }) => person === 'k-chat')
    expect(chatted?.corrections).to.have.all.keys('telegram~2')
    expect(chatted?.corrections?.['telegram~2']).to.include({ state: 'sent', reason: 'edited' })
  })

  it('also told to whoever is edited, where that is chosen', async () => {
    const { page } = teacher
    await write(
      'Исправить текст',
      corrected,
      ['Telegram: изменим у получивших — 1, из них сообщим и отдельно — 1.'],
      /^Всем, кто получил прежний/,
    )
    await page
      .getByText(
        'Исправление текста: Telegram: изменено — 1, из них сообщили и отдельно — 1; SMS: сообщили отдельно — 1.',
        { exact: true },
      )
      .waitFor()
    const { messages } = await fleet.sandbox.chat('telegram', chat)
    const texts = messages.filter(({ from }) => from === 'client').map(({ text }) => text)
    expect(texts.slice(-2).map((text) => text.split('\n').at(-1))).to.deep.equal([corrected, corrected])
    expect(texts.at(-1)).to.contain('Исправление к сообщению от ')
    expect((await stepsShown()).join('\n')).to.match(/Telegram, исправление: .*об исправлении сообщили отдельно/)
  })

  it('is withdrawn: gone from the chat, still on the phone, and the page says so', async () => {
    const { page } = teacher
    const before = key
    await open('Кружка не будет')
    await fleet.api.track(key)
    await page.getByRole('button', { name: 'Отозвать', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Да, отозвать', exact: true }).waitFor()
    for (const line of ['SMS: останется или могло остаться — 1.', 'Telegram: удалим у получивших — 1.'])
      await page.getByRole('dialog').getByText(line, { exact: true }).waitFor()
    await expectEveryLook(page, 'withdrawing')
    await page.getByRole('button', { name: 'Да, отозвать', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByText('Отозвано у тех, кто получил: Telegram: удалено — 1; SMS: осталось или могло остаться — 1.', {
        exact: true,
      })
      .waitFor()
    expect(await own()).to.not.include('Кружка не будет')
    const steps = await stepsShown()
    expect(steps.filter((step) => /отозвано|остановлена/.test(step))).to.have.lengthOf(1)
    expect(steps.join('\n')).to.match(/Telegram, отзыв: отправлено в чат \(сообщение у них удалено\)/)
    for (const name of ['Отозвать', 'Исправить текст'])
      expect(await page.getByRole('button', { name, exact: true }).count(), name).to.equal(0)
    await expectEveryLook(page, 'withdrawn')
    key = before
    await page.goto(`${fleet.apiUrl}/messages/${key}`)
  })

  it('says at its field why a text is refused', async () => {
    const { page } = teacher
    await page.getByRole('button', { name: 'Исправить текст', exact: true }).click()
    const save = page.getByRole('button', { name: 'Сохранить новый текст', exact: true })
    expect(await save.isDisabled()).to.equal(true)
    await page.getByLabel('Новый текст', { exact: true }).fill('я'.repeat(maxTextLength + 1))
    await save.click()
    await page.locator('#new-text-error').waitFor()
    await page.keyboard.press('Escape')
  })

  it('has a field for each language of a message, and shows both texts of each afterwards', async () => {
    const { page } = teacher
    const text = { ru: 'Зачёт перенесён', en: 'The test is moved' }
    const next = { ru: 'Зачёт отменяется', en: 'The test is off' }
    const at = new Date(Date.now() + hourMs).toISOString()
    key = await office.send({ to: ['group:proofs'], text, language: 'ru', at })
    await page.goto(`${fleet.apiUrl}/messages/${key}`)
    for (const each of Object.values(text)) await page.getByText(each).first().waitFor()
    await page.getByRole('button', { name: 'Изменить текст', exact: true }).click()
    await page.getByLabel('Новый текст: русский', { exact: true }).fill(next.ru)
    await page.getByLabel('Новый текст: английский', { exact: true }).fill(next.en)
    await page
      .getByRole('dialog')
      .getByText('Отправка не началась: все получат только новый текст.', { exact: true })
      .waitFor()
    await expectEveryLook(page, 'a text for each language')
    await page.getByRole('button', { name: 'Сохранить новый текст', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const each of [...Object.values(next), ...Object.values(text)]) await page.getByText(each).first().waitFor()
    const history = await fleet.api.history(key)
    expect(history).to.deep.include({ text: next.ru, language: 'ru', texts: { en: next.en } })
  })

  it('keeps the values of a text with fields, and says what is not known of how many', async () => {
    const { page } = teacher
    // counts no more against the day of the teacher
    await office.call('DELETE', `/v1/histories/${key}`)
    const at = new Date(Date.now() + hourMs).toISOString()
    key = await office.send({ to: ['group:proofs'], text: 'Место {{seat}}', fields: { seat: '7' }, at })
    await page.goto(`${fleet.apiUrl}/messages/${key}`)
    await page.getByRole('button', { name: 'Изменить текст', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Вместо {{…}} каждый прочитает своё, как и прежде. {{seat}}: 7.', { exact: true }).waitFor()
    const field = page.getByLabel('Новый текст', { exact: true })
    await field.fill('Зал {{hall}}')
    await dialog.getByText('Не знаем, что поставить вместо {{hall}}: таких людей — 2.', { exact: true }).waitFor()
    await expectEveryLook(page, 'a value that nobody has')
    await field.fill('Место {{seat}}, {{name}}')
    await dialog.getByText('Отправка не началась: все получат только новый текст.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Сохранить новый текст', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const history = await fleet.api.history(key)
    expect(history).to.deep.include({ text: 'Место {{seat}}, {{name}}', fields: { seat: '7' } })
  })

  it('is a stored one in the place of it, which asks for what it needs and is shown as somebody will read it, in both languages', async () => {
    const { page } = teacher
    // counts no more against the day of the teacher
    await office.call('DELETE', `/v1/histories/${key}`)
    await fleet.api.call('PUT', '/v1/templates/exam', {
      name: { ru: 'Аудитория экзамена', en: 'Exam room' },
      text: { ru: '{{name}}, экзамен в ауд. {{room}}', en: '{{name}}, your exam is in room {{room}}' },
      language: 'ru',
      fields: [{ name: 'room', label: { ru: 'Аудитория', en: 'Room' }, example: '204' }],
    })
    await page.goto(fleet.apiUrl)
    await choose(page, /^Кружок корректоров/)
    await page.getByLabel('Шаблон', { exact: true }).selectOption({ label: 'Аудитория экзамена' })
    await page.getByRole('button', { name: /^Отправить/ }).click()
    await page.getByText('Укажите, что подставить в текст.', { exact: true }).waitFor()
    await expectFine(page, 'what is to be filled in')
    await page.getByLabel('Аудитория', { exact: true }).fill('305 <b>')
    await page.getByText(/^Так прочтёт Корректура k-\w+\./).waitFor()
    const bubble = page.locator('[data-phone=telegram] .bubble')
    await bubble.filter({ hasText: /Корректура k-\w+, your exam is in room 305 <b>$/ }).waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText(/^This is how Корректура k-\w+ will read it\./).waitFor()
    expect(await page.getByLabel('Room', { exact: true }).inputValue()).to.equal('305 <b>')
    await expectEveryLook(page, 'a template filled in')
    await page.getByRole('button', { name: 'Русский' }).click()
    await page.getByRole('button', { name: /^Отправить/ }).click()
    await hurry(page)
    await page.waitForURL(/\/messages\/[^/]+$/)
    const { history } = await fleet.api.track(page.url().split('/').at(-1) as string)
    expect(history).to.deep.include({ template: { id: 'exam', version: 1 }, fields: { room: '305 <b>' } })
    expect((await own()).at(-1)).to.equal('Корректура k-chat, your exam is in room 305 <b>')
  })

  it('may be written with fields, too: what each says is asked for below it, and of how many it is not known', async () => {
    const { page } = teacher
    await page.goto(fleet.apiUrl)
    await choose(page, /^Кружок корректоров/)
    await page.getByLabel('Текст', { exact: true }).fill('{{name}}: {{seat}}')
    await page.getByText('Не известно для 2 человек. Укажите одно для всех.', { exact: true }).waitFor()
    await page.getByLabel('seat', { exact: true }).fill('7')
    await page.locator('[data-phone=telegram] .bubble', { hasText: /Корректура k-\w+: 7$/ }).waitFor()
    await page.getByLabel('Текст', { exact: true }).fill('Просто {{ скобки')
    await page.locator('[data-phone=telegram] .bubble', { hasText: /Просто \{\{ скобки$/ }).waitFor()
    expect(await page.getByLabel('seat', { exact: true }).count()).to.equal(0)
  })
})
