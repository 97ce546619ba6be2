/** Operators and the settings of the fleet: how fast a channel works, taking one out of use, one process, and that every setting has a form. */
import {
  type AuditLine,
  type ChannelList,
  type FleetSettings,
  fleetSettings,
  type SettingsView,
} from '@courier-fleet/api-types'
import { tuningLimits } from '@courier-fleet/api-types/tuning-limits'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { expectNoComplaints, type Visit, visit } from './visit.ts'

/** couriers, the queue and the timekeeper */
const processes = 6
/** calls a second: two people every ten seconds, so that whoever waits would wait for half an hour */
const slow = '0.1'
const shownSlow = '0,1'

describe('an operator and the settings', () => {
  let fleet: Fleet
  let browser: Browser
  let operator: Visit

  before(async () => {
    ;[fleet, browser] = await Promise.all([
      startFleet({ couriers: { vk: 2 }, env: { VK_CALLS_PER_SECOND: slow } }),
      launchChromium(),
    ])
    await fleet.api.call('PUT', '/v1/people/oper', { name: 'Оператор', role: 'operator', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/oper', { address: '+79005554434' })
    operator = await visit(browser, fleet)
    await operator.signIn('oper')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, operator)
  })

  const view = () => fleet.api.get<SettingsView>('/v1/settings')
  const channelOf = async (name: string) =>
    (await fleet.api.get<ChannelList>('/v1/channels')).channels.find(({ channel }) => channel === name)
  /** as somebody else does meanwhile */
  const change = async (patch: object) =>
    fleet.api.call('PATCH', '/v1/settings', patch, { 'if-match': `"${(await view()).version}"` })

  describe('of a channel', () => {
    const texts = ['Первое', 'Второе']
    let keys: string[]
    let vk: Locator
    let dialog: Locator

    before(async () => {
      await change({ channels: { vk: { batchSize: 2, concurrency: 1 } } })
      await until(async () => (await channelOf('vk'))?.couriers.every(({ pace }) => pace?.batchSize === 2), 'it holds')
      keys = await Promise.all(
        texts.map((text) => fleet.api.send({ to: ['cohort:all-students'], text, channels: ['vk'] })),
      )
      const { page } = operator
      await page.goto(`${fleet.apiUrl}/service`)
      vk = page.getByRole('article', { name: 'ВКонтакте' })
      dialog = page.getByRole('dialog', { name: 'Настройки канала ВКонтакте' })
      await until(async () => ((await channelOf('vk'))?.backlog.waiting ?? 0) >= 300, '300 people wait')
    })

    it('looks at one of its processes: what it was started with, and what it has claimed', async () => {
      const { page } = operator
      await page.getByRole('button', { name: 'courier-vk-1' }).click()
      const one = page.getByRole('dialog', { name: 'courier-vk-1' })
      await one.getByText('версия 1, последняя').waitFor()
      await one.getByText(/^2 \(при запуске [\d\s]+\)$/).waitFor()
      await one.getByText(shownSlow, { exact: true }).waitFor()
      await one.getByText(/^courier-vk-1-\S{8}: ВКонтакте, обычные: \d+, последний признак работы /).waitFor()
      await expectEveryLook(page, 'a process')
      await one.getByRole('button', { name: 'Закрыть' }).click()
    })

    it('is told what changes, whom it concerns and what the provider allows, before anything is changed', async () => {
      const { page } = operator
      await vk.getByRole('button', { name: 'Настройки: ВКонтакте…' }).click()
      const rate = dialog.getByLabel('В секунду не больше')
      await dialog.getByText(`При запуске: ${shownSlow}. Сейчас: ${shownSlow}.`).waitFor()
      await rate.fill('много')
      await dialog.getByText('Напишите число больше нуля, не больше 1 000 000, или ничего.').waitFor()
      await rate.fill('500')
      await dialog.getByRole('button', { name: 'Показать, что изменится' }).click()
      await dialog.getByText('ВКонтакте, в секунду не больше: 500').waitFor()
      await dialog.getByText('до сих пор: как при запуске').waitFor()
      await dialog.getByText(/^ВКонтакте разрешает не больше 20 обращений в секунду/).waitFor()
      await dialog.getByText(/^Сейчас этого канала ждут: \d+ человека?\./).waitFor()
      await expectEveryLook(page, 'what a change of a channel would do')
      expect((await view()).version).to.equal(1)
    })

    it('is told that somebody else was faster, and loses neither change', async () => {
      const rate = dialog.getByLabel('В секунду не больше')
      await rate.fill('20')
      await dialog.getByRole('button', { name: 'Показать, что изменится' }).click()
      await dialog.getByText('ВКонтакте, в секунду не больше: 20').waitFor()
      expect(await dialog.getByText('разрешает не больше').count()).to.equal(0)
      await change({ channels: { vk: { batchSize: 3 } } })
      await dialog.getByRole('button', { name: 'Да, сохранить' }).click()
      await dialog.getByText(/^Тем временем настройки изменил кто-то другой, ничего не сохранено\./).waitFor()
      expect((await view()).settings.channels.vk).to.deep.equal({ batchSize: 3, concurrency: 1 })
      await dialog.getByRole('button', { name: 'Прочитать снова' }).click()
      await until(
        async () => (await dialog.getByLabel('Человек в одном задании не больше').inputValue()) === '3',
        'the change of the other is shown',
      )
      expect(await rate.inputValue()).to.equal('20')
    })

    it('raises its rate while people wait: all processes use it, everybody has it, and it is undone', async () => {
      const { page } = operator
      await dialog.getByRole('button', { name: 'Показать, что изменится' }).click()
      await dialog.getByRole('button', { name: 'Да, сохранить' }).click()
      await dialog.getByText('Сохранено, версия 3.').waitFor()
      expect((await view()).settings.channels.vk).to.deep.equal({ batchSize: 3, concurrency: 1, perSecond: 20 })
      await dialog.getByText(`Версию настроек 3 используют процессы: ${processes} из ${processes}.`).waitFor()
      await dialog.getByText(`При запуске: ${shownSlow}. Сейчас: 20.`).waitFor()
      for (const key of keys) expect((await fleet.api.track(key)).settled).to.equal(true)
      for (const text of texts) {
        const took = (await fleet.sandbox.accepted(text, 'vk')).map(({ address }) => address)
        expect(took.length).to.be.above(150)
        expect(new Set(took).size, 'each once').to.equal(took.length)
      }
      await expectEveryLook(page, 'channels with settings')
      await dialog.getByRole('button', { name: 'Вернуть как было: версия 2' }).click()
      await dialog.getByText('Снова как в версии 2: сохранено, версия 4.').waitFor()
      expect((await view()).settings.channels.vk).to.deep.equal({ batchSize: 3, concurrency: 1 })
      await dialog.getByRole('button', { name: 'Закрыть' }).click()
    })

    it('takes it out of use once its couriers are gone, and is told first who still waits', async () => {
      const { page } = operator
      const sms = page.getByRole('article', { name: 'SMS' })
      await sms.waitFor()
      expect(await sms.getByRole('button', { name: 'Вывести из работы: SMS…' }).count(), 'it has couriers').to.equal(0)
      await fleet.kill('courier-sms-1')
      const key = await fleet.api.send({ to: ['user:oper'], text: 'Останется', channels: ['sms'] })
      await sms.getByText('1 человек').waitFor()
      await sms.getByRole('button', { name: 'Вывести из работы: SMS…' }).click()
      const retiring = page.getByRole('dialog', { name: 'Вывести канал SMS из работы?' })
      await retiring.getByText(/^Его ещё ждут, если считать каждое сообщение: 1 человек\./).waitFor()
      await expectEveryLook(page, 'retiring a channel')
      await retiring.getByRole('button', { name: 'Вывести из работы' }).click()
      await retiring.waitFor({ state: 'detached' })
      const { lines } = await fleet.api.get<{ lines: AuditLine[] }>('/v1/audit?limit=20')
      expect(lines.find(({ action }) => action === 'channel.retired')).to.include({ by: 'oper', channel: 'sms' })
      await fleet.start('courier-sms-1')
      expect((await fleet.api.track(key)).settled, 'whoever waited gets it').to.equal(true)
    })
  })

  describe('of the fleet', () => {
    /** one place of each form */
    const forms: Readonly<Record<Exclude<keyof FleetSettings, 'formerTypes'>, (page: Page) => Locator>> = {
      types: (page) => page.getByRole('button', { name: 'Новый вид' }),
      roles: (page) => page.getByRole('button', { name: 'Новая роль' }),
      quiet: (page) => page.getByRole('checkbox', { name: 'Тихие часы' }),
      exams: (page) => page.getByRole('button', { name: 'Добавить экзамен' }),
      caps: (page) => page.getByRole('button', { name: 'Добавить предел' }),
      interval: (page) => page.getByRole('checkbox', { name: 'Между двумя сообщениями не меньше' }),
      levels: (page) => page.getByRole('button', { name: 'Добавить ступень' }),
      consent: (page) => page.getByLabel('Кому можно писать'),
      language: (page) => page.getByLabel('Язык тех, на чьём языке'),
      retentionDays: (page) => page.getByLabel('Сколько дней хранить сообщение'),
      quietJitterSeconds: (page) => page.getByLabel('За сколько секунд после тихих часов'),
      onlineIntervalSeconds: (page) => page.getByLabel('Сколько секунд самое меньшее'),
      weights: (page) => page.getByLabel('срочные сообщения'),
      recheckHosts: (page) => page.getByLabel('Кого преподаватели могут переспрашивать'),
      tellRead: (page) => page.getByRole('group', { name: 'Где известно, кто прочитал' }).getByLabel('ВКонтакте'),
      tariffs: (page) => page.getByRole('checkbox', { name: 'Цены заданы' }),
      budgets: (page) => page.getByRole('button', { name: 'Бюджеты SMS…' }),
      channels: (page) => page.getByRole('button', { name: 'Настройки: SMS…' }),
    }
    const onService = ['budgets', 'channels']
    const more = () => operator.page.getByRole('form', { name: 'Другие настройки' })

    it('has a form for each setting there is, and for each of a channel', async () => {
      const { page } = operator
      // removed types are kept by the service itself
      const all = Object.keys(fleetSettings.shape).filter((name) => name !== 'formerTypes')
      expect(Object.keys(forms).sort()).to.deep.equal(all.sort())
      for (const [name, find] of Object.entries(forms)) {
        await page.goto(`${fleet.apiUrl}/${onService.includes(name) ? 'service' : 'rules'}`)
        await find(page).waitFor()
        expect(await find(page).isEnabled(), name).to.equal(true)
      }
      await forms.channels(page).click()
      const dialog = page.getByRole('dialog', { name: 'Настройки канала SMS' })
      await dialog.getByLabel('Процессов').waitFor()
      expect(await dialog.locator('input:not([type=checkbox])').count()).to.equal(Object.keys(tuningLimits).length)
      await dialog.getByRole('checkbox', { name: 'Сколько нужно' }).check()
      await dialog.getByRole('button', { name: 'Показать, что изменится' }).click()
      await dialog.getByText('SMS, процессов: сколько нужно').waitFor()
      await dialog.getByRole('button', { name: 'Закрыть' }).click()
    })

    it('is shown what is no value, and nothing is asked of the service then', async () => {
      const { page } = operator
      const before = await view()
      await page.goto(`${fleet.apiUrl}/rules`)
      await forms.retentionDays(page).fill('0')
      await more().getByText('Напишите число больше нуля, не больше 36 500.').waitFor()
      await forms.recheckHosts(page).fill('https://timetable.example.org')
      await more()
        .getByText(/^Пишите по одному имени узла в строке/)
        .waitFor()
      await forms.tariffs(page).check()
      await more()
        .getByText(/^Напишите валюту, например RUB/)
        .waitFor()
      await expectEveryLook(page, 'mistakes in settings')
      await more().getByRole('button', { name: 'Показать, что изменится' }).click()
      expect(await more().getByText('Пока ничего не изменено').count()).to.equal(0)
      expect((await view()).version).to.equal(before.version)
    })

    it('sets all the others at once, is told whom that concerns, and undoes it', async () => {
      const { page } = operator
      const before = await view()
      await forms.consent(page).selectOption('required')
      await forms.language(page).fill('ru')
      await forms.retentionDays(page).fill('30,5')
      await forms.quietJitterSeconds(page).fill('60')
      await forms.onlineIntervalSeconds(page).fill('20')
      await forms.weights(page).fill('6')
      await forms.recheckHosts(page).fill('timetable.example.org\nrooms.example.org')
      await forms.tellRead(page).check()
      await more().getByLabel('Номера, которые начинаются с').fill('+79')
      await more().getByLabel('Цена одной части').fill('2,5')
      await more().getByRole('button', { name: 'Показать, что изменится' }).click()
      await more().getByText('сообщение хранится, когда с ним всё кончено: 30,5').waitFor()
      await more().getByText('до сих пор: 90 дней').waitFor()
      await more()
        .getByText(/^Сообщения, законченные больше 30,5 .* назад, забываются/)
        .waitFor()
      await expectEveryLook(page, 'what a change of settings would do')
      expect((await view()).version).to.equal(before.version)
      await more().getByRole('button', { name: 'Да, сохранить' }).click()
      await more()
        .getByText(`Сохранено, версия ${before.version + 1}.`)
        .waitFor()
      const { settings, version } = await view()
      expect(version).to.equal(before.version + 1)
      expect(settings).to.deep.equal({
        ...before.settings,
        consent: 'required',
        language: 'ru',
        retentionDays: 30.5,
        quietJitterSeconds: 60,
        onlineIntervalSeconds: 20,
        weights: { ...before.settings.weights, urgent: 6 },
        recheckHosts: ['timetable.example.org', 'rooms.example.org'],
        tellRead: ['vk'],
        tariffs: { currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_500_000 }] },
      })
      await more()
        .getByText(/В окружении службы: 90 дней\./)
        .waitFor()
      await expectEveryLook(page, 'settings beside their first')
      await more()
        .getByRole('button', { name: `Вернуть как было: версия ${before.version}` })
        .click()
      await more()
        .getByText(/^Снова как в версии/)
        .waitFor()
      expect((await view()).settings).to.deep.equal(before.settings)
      expect(await forms.retentionDays(page).inputValue()).to.equal('90')
    })

    it('sets quiet hours that begin on some days only', async () => {
      const { page } = operator
      const all = page.getByRole('form', { name: 'Для сообщений любого вида' })
      await forms.quiet(page).check()
      for (const day of ['пн', 'вт', 'ср', 'чт', 'вс']) await all.getByRole('checkbox', { name: day }).uncheck()
      await all.getByRole('button', { name: 'Сохранить' }).click()
      await until(async () => (await view()).settings.quiet !== null, 'they are set')
      expect((await view()).settings.quiet).to.deep.equal({ from: '22:00', to: '08:00', days: ['fri', 'sat'] })
    })
  })

  it('works by keyboard, in English and in the dark', async () => {
    await fleet.api.call('PUT', '/v1/people/night', { name: 'Night', role: 'operator', language: 'en' })
    await fleet.api.call('PUT', '/v1/contacts/sms/night', { address: '+79005554435' })
    const other = await visit(browser, fleet, { language: 'en', colorScheme: 'dark' })
    await other.signIn('night')
    const { page } = other
    await page.goto(`${fleet.apiUrl}/service`)
    await page.getByRole('button', { name: 'Settings of Telegram…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Settings of Telegram' })
    const rate = dialog.getByLabel('At most, a second')
    await rate.press('3')
    await rate.press('1')
    await rate.press('Enter')
    await dialog.getByText('Telegram, a second at most: 31').waitFor()
    await dialog.getByText(/^Telegram allows at most 30 messages a second/).waitFor()
    await expectFine(page, 'a channel, by keyboard')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'courier-telegram-1' }).press('Enter')
    await page.getByRole('dialog').getByText('Has claimed, as Redis says').waitFor()
    await expectFine(page, 'a process, by keyboard')
    await page.keyboard.press('Escape')
    await page.goto(`${fleet.apiUrl}/rules`)
    const more = page.getByRole('form', { name: 'More settings' })
    await more.getByLabel('So many days a message is kept').fill('90000')
    await more.getByText('Write a number above 0, at most 36,500.').waitFor()
    await more.getByRole('checkbox', { name: 'Prices are set' }).press('Space')
    await more.getByLabel('Price of one part').waitFor()
    await expectFine(page, 'more settings, by keyboard')
    expect(other.complaints).to.deep.equal([])
    await other.close()
  })
})
