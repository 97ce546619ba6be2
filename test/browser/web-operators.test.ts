/** Operators: everybody's messages, and what can be done about them. */
import type {
  ChannelList,
  ChannelView,
  EndpointsView,
  HistoriesPage,
  ReceiptsPage,
  ReceiptView,
  ServiceView,
  SettingsView,
} from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Route } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { expectNoComplaints, type Visit, visit } from './visit.ts'

describe('an operator at the web app', () => {
  let fleet: Fleet
  let browser: Browser
  let operator: Visit
  let teacher: Visit
  let key: string

  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    await fleet.api.call('PUT', '/v1/people/oper', {
      name: 'Оператор',
      role: 'operator',
      timeZone: 'Europe/Moscow',
      language: 'ru',
    })
    await fleet.api.call('PUT', '/v1/contacts/sms/oper', { address: '+79005554434' })
    ;[operator, teacher] = await Promise.all([visit(browser, fleet), visit(browser, fleet)])
    await operator.signIn('oper')
    await teacher.signIn('t-01')
    const sender = await fleet.apiOf('t-01', 'trainer')
    const { body } = await sender.call<{ key: string }>('POST', '/v1/messages', {
      to: ['group:ivt-101'],
      text: 'Чужое сообщение',
      at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    key = body.key
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(async function () {
    await expectNoComplaints.call(this, operator)
    await expectNoComplaints.call(this, teacher)
  })

  it('sees the messages of all senders, or of one; a teacher sees her own', async () => {
    const { page } = operator
    await page.getByRole('link', { name: 'Сообщения' }).click()
    await page.getByText('Вы ещё ничего не отправляли.').waitFor()
    await page.getByLabel('Чьи').selectOption({ label: 'Всех отправителей' })
    const entry = page.getByRole('article').filter({ hasText: 'Чужое сообщение' })
    await entry.getByRole('button', { name: 'Все сообщения отправителя Гусева Алёна' }).press('Enter')
    expect(await page.getByLabel('Чьи').inputValue()).to.equal('t-01')
    await entry.waitFor()
    await page.getByRole('region', { name: 'Запланированы' }).getByRole('article').waitFor()
    await expectEveryLook(page, "everybody's messages")

    await teacher.page.getByRole('link', { name: 'Сообщения' }).click()
    await teacher.page.getByRole('article').filter({ hasText: 'Чужое сообщение' }).waitFor()
    expect(await teacher.page.getByLabel('Чьи').count()).to.equal(0)
  })

  it("moves and stops another's message, is told whose it is, and its sender sees it at once", async () => {
    await teacher.page.goto(`${fleet.apiUrl}/messages/${key}`)
    await teacher.page.getByRole('heading', { level: 1, name: /^Запланировано: / }).waitFor()
    const { page } = operator
    await page.getByRole('link', { name: 'Чужое сообщение' }).click()
    await page.locator('dl.facts').getByText('t-01').waitFor()
    await page.getByRole('button', { name: 'Перенести' }).click()
    const moscow = new Date(Date.now() + 48 * 3_600_000 + 3 * 3_600_000).toISOString().slice(0, 16)
    await page.getByRole('dialog').getByLabel('Дата и время').fill(moscow)
    await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const due = new Date(`${moscow}:00+03:00`)
    const said = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('ru', { timeZone: 'Europe/Moscow', ...options }).format(due)
    // with the weekday, and with the year where it is another
    const date = `${said({ weekday: 'long' })}, ${said({ day: 'numeric', month: 'long' })}`
    const words = new RegExp(`${date}( \\d{4} г\\.)? в ${said({ hour: 'numeric', minute: '2-digit' })}`)
    for (const each of [page, teacher.page]) await each.getByRole('heading', { level: 1, name: words }).waitFor()

    await page.getByRole('button', { name: 'Отменить' }).click()
    await page.getByRole('dialog').getByText('Это сообщение не ваше: его отправитель — t-01').waitFor()
    await expectFine(page, "stopping another's")
    await page.getByRole('dialog').getByRole('button', { name: 'Да, отменить' }).click()
    for (const each of [page, teacher.page])
      await each.getByRole('heading', { level: 1, name: 'Отменено до начала' }).waitFor()
    expect((await fleet.api.history(key)).state).to.equal('cancelled')
    // its sender reads who it was, and why there is no text any more
    await teacher.page.locator('dl.facts').getByText('oper', { exact: true }).waitFor()
    await teacher.page.getByRole('link', { name: 'Сообщения' }).click()
    await teacher.page.getByRole('link', { name: '(текст отменённого сообщения не хранится)' }).waitFor()
    await expectFine(teacher.page, 'a message that was cancelled')
  })

  it('reads on one screen why VK is slow, since when, who waits, and that nobody is lost', async () => {
    const { page } = operator
    await fleet.sandbox.fault({ channel: 'vk', kind: 'throttle', seconds: 20, count: 1000 })
    const { body } = await fleet.api.call<{ key: string }>('POST', '/v1/messages', {
      to: ['group:ivt-101'],
      text: 'Медленно',
      channels: ['vk'],
    })
    await page.getByRole('link', { name: 'Служба' }).click()
    const verdict = page.locator('.verdict')
    const slow = /^ВКонтакте просит слать реже с .*\d\d:\d\d: «VK says 9: Flood control»\. Ждут 18 человек\./
    await verdict.getByText(slow).waitFor()
    await verdict.getByText('Никто не потерян').waitFor()
    const vk = page.getByRole('article', { name: 'ВКонтакте' })
    await vk.getByText('притормаживает').waitFor()
    await vk.getByText('обычные').waitFor()
    const telegram = page.getByRole('article', { name: 'Telegram' })
    await telegram.getByText('работает', { exact: true }).waitFor()
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 })
      await page.evaluate('scrollTo(0, 0)')
      const box = await verdict.boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 740), `${width} px: it is all on the first screen`).to.be.below(740)
    }
    await expectEveryLook(page, 'the service')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: /English/ }).click()
    await verdict.getByText(/^VK asks to be sent less since .*: “VK says 9: Flood control/).waitFor()
    await page.getByRole('button', { name: /Русский/ }).click()
    await fleet.sandbox.clearFaults()
    await vk.getByRole('button', { name: 'Приостановить ВКонтакте' }).click()
    await verdict.getByText(/^ВКонтакте приостановлен с .*, приостановил oper\./).waitFor()
    await vk.getByRole('button', { name: 'Возобновить ВКонтакте' }).click()
    await vk.getByRole('button', { name: 'Приостановить ВКонтакте' }).waitFor()
    await until(async () => (await fleet.api.history(body.key)).state === 'settled', 'everyone of VK has it')
  })

  it('goes from a number to its people, and to one of them in the message; and sees that all is well again', async () => {
    const { page } = operator
    await page.getByRole('link', { name: 'Правила' }).click()
    await page.getByRole('link', { name: 'Служба' }).click()
    await page.locator('.verdict').getByText('Все каналы работают.').waitFor({ timeout: 60_000 })
    await says('while no replica confirms', /Реплики Redis не подтверждают записанное/, async (route) => {
      const response = await route.fetch()
      const { redis, ...rest } = (await response.json()) as ServiceView
      await route.fulfill({ response, json: { ...rest, redis: { ...redis, isConfirmed: false } } })
    })
    const problem = {
      type: 'about:blank',
      title: 'away',
      status: 503,
      code: 'redis-away',
      detail: 'Redis does not answer',
    }
    await says('while Redis is away', /Redis или часть его не отвечает.*Ниже то, что было известно на/s, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await page.locator('.verdict').getByText('Все каналы работают.').waitFor()
    await page.getByRole('button', { name: /^\d+ отправлено, .*, ВКонтакте: показать/ }).click()
    const person = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Медленно' }).first()
    await person.getByText(/отправлено.*, \d/).waitFor()
    const name = await person.getByRole('link').innerText()
    await expectEveryLook(page, 'the people behind a number')
    await person.getByRole('link').click()
    await page.locator('[data-ending]').waitFor()
    expect(await page.getByLabel('Канал').inputValue(), 'narrowed to them').to.equal('vk')
    const receipts = page.locator('section[aria-labelledby=receipts]')
    await receipts.getByText('Показано 1 из 1').waitFor()
    await receipts.getByRole('button', { name }).waitFor()
  })

  it('reaches as many people by each number as it says, and of a reason those with it', async () => {
    const { page } = operator
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reject', code: '0x0000000B', count: 2 })
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reject', code: '0x00000045', count: 1 })
    const { body } = await fleet.api.call<{ key: string }>('POST', '/v1/messages', {
      to: ['group:ivt-101'],
      text: 'Числа и люди',
      channels: ['sms'],
    })
    await until(async () => {
      const { people } = await fleet.api.history(body.key)
      return people?.pending === 0 && people.handedOver === 0 && people.sentToChat === 0
    }, 'every receipt has come to where it stays')
    await page.goto(`${fleet.apiUrl}/service`)
    const numbers = page.getByRole('region', { name: 'Что стало с сообщениями' }).getByRole('table').getByRole('button')
    await numbers.first().waitFor()
    const dialog = page.getByRole('dialog')
    const labels = await Promise.all((await numbers.all()).map((each) => each.getAttribute('aria-label')))
    expect(labels.join('\n'))
      .to.match(/3 не дошло, .*, SMS/)
      .and.match(/началось для/)
    for (const label of labels as string[]) {
      await page.getByRole('button', { name: label, exact: true }).click()
      const [count] = label.split(' ')
      await dialog.getByText(`Найдено: ${count} из ${count}. Просмотрены все`).waitFor()
      expect(await dialog.locator('ul.groups > li').count(), label).to.equal(Number(count))
      if (!label.startsWith('3 не дошло')) {
        await page.keyboard.press('Escape')
        continue
      }
      await expectEveryLook(page, 'the people behind a number, with reasons')
      const reasons = dialog.getByRole('group', { name: 'Почему' }).getByRole('button')
      await reasons.filter({ hasText: /: 2$/ }).press('Enter')
      await dialog.getByText('Найдено: 2 из 2.').waitFor()
      expect(await dialog.locator('ul.groups > li').count(), 'with that reason').to.equal(2)
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.keyboard.press('Escape')
    }
  })

  /** The service itself, once what is being answered has been. */
  const answersAgain = () => operator.page.unrouteAll({ behavior: 'wait' })

  /** What the page shows while `GET /v1/service` is answered like this; that all is well is not said then. */
  async function says(when: string, expected: RegExp, answer: (route: Route) => Promise<void>): Promise<void> {
    const { page } = operator
    await page.route('**/v1/service', answer)
    const main = page.locator('#main')
    await until(async () => expected.test(await main.innerText()), `the page says it ${when}`)
    expect(await main.innerText(), when).not.to.match(/Все каналы работают|Никто не потерян/)
    await answersAgain()
  }

  it('sees of each account of a channel whether it works, what it said, its rate and whom it took', async () => {
    const { page } = operator
    const since = new Date(Date.now() - 60_000).toISOString()
    const accounts: ChannelView['accounts'] = [
      {
        name: 'first',
        prefixes: [],
        perSecond: 100,
        couriers: { works: 1, of: 2 },
        trouble: { state: 'left-alone', since, why: 'ESME_RTHROTTLED' },
        pausedForMs: 4_000,
        people: { own: 812, takenOver: 0 },
      },
      {
        name: 'second',
        prefixes: ['+7916', '+375'],
        couriers: { works: 2, of: 2 },
        pausedForMs: 0,
        people: { own: 40, takenOver: 3 },
      },
    ]
    await page.route('**/v1/channels', async (route) => {
      const response = await route.fetch()
      const list = (await response.json()) as ChannelList
      const channels = list.channels.map((each) => (each.channel === 'vk' ? { ...each, accounts } : each))
      await route.fulfill({ response, json: { ...list, channels } })
    })
    await page.getByRole('link', { name: 'Служба' }).click()
    const vk = page.getByRole('article', { name: 'ВКонтакте' })
    await vk.getByText(/не обращаемся с .* · просит подождать ещё 4 с · разрешено 100 /).waitFor()
    await vk.getByText('ESME_RTHROTTLED').waitFor()
    await vk.getByText(/\+7916, \+375 · .* · через него: 43 человека · из них вместо другого: 3/).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectEveryLook(page, 'accounts of a channel')
    await page.setViewportSize({ width: 1280, height: 900 })
    await answersAgain()
  })

  it('sees what part of a channel each class had of late, and what its weight gives it', async () => {
    const { page } = operator
    const classes: ChannelView['classes'] = [
      { class: 'urgent', waiting: 40, atLeast: false, takesMs: 5_000, lastMinute: 1_026, share: 0.5694, weight: 4 },
      { class: 'normal', waiting: 0, atLeast: false, takesMs: 0, lastMinute: 0, share: 0, weight: 2 },
      { class: 'bulk', waiting: 2_800, atLeast: true, lastMinute: 257, share: 0.1426, weight: 1 },
    ]
    await page.route('**/v1/channels', async (route) => {
      const response = await route.fetch()
      const list = (await response.json()) as ChannelList
      const channels = list.channels.map((each) => (each.channel === 'vk' ? { ...each, classes } : each))
      await route.fulfill({ response, json: { ...list, channels } })
    })
    await page.getByRole('link', { name: 'Правила' }).click()
    await page.getByRole('link', { name: 'Служба' }).click()
    const lines = page.getByRole('article', { name: /^(ВКонтакте|VK)$/ }).getByRole('listitem')
    const told = async () => (await lines.allInnerTexts()).map((line) => line.replace(/\s/g, ' '))
    await lines.filter({ hasText: 'срочные' }).waitFor()
    expect(await told()).to.deep.equal([
      'срочные · ждут до 40 · 5 с при разрешённой скорости · за минуту 57 % (1 026) · вес 4 из 7: 57 %, когда ждут все',
      'массовые · ждут не меньше 2 800 · за минуту 14 % (257) · вес 1 из 7: 14 %, когда ждут все',
    ])
    await expectEveryLook(page, 'classes of a channel')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: /English/ }).click()
    await lines.filter({ hasText: 'urgent' }).waitFor()
    expect(await told()).to.deep.equal([
      'urgent · up to 40 waiting · 5 s at the allowed rate · 57 % of the last minute (1,026) · weight 4 of 7: 57 % while all classes wait',
      'bulk · at least 2,800 waiting · 14 % of the last minute (257) · weight 1 of 7: 14 % while all classes wait',
    ])
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: /Русский/ }).click()
    await answersAgain()
  })

  it('sees which URLs of a channel are not called, since when, why and when they are tried again', async () => {
    const { page } = operator
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
    const endpoints: EndpointsView = {
      channel: 'http',
      leftAlone: 3,
      off: 1,
      atLeast: false,
      first: [
        { host: 'lms.example.org', state: 'left-alone', since: at(-90), said: '503: maintenance', nextTryAt: at(300) },
        { host: 'dean.example.org', state: 'left-alone', since: at(-600), said: 'timed out', nextTryAt: at(-60) },
        { host: 'a-rather-long-name-of-a-host.students.example.org', state: 'off', since: at(-9_000) },
      ],
    }
    await page.route('**/v1/service', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as ServiceView), endpoints: [endpoints] } })
    })
    await page.route('**/v1/channels', async (route) => {
      const response = await route.fetch()
      const list = (await response.json()) as ChannelList
      const channels = list.channels.flatMap((each) =>
        each.channel === 'vk' ? [each, { ...each, channel: 'http' }] : each,
      )
      await route.fulfill({ response, json: { ...list, channels } })
    })
    await page.getByRole('link', { name: 'Правила' }).click()
    await page.getByRole('link', { name: 'Служба' }).click()
    const http = page.getByRole('article', { name: /^(Другие системы|Other systems)$/ })
    await http.getByText('временно не вызываем URL: 3 · выключено: 1').waitFor()
    const lines = http.getByRole('listitem')
    await lines
      .filter({ hasText: 'lms.example.org' })
      .getByText(/не вызываем с .*, попробуем снова в .*\d\d:\d\d/)
      .waitFor()
    await lines.getByText('503: maintenance').waitFor()
    await lines.getByText(/попробуем снова со следующим сообщением для него/).waitFor()
    await lines.getByText('и ещё 1').waitFor()
    expect(await page.getByRole('article', { name: 'ВКонтакте' }).getByText('не вызываем').count(), 'another').to.equal(
      0,
    )
    await expectEveryLook(page, 'URLs that are not called')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: /English/ }).click()
    await http.getByText('URLs left alone: 3 · switched off: 1').waitFor()
    await lines.getByText(/^ · left alone since .*, tried again at /).waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: /Русский/ }).click()
    await answersAgain()
  })

  it('looks up whether somebody got it, and when, on a phone and on a desk, in both languages', async () => {
    const { page } = operator
    await page.getByRole('link', { name: 'Служба' }).click()
    const { histories } = await fleet.api.get<HistoriesPage>(
      `/v1/histories?sender=*&search=${encodeURIComponent('Медленно')}`,
    )
    const { receipts } = await fleet.api.get<ReceiptsPage>(`/v1/histories/${histories[0]?.key}/receipts?state=sent`)
    const { person, name = '' } = receipts[0] as ReceiptView
    await page.getByLabel('Чьи сообщения: имя или обозначение').fill(person)
    await page.getByRole('button', { name, exact: true }).click()
    const found = page.getByRole('region', { name, exact: true })
    const message = found.getByRole('listitem').filter({ hasText: 'Медленно' })
    await message.getByText(/^ВКонтакте: .*отправлено/).waitFor()
    await expectEveryLook(page, 'what somebody got')
    await page.getByRole('button', { name: /English/ }).click()
    await message.getByText(/^accepted .*, /).waitFor()
    await page.getByRole('button', { name: /Русский/ }).click()
    await message.getByRole('link', { name: 'Медленно' }).click()
    await page.locator('[data-ending]').waitFor()
  })

  it('pauses a channel and resumes it', async () => {
    const { page } = operator
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'Правила' }).click()
    const pausedBy = async () => {
      const { channels } = await fleet.api.get<ChannelList>('/v1/channels')
      return channels.find(({ channel }) => channel === 'sms')?.paused?.pausedBy
    }
    await page.getByRole('button', { name: 'Приостановить SMS' }).click()
    await page.getByText('приостановил oper').waitFor()
    expect(await pausedBy()).to.equal('oper')
    await expectFine(page, 'a channel paused')
    await page.getByRole('button', { name: 'Возобновить SMS' }).click()
    await page.getByRole('button', { name: 'Приостановить SMS' }).waitFor()
    expect(await pausedBy()).to.equal(undefined)
  })

  it('lets a message go out that waits because its sender may not send it any more', async () => {
    const { page } = operator
    const sender = await fleet.apiOf('t-01', 'trainer')
    const { body } = await sender.call<{ key: string }>('POST', '/v1/messages', {
      to: ['group:ivt-101'],
      text: 'Ждёт решения',
      at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await fleet.api.call('PUT', '/v1/people/t-01', { name: 'Бывший преподаватель', role: 'student' })
    await fleet.api.call('PATCH', `/v1/histories/${body.key}`, { at: 'now' })
    await until(async () => (await fleet.api.history(body.key)).heldSince !== undefined, 'it is held')
    await page.getByRole('link', { name: 'Сообщения' }).click()
    await page.getByLabel('Чьи').selectOption({ label: 'Всех отправителей' })
    await page.getByRole('link', { name: 'Ждут оператора 1' }).click()
    await page.getByRole('article').filter({ hasText: 'Ждёт решения' }).getByRole('link').click()
    await page.locator('.standing').getByText('Ждёт оператора: у отправителя больше нет права его отправить').waitFor()
    await expectEveryLook(page, 'a message that waits for an operator')
    await page.getByRole('button', { name: 'Разрешить отправку' }).click()
    await page.locator('[data-ending]').waitFor()
    expect(await fleet.sandbox.accepted('Ждёт решения')).not.to.deep.equal([])
  })

  it('sets budgets of SMS beside what they were, for so many people of each role, and undoes it', async () => {
    const { page } = operator
    await page.setViewportSize({ width: 360, height: 740 })
    const budgets = async () => (await fleet.api.get<SettingsView>('/v1/settings')).settings.budgets
    const before = await budgets()
    await page.goto(`${fleet.apiUrl}/service`)
    await page.getByRole('button', { name: 'Бюджеты SMS…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Бюджеты SMS' })
    const month = dialog.getByLabel('Вся служба, за месяц', { exact: true })
    await month.fill('1000')
    await dialog.getByText('До сих пор: без предела.').waitFor()
    const ofTeachers = dialog.getByLabel(/^За день, каждый: преподаватель \(\d+ человек.?\)$/)
    await ofTeachers.fill('2,5')
    await dialog.getByText('Напишите число больше нуля, частей — целое, или ничего.').waitFor()
    const save = dialog.getByRole('button', { name: 'Сохранить' })
    await save.click()
    expect(await budgets(), 'nothing is saved of what is wrong').to.deep.equal(before)
    await ofTeachers.fill('200')
    await expectEveryLook(page, 'budgets of SMS')
    await save.click()
    await dialog.getByText(/^Сохранено, версия \d+\.$/).waitFor()
    expect(await budgets()).to.deep.equal({ month: { parts: 1000 }, day: { trainer: { parts: 200 } }, exempt: [] })
    await dialog.getByRole('button', { name: 'Вернуть как было' }).click()
    await dialog.getByText(/^Снова как было, версия \d+\.$/).waitFor()
    expect(await budgets()).to.deep.equal(before)
    expect(await month.inputValue()).to.equal('')
  })

  it('reads that a process has ended, as the timekeeper has noticed it', async () => {
    const { page } = operator
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${fleet.apiUrl}/service`)
    const events = page.locator('section[aria-labelledby=events]')
    await events.getByText(/^запущен courier-sms-1/).waitFor()
    await fleet.kill('courier-sms-1')
    await events.getByText(/^courier-sms-1: процесса больше нет; последний знак он подал в/).waitFor()
    await expectFine(page, 'a process that has ended')
    await page.getByRole('button', { name: /English/ }).click()
    await events.getByText(/^courier-sms-1 is not there any more; its last sign of life was at/).waitFor()
    await page.getByRole('button', { name: /Русский/ }).click()
  })
})
