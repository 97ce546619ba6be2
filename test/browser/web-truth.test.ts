/** What the page says of a message is what is known: nobody is told of as reached before that is known, and a later failure shows by itself. */
import { type HistoryKey, parseHistoryKey } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { keys } from '@courier-fleet/store'
import { freshRedis, until } from '@courier-fleet/testkit'
import { type Language, type OutcomeWords, outcomeWords, wordsIn } from '@courier-fleet/words'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { startInbound } from '../e2e/inbound.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

describe('the web app tells what is known', () => {
  let own: Awaited<ReturnType<typeof freshRedis>>
  let fleet: Fleet
  let browser: Browser
  let teacher: Visit
  let key: string
  const phone = (number: number) => `+7900777000${number}`
  const people = [
    { id: 'w-on', name: 'Включённая Вера', channel: 'sms', address: phone(1) },
    { id: 'w-fails', name: 'Выключенный Фома', channel: 'sms', address: phone(2) },
    { id: 'w-later', name: 'Поздний Пётр', channel: 'sms', address: phone(3) },
    { id: 'w-lost', name: 'Потерянная Полина', channel: 'mail', address: 'lost@mail.example' },
    { id: 'w-chat', name: 'Чатова Чара', channel: 'telegram', address: '7770005' },
    { id: 'w-blocked', name: 'Закрытый Захар', channel: 'telegram', address: '7770006' },
    { id: 'w-none', name: 'Безадресный Боря' },
  ] as const
  const sms = (address: string, state: 'ok' | 'off') => fleet.sandbox.phones([{ channel: 'sms', address, state }])

  before(async () => {
    own = await freshRedis()
    const redis = { url: own.url, redis: () => own.redis }
    ;[fleet, browser] = await Promise.all([startFleet({ couriers: { mail: 1 }, redis }), launchChromium()])
    for (const { id, name, ...contact } of people) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name, role: 'student', language: 'ru' })
      if ('channel' in contact)
        await fleet.api.call('PUT', `/v1/contacts/${contact.channel}/${id}`, { address: contact.address })
    }
    await fleet.api.call('PUT', '/v1/groups/known', { name: 'Кружок правды', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/known/members', { people: people.map(({ id }) => id) })
    await fleet.sandbox.phones([{ channel: 'telegram', address: '7770006', state: 'blocked' }])
    await sms(phone(2), 'off')
    await sms(phone(3), 'off')
    await fleet.sandbox.fault({ channel: 'mail', addresses: ['lost@mail.example'], count: 1, kind: 'reply-lost' })
    // once that phone is on again, its report says that the message has failed
    await fleet.sandbox.fault({ channel: 'sms', addresses: [phone(2)], count: 1, kind: 'reports', mode: 'failed' })
    teacher = await visit(browser, fleet)
    await teacher.signIn('t-01')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
    await own?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, teacher)
  })

  /** everyone, as the page counts them */
  const counted = async () => countedOn(teacher.page)
  const count = (name: string) => teacher.page.locator(`[data-class=${name}] strong`)
  const region = (title: string) => teacher.page.getByRole('region', { name: title, exact: true })

  /** What the API knows, in the words that bot, SMS and command line use. */
  async function known() {
    const moment = () => ''
    const said = outcomeWords('ru', await fleet.api.history(key), { moment })
    return { ...said, counted: countedIn('ru', said) }
  }

  it('before: whom it can be sent to, not who will get it', async () => {
    const { page } = teacher
    await choose(page, /^Кружок правды/)
    await page.getByLabel('Текст', { exact: true }).fill('Правда ли?')
    await page.getByText('Отправим 6 из 7 · 1 человек не получит').waitFor()
    expect(await page.locator('main').innerText()).not.to.match(/дойд|(?<!не )получ/i)
    await page.getByRole('button', { name: /^Отправить: 6 / }).click()
    await hurry(page)
  })

  it('after settling: four things told apart, each with its number', async () => {
    const { page } = teacher
    await page.locator('[data-ending=some]').waitFor()
    key = page.url().split('/').at(-1) as string
    await count('delivered').getByText('1').waitFor()
    expect(await counted()).to.equal((await known()).counted)
    expect(await counted()).to.equal(
      '1 доставлено; 1 отправлено в чат; 2 принято оператором, подтверждения ещё нет; ' +
        '1 неизвестно, дошло ли (ответа на отправку не было — 1); 1 не дошло (отправитель заблокирован — 1); ' +
        '1 без контакта',
    )
    // nothing that is counted is counted again beside it
    expect(await page.locator('.standing p:not(.hint)').count()).to.equal(0)
    const headline = 'Отправлено 4 из 7, доставлено — 1; неизвестно, дошло ли — 1; не дошло — 1; без контакта — 1'
    await page.getByRole('heading', { level: 1, name: headline }).waitFor()
    await until(async () => (await page.title()) === `${headline} · courier-fleet`, 'the title says it, too')
    await region('Не дошло: 1 человек').getByText('Закрытый Захар').waitFor()
    await region('Неизвестно, дошло ли: 1 человек').getByText('Потерянная Полина').waitFor()
    await region('Без контакта: 1 человек').getByText('Безадресный Боря').waitFor()
    await page.getByText('Подтверждения и отказы ещё могут прийти').waitFor()
    // the words of the provider are for operators
    expect(await page.locator('main').innerText()).not.to.match(/USER_IS_BLOCKED|connection/)
  })

  it('finds people by what is known, by channel and by name, among everyone it was for', async () => {
    const list = region('По каждому человеку').first()
    const rows = list.getByRole('listitem')
    const finds = async (name: string) => {
      await list.getByText('Показано 1 из 1').waitFor()
      await until(async () => (await rows.count()) === 1, 'one person is shown')
      await rows.getByText(name).waitFor()
    }
    await list.getByLabel('Что известно').selectOption('notDelivered')
    await finds('Закрытый Захар')
    await list.getByLabel('Что известно').selectOption('')
    await until(async () => (await rows.count()) === people.length, 'everyone is shown')
    await list.getByLabel('Имя или номер').fill('пол')
    await finds('Потерянная Полина')
    await list.getByLabel('Канал').selectOption('telegram')
    await finds('Потерянная Полина')
    await list.getByLabel('Что известно').selectOption('delivered')
    await list.getByText('Ничего не найдено').waitFor()
    for (const label of ['Канал', 'Что известно']) await list.getByLabel(label).selectOption('')
    await list.getByLabel('Имя или номер').fill('')
  })

  it('tells of one person what happened when, as far as it is known, and keeps the words of the provider', async () => {
    const { page } = teacher
    const { acceptedAt, at, startedAt } = await fleet.api.history(key)
    const receipts = await fleet.api.receipts(key)
    const blocked = receipts.find(({ person }) => person === 'w-blocked')?.channels ?? {}
    await region('Не дошло: 1 человек').getByRole('button', { name: 'Закрытый Захар', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog')
    for (const step of ['Сообщение принято', 'Отправка началась', 'Telegram: не дошло (отправитель заблокирован)'])
      await dialog.getByRole('listitem').filter({ hasText: step }).waitFor()
    const times = await dialog
      .locator('time')
      .evaluateAll((all) => all.map((each) => (each as never as { dateTime: string }).dateTime))
    expect(times).to.include(blocked.telegram?.at)
    expect([acceptedAt, at, startedAt, ...Object.values(blocked).map((each) => each.at)]).to.include.members(times)
    expect(await dialog.innerText()).not.to.match(/USER_IS_BLOCKED/)
    await expectEveryLook(page, 'what happened to one person')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('all bars are of the same people, and say in words what they show', async () => {
    const { page } = teacher
    const bar = page.locator('.standing').getByRole('img')
    expect(await bar.getAttribute('aria-label')).to.contain('принято оператором, подтверждения ещё нет: 2')
    for (const channel of ['sms', 'telegram', 'vk', 'mail']) {
      const segments = page.locator(`[data-channel=${channel}] .segments > *`)
      const sizes = await segments.evaluateAll((all) =>
        all.map((each) => Number((each as never as { style: { flexGrow: string } }).style.flexGrow)),
      )
      expect(
        sizes.reduce((sum, each) => sum + each, 0),
        channel,
      ).to.equal(people.length)
    }
    await expectEveryLook(page, 'an outcome')
  })

  it('a failure that is reported later shows without reloading, and is said to a screen reader', async () => {
    const { page } = teacher
    await page.evaluate('window.before = "the same page"')
    await sms(phone(2), 'ok')
    await count('notDelivered').getByText('2').waitFor()
    await until(async () => (await counted()) === (await known()).counted, 'the page says what is known')
    expect(await counted()).to.contain('1 принято оператором, подтверждения ещё нет')
    const isSaid = async () =>
      (await page.locator('[role=status].visually-hidden').innerText()) === (await known()).sentence
    await until(isSaid, 'it is said')
    const failed = region('Не дошло: 2 человека').getByRole('listitem').filter({ hasText: 'Выключенный Фома' })
    await failed.getByText('принято оператором, но не доставлено').waitFor()
    expect(await failed.innerText()).not.to.match(/stat:|UNDELIV/)

    await sms(phone(3), 'ok')
    await count('delivered').getByText('2').waitFor()
    await page.getByText('Подтверждения и отказы ещё могут прийти').waitFor({ state: 'detached' })
    expect(await counted()).to.equal((await known()).counted)
    expect(await page.evaluate('window.before')).to.equal('the same page')
  })

  it('whoever was not reached is ticked as told by voice, never as delivered, and unticked again', async () => {
    const { page } = teacher
    const missed = page.locator('[data-named=notDelivered]')
    await missed.getByRole('button', { name: 'Сказано голосом: Закрытый Захар' }).click()
    await count('toldByVoice').getByText('1').waitFor()
    const told = page.locator('[data-named=toldByVoice]')
    await told.getByText('Закрытый Захар').waitFor()
    await until(async () => (await counted()) === (await known()).counted, 'the page says what is known')
    expect(await counted()).to.contain('1 сказано голосом')
    expect((await fleet.api.history(key)).people).to.include({ toldByVoice: 1, delivered: 2 })
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    await told.getByRole('button', { name: 'Закрытый Захар', exact: true }).click()
    await page.getByRole('dialog').getByText('Сказано голосом, отметил(а) t-01').waitFor()
    await page.keyboard.press('Escape')

    await page.emulateMedia({ media: 'print' })
    const paper = page.locator('.call-list')
    await paper.getByText('Безадресный Боря').waitFor()
    expect(await page.locator('body').innerText()).not.to.match(/Закрытый Захар|По каждому человеку|\+7900|7770006/)
    await page.emulateMedia({ media: 'screen' })

    await expectEveryLook(page, 'who was told by voice')
    // a teacher links no contact for others, and is told who does; there is no channel it did not go by
    await page.getByText('Писать некуда: 1 человек. Контакт привяжет оператор').waitFor()
    expect(await page.getByRole('button', { name: /^(Привязать контакт|Написать через)/ }).count()).to.equal(0)
    await told.getByRole('button', { name: 'Снять отметку: Закрытый Захар' }).click()
    await missed.getByText('Закрытый Захар').waitFor()
    await until(async () => (await counted()) === (await known()).counted, 'the page says what is known')
  })

  it('while it is still sent, whoever was not reached stands first, with what to do about them', async () => {
    const { page } = teacher
    const api = await fleet.apiOf('t-01', 'trainer')
    const to = { to: ['group:known'], channels: ['telegram'] }
    const sent = await api.send({ ...to, text: 'Кого ещё нет?', whenOnline: true })
    await until(async () => (await api.history(sent)).people?.withoutContact === 5, 'it waits for one alone')
    await page.goto(`${fleet.apiUrl}/messages/${sent}`)
    await region('Не дошло: 1 человек').getByText('Закрытый Захар').waitFor()
    await region('Без контакта: 5 человек').getByText('Безадресный Боря').waitFor()
    const [names, bars] = await Promise.all(
      ['По именам', 'Ход отправки'].map(async (name) => (await region(name).boundingBox())?.y),
    )
    expect(names).to.be.below(bars as number)
    // five of them have another channel, of which four work
    await page.getByRole('button', { name: 'Написать ещё раз тем из них, кому есть куда: 4 из 6' }).waitFor()
    await page.getByRole('button', { name: 'Написать через другой канал: SMS, 3 из 6' }).waitFor()

    const rows = region('По каждому человеку').first().getByRole('listitem')
    await rows.first().getByRole('button', { name: 'Закрытый Захар' }).waitFor()
    await until(async () => (await rows.getByRole('button').count()) === people.length, 'everyone is named')
    const listed = await rows.getByRole('button').allInnerTexts()
    expect(listed.at(-1)).to.equal('Чатова Чара')
    expect([...listed].sort()).to.deep.equal(people.map(({ name }) => name).sort())
    expect((await api.history(sent)).state).to.equal('running')
    expect((await fleet.api.call('DELETE', `/v1/histories/${sent}`)).status).to.be.below(300)
  })

  it('the list for calling has everyone, and nobody is offered to be written to where there is no way', async () => {
    const { page } = teacher
    const many = Array.from({ length: 510 }, (_unused, index) => `w-many-${index}`)
    await Promise.all(
      many.map((id) => fleet.api.call('PUT', `/v1/people/${id}`, { name: `Без ${id}`, role: 'student' })),
    )
    await fleet.api.call('PUT', '/v1/groups/nowhere', { name: 'Некуда', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/nowhere/members', { people: [...many, 'w-blocked'] })
    const api = await fleet.apiOf('t-01', 'trainer')
    const { history } = await api.deliver({ to: ['group:nowhere'], text: 'Некуда писать' })
    await page.goto(`${fleet.apiUrl}/messages/${history.key}`)
    await page.getByText('Писать некуда: 511 человек. Контакт привяжет оператор').waitFor()
    expect(await page.getByRole('button', { name: /^Написать (ещё раз (только|тем)|через)/ }).count()).to.equal(0)
    const onPaper = `[...document.querySelectorAll('.call-list tr')].map((row) => row.cells[1].textContent)`
    expect(await page.evaluate(`${onPaper}.length`)).to.equal(501)
    await page.evaluate(`window.print = () => { window.printed = ${onPaper} }`)
    await page.getByRole('button', { name: 'Напечатать список для обзвона' }).click()
    const printed = await until(() => page.evaluate<string[] | undefined>('window.printed'), 'it is printed')
    expect(printed.sort()).to.deep.equal([...many.map((id) => `Без ${id}`), 'Закрытый Захар'].sort())
    await page.emulateMedia({ media: 'print' })
    const paper = page.locator('.call-list')
    const shownOn = async () => (await paper.innerText()).slice(0, 200)
    // which message it was, when, and for whom: whoever holds the sheet sees nothing else of it
    expect(await shownOn()).to.match(
      /^Список для обзвона на [^:]+:\d\d: 511 человек\s+Кому: Некуда\s+Время: [а-я]+, \d+ [а-я]+ в \d+:\d\d\s+Некуда писать\s/,
    )
    await page.evaluate("document.querySelector('.languages button[lang=en]').click()")
    await page.locator('html[lang=en]').waitFor({ state: 'attached' })
    expect(await shownOn()).to.match(
      /^To call, as of [^:]+:\d\d [AP]M: 511 people\s+For: Некуда\s+Due: \w+, \w+ \d+ at \d+:\d\d [AP]M\s+Некуда писать\s/,
    )
    await page.evaluate("document.querySelector('.languages button[lang=ru]').click()")
    await page.locator('html[lang=ru]').waitFor({ state: 'attached' })
    await page.emulateMedia({ media: 'screen' })
  })

  it('the list of messages says the same numbers', async () => {
    const { page } = teacher
    await page.getByRole('link', { name: 'Сообщения' }).click()
    const entry = page.getByRole('article').filter({ hasText: 'Правда ли?' })
    for (const { short, count } of (await known()).lines) await entry.getByText(`${short}: ${count}`).first().waitFor()
    expect(await entry.locator('[data-mark=some]').count()).to.equal(1)
  })

  it('an operator can open what the provider said, by keyboard too', async () => {
    const operator = await visit(browser, fleet, { language: 'en' })
    try {
      const { page } = operator
      await fleet.api.call('PUT', '/v1/people/oper', { name: 'Operator', role: 'operator', language: 'en' })
      await fleet.api.call('PUT', '/v1/contacts/sms/oper', { address: '+79005554434' })
      await operator.signIn('oper')
      const own = await fleet.apiOf('oper', 'operator')
      const { history } = await own.deliver({ to: ['user:w-blocked', 'user:w-on'], text: 'Details?' })
      await page.goto(`${fleet.apiUrl}/messages/${history.key}`)
      await page.locator('[data-ending=some]').waitFor()
      // a report of the SMS may come between the one and the other
      await until(
        async () => (await countedOn(page)) === countedIn('en', outcomeWords('en', await own.history(history.key))),
        'the page says what is known',
      )
      await page
        .locator('[data-named=notDelivered]')
        .getByRole('button', { name: 'Закрытый Захар', exact: true })
        .press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('USER_IS_BLOCKED').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    } finally {
      await operator.close()
    }
    expect(operator.complaints).to.deep.equal([])
  })

  it('names the files of a message and where they are links, and a link gives the file to be saved', async () => {
    const operator = await visit(browser, fleet)
    try {
      const { page } = operator
      await operator.signIn('oper')
      const owned = { owner: 'oper', role: 'operator', label: 'files' }
      const { apiKey } = (await fleet.api.call<{ apiKey: string }>('POST', '/v1/api-keys', owned)).body
      const client = createClient({ apiUrl: fleet.apiUrl, apiKey })
      const { id } = await client.uploadFile('Plan.pdf', Buffer.from('%PDF-1.7\n%%EOF\n'))
      const { key } = await client.send({ to: ['user:w-on'], text: 'A file', channels: ['sms'], files: [id] })
      await page.goto(`${fleet.apiUrl}/messages/${key}`)
      await page.getByText(/1 KB · kept until .+ · as a link: SMS$/).waitFor()
      await expectFine(page, 'a message with a file')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Plan.pdf', exact: true }).click(),
      ])
      expect(download.suggestedFilename()).to.equal('Plan.pdf')
    } finally {
      await operator.close()
    }
    expect(operator.complaints).to.deep.equal([])
  })

  it('says when its numbers do not add up, and that operators are told; which they are only to those', async () => {
    const operator = await visit(browser, fleet, { language: 'en' })
    const counters = keys.history(parseHistoryKey(key as HistoryKey))
    try {
      await operator.signIn('oper')
      await Promise.all([teacher, operator].map(({ page }) => page.goto(`${fleet.apiUrl}/messages/${key}`)))
      await operator.page.getByText('The numbers add up: the counters agree').waitFor()
      await own.redis.hincrby(counters, 'telegram:s', 1)
      await Promise.all([teacher, operator].map(({ page }) => page.reload()))
      await teacher.page.getByText('Числа на этой странице не сходятся').waitFor()
      expect(await teacher.page.locator('main').innerText()).to.contain('Сервис сам сообщает об этом операторам')
      expect(await teacher.page.locator('main').innerText()).not.to.match(/счётчик|отметк[аи] по/i)
      await operator.page.getByText(/^Telegram: .*taken for delivery: 2 by the counters, 1 by the receipts$/).waitFor()
      await expectFine(operator.page, 'numbers that do not add up')
      // what the page promises
      const told = async () => (await fleet.sandbox.accepted()).some(({ text }) => text.includes(key))
      await until(told, 'operators are told')
    } finally {
      await own.redis.hincrby(counters, 'telegram:s', -1)
      await operator.close()
    }
    expect(operator.complaints).to.deep.equal([])
  })

  it('offers the ways that are left: another channel, and a code by whose picture an operator links a contact', async () => {
    const bot = await startInbound(fleet, 'bot')
    const operator = await visit(browser, fleet)
    try {
      const { page } = operator
      await operator.signIn('oper')
      await fleet.api.call('PUT', '/v1/contacts/sms/w-blocked', { address: phone(6) })
      const own = await fleet.apiOf('oper', 'operator')
      const to = ['user:w-blocked', 'user:w-none', 'user:w-chat']
      const { history } = await own.deliver({ to, text: 'Какие пути?', channels: ['telegram'] })
      await page.goto(`${fleet.apiUrl}/messages/${history.key}`)
      const another = page.getByRole('button', { name: 'Write another way: SMS, 1 of 2' })
      await another.waitFor()
      await page.getByRole('button', { name: 'Link a contact: Безадресный Боря' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Issue a code Telegram' }).click()
      await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
      await expectEveryLook(page, 'linking a contact for others')
      const url = (await dialog.getByRole('link', { name: /Telegram/ }).getAttribute('href')) as string
      await fleet.sandbox.follow('telegram', '7770007', url)
      await dialog.getByText(/^Done/).waitFor()
      await page.keyboard.press('Escape')

      await another.click()
      await page.getByText(/^We will send it to 1 of 2 people/).waitFor()
      await page.getByRole('button', { name: /^Send to 1 / }).click()
      await hurry(page)
      await page.locator('[data-ending]').waitFor()
      const taken = await fleet.sandbox.accepted('Какие пути?', 'sms')
      expect(taken.map(({ address }) => address)).to.deep.equal([phone(6)])

      await page.goto(`${fleet.apiUrl}/messages/${history.key}`)
      await page.getByRole('button', { name: 'Write again to them only: 2 people' }).click()
      await page.getByText('We will send it to 2 of 2 people').waitFor()
    } finally {
      await operator.close()
      await bot.stop()
    }
    expect(operator.complaints).to.deep.equal([])
  })
})

/** `1 delivered; 2 not delivered (blocked us — 2)` */
const countedIn = (language: Language, { lines }: OutcomeWords) =>
  lines
    .map(({ count, words, why }) => {
      const reasons = why.map((each) => wordsIn(language).counted(each.count, each.words)).join(', ')
      return `${count} ${words}${reasons && ` (${reasons})`}`
    })
    .join('; ')

async function countedOn(page: Page): Promise<string> {
  const lines = await page.locator('.standing .classes li').allInnerTexts()
  return lines.map((line) => line.trim().replace(/\s+/g, ' ')).join('; ')
}
