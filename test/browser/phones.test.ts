/** The wall of phones: what the fleet sends arrives on it, and what people do there reaches the fleet. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Locator, Page, Response } from 'playwright-core'
import { Api } from 'telegram'
import { boundClient } from '../../packages/sandbox/test/sms/client.ts'
import { connectRawClient, type RawClient, sendMessage } from '../../packages/sandbox/test/telegram/raw-client.ts'
import { freePort } from '../../scripts/free-port.mjs'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { type NpmStart, npmStart } from '../scripts/npm-start.ts'
import { axeFindings } from './axe.ts'
import { launchChromium, patienceMs } from './chromium.ts'

/** of one person of the demo, who has both */
const telegram = '70001002'
const sms = '+79001000074'
const name = 'Шубина Ирина'
const person = 's-ivt-101-03'

describe('the wall of phones', () => {
  let fleet: Fleet
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    page = await open({ locale: 'en' })
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(() => expect(complaints).to.deep.equal([]))

  async function open(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(patienceMs)
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(`${fleet.sandbox.url}/`)) complaints.push(`elsewhere: ${request.url()}`)
    })
    await page.goto(fleet.sandbox.url)
    await page.locator('.row').first().waitFor()
    return page
  }
  const row = (whose: string) => page.locator('.row').filter({ has: page.getByRole('heading', { name: whose }) })
  const tile = (address: string) => page.locator(`.tile[data-address="${address}"]`)
  const phone = (address: string) => page.locator(`.phone[data-address="${address}"]`)
  const openPhone = async (address: string) => {
    await tile(address).click()
    await phone(address).waitFor()
  }
  const find = async (wanted: string) => {
    await page.getByRole('searchbox').fill(wanted)
    const isOnlyOne = async () => (await page.locator('.row').count()) === 1
    if (wanted !== '') await until(isOnlyOne, `only the phones of ${wanted} are shown`)
  }
  const send = async (text: string) =>
    (
      await fleet.api.call<{ history: { key: string } }>('POST', '/v1/messages?wait=20s', {
        to: [`user:${person}`],
        text,
      })
    ).body.history.key
  const receipt = async (key: string) =>
    (
      await fleet.api.call<{ receipts: { channels: Record<string, { state: string; reason?: string }> }[] }>(
        'GET',
        `/v1/histories/${key}/receipts`,
      )
    ).body.receipts[0]?.channels

  it('finds a person by name: one row with all phones, on each of which a message arrives, live', async () => {
    await find('шубина')
    expect(await row(name).getByRole('button').count()).to.equal(2)
    await send('Пары не будет')
    await tile(telegram).getByText('Пары не будет').waitFor()
    await tile(sms).getByText('Пары не будет').waitFor()
    expect(await page.getByRole('button', { name: /^All/ }).innerText()).to.equal('All 2')
  })

  it('finds what was typed before its script was there', async () => {
    const early = await page.context().newPage()
    let bring = () => {}
    const brought = new Promise<void>((resolve) => {
      bring = resolve
    })
    await early.route('**/main.js', async (route) => {
      await brought
      await route.continue()
    })
    const loaded = early.goto(page.url())
    await early.getByRole('searchbox').fill('шубина')
    bring()
    await loaded
    await until(async () => (await early.locator('.row').count()) === 1, 'only her phones are shown')
    await early.close()
  })

  it('finds whoever is the last of all by the id, and by the number of one of the phones', async () => {
    for (const wanted of ['s-lin-201-21', '900 100-77-70']) {
      await find(wanted)
      await row('Борисова Юлия').waitFor()
      expect(await row('Борисова Юлия').getByRole('button').count()).to.equal(3)
    }
    await find('шубина')
  })

  it('opens a phone full size, which Escape closes, and the keyboard is where it was', async () => {
    await tile(sms).focus()
    await page.keyboard.press('Enter')
    await phone(sms).getByRole('heading', { name }).waitFor()
    await phone(sms).getByRole('img', { name: 'delivered' }).waitFor()
    expect(await tile(sms).getAttribute('aria-pressed')).to.equal('true')
    await page.keyboard.press('Escape')
    await phone(sms).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.dataset.address')).to.equal(sms)
  })

  it('has the newest message in sight wherever one is; pressed, it opens its phone', async () => {
    await find('гусева')
    await send('Самое новое')
    const latest = page.getByRole('button', { name: /^Newest · .* · Шубина Ирина · .*Самое новое$/s })
    await latest.click()
    await page.locator('.phone').getByText('Самое новое').waitFor()
    expect(await page.locator('.phone').getByRole('heading').innerText()).to.equal(name)
    await page.keyboard.press('Escape')
    await find('')
    await until(async () => (await page.locator('.row h2').first().innerText()) === name, 'her row is at the front')
    await find('шубина')
  })

  it('has a stranger, whom nobody knows: what they write arrives, and the row is there', async () => {
    const { bot, heard } = await startBot(fleet)
    await page.getByRole('button', { name: 'Open a Telegram phone that nobody knows' }).click()
    const stranger = page.locator('.phone')
    await stranger.getByRole('heading', { name: 'A stranger' }).waitFor()
    await write(stranger, 'Кто здесь?')
    await until(async () => heard.includes('text Кто здесь?'), 'the bot has read it')
    await stranger.locator('li.person').getByText('Кто здесь?').waitFor()
    await find('A stranger')
    await row('A stranger').getByText('Кто здесь?').waitFor()
    await bot.close()
    await find('шубина')
  })

  it('carries what is typed on a phone to the bot, and what is pressed; shows what the bot makes of it', async () => {
    const { bot, heard } = await startBot(fleet)
    await openPhone(telegram)
    await write(phone(telegram), '/start')
    await until(async () => heard.includes('text /start'), 'the bot has read it')
    await phone(telegram).locator('li.person').getByText('/start').waitFor()

    const markup = (...labels: string[]) => {
      const buttons = labels.map((text) => new Api.KeyboardButtonCallback({ text, data: Buffer.from(`data ${text}`) }))
      return new Api.ReplyInlineMarkup({ rows: [new Api.KeyboardButtonRow({ buttons })] })
    }
    const request = Object.assign(sendMessage(telegram, 11, 'Идёте?'), { replyMarkup: markup('Да', 'Нет') })
    const { id } = (await bot.call(request)) as Api.UpdateShortSentMessage
    await phone(telegram).getByRole('button', { name: 'Нет' }).focus()
    await page.keyboard.press('Enter')
    await until(async () => heard.includes('press data Нет'), 'the press has come')

    await bot.call(
      new Api.messages.EditMessage({ peer: request.peer, id, message: 'Жаль', replyMarkup: markup('Всё же да') }),
    )
    await phone(telegram).getByText('Жаль').waitFor()
    await phone(telegram).getByText('edited').waitFor()
    expect(await phone(telegram).getByText('Идёте?').count()).to.equal(0)
    const again = phone(telegram).getByRole('button', { name: 'Всё же да' })
    await until(() => again.evaluate('document.activeElement.textContent === "Всё же да"'), 'the focus went along')
    const long = ['Изменить получателей', 'Напомнить послезавтра', 'Отмена']
    await bot.call(
      new Api.messages.EditMessage({ peer: request.peer, id, message: 'Так?', replyMarkup: markup(...long) }),
    )
    await phone(telegram).getByRole('button', { name: 'Отмена' }).waitFor()
    expect(await page.evaluate(wordsAreWhole)).to.equal(true)
    await bot.close()
  })

  it('carries what is typed on an SMS phone to whoever has bound to the number', async () => {
    const endpoint = (await fleet.sandbox.endpoints()).sms
    const inbound = await boundClient(endpoint, 'bind_transceiver', endpoint.number)
    await openPhone(sms)
    await write(phone(sms), 'СТОП')
    await until(async () => inbound.delivered.length === 1, 'the centre has brought it')
    expect(inbound.delivered[0]?.source_addr).to.equal(sms.slice(1))
    expect(inbound.delivered[0]?.short_message?.message).to.equal('СТОП')
    await phone(sms).locator('li.person').getByText('СТОП').waitFor()
    inbound.session.close()
    await inbound.closed()
  })

  it('blocks the bot: the next message fails there, and says why; and lets it in again', async () => {
    await openPhone(telegram)
    await phone(telegram).getByRole('button', { name: 'Block the bot' }).click()
    await phone(telegram).getByText('The bot is blocked').waitFor()
    await tile(telegram).getByText('The bot is blocked').waitFor()
    expect(await phone(telegram).getByRole('textbox').isDisabled()).to.equal(true)
    const channels = await receipt(await send('Вы заблокировали'))
    expect(channels?.telegram).to.include({ state: 'failed' })
    expect(channels?.telegram?.reason).to.match(/block/i)
    await tile(sms).getByText('Вы заблокировали').waitFor()
    expect(await phone(telegram).getByText('Вы заблокировали').count()).to.equal(0)

    await phone(telegram).getByRole('button', { name: 'Block the bot' }).click()
    await until(() => phone(telegram).getByRole('textbox').isEnabled(), 'one can write again')
  })

  it('switches a phone off: the message waits, its receipt too; both come when it is on again', async () => {
    await openPhone(sms)
    await phone(sms).getByRole('button', { name: 'Switched on' }).click()
    await phone(sms).getByText('Switched off').waitFor()
    const { body } = await fleet.api.call<{ key: string }>('POST', '/v1/messages', {
      to: [`user:${person}`],
      text: 'Подожду',
      channels: ['sms'],
    })
    await phone(sms).getByText('1 message is waiting').waitFor()
    await tile(sms).getByText('1 message is waiting').waitFor()
    const state = async () => (await receipt(body.key))?.sms?.state
    await until(async () => (await state()) === 'sent', 'the centre has taken it')
    expect(await phone(sms).getByText('Подожду').count()).to.equal(0)
    await phone(sms).getByRole('button', { name: 'Switched on' }).click()
    await phone(sms).getByText('Подожду').waitFor()
    await until(async () => (await state()) === 'delivered', 'its receipt has come')
  })

  it('stays smooth in a flood of 100 000 messages on 400 phones, and draws only what is in sight', async () => {
    await page.keyboard.press('Escape')
    await find('')
    await until(async () => (await page.locator('.row').count()) > 5, 'the whole wall again')
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    const workedSeconds = async () =>
      (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    const before = await workedSeconds()
    await flood(fleet, 100_000, 400)
    const counted = async () =>
      Number((await page.locator('#channels').getByRole('button', { name: /^VK/ }).innerText()).replace(/\D/g, '')) >=
      100_000
    await until(counted, 'all are counted')
    expect(await page.locator('.row').count()).to.be.below(30)
    // of the page's own thread, whatever else the machine does; half a second is usual
    expect((await workedSeconds()) - before).to.be.within(0.001, 5)
    expect(await page.evaluate('performance.memory.usedJSHeapSize')).to.be.below(100_000_000)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await until(async () => page.locator('.row').last().isVisible(), 'the last ones are drawn')
  })

  it('is walked through by the Tab key, row by row, further than was drawn at first', async () => {
    await page.evaluate('scrollTo(0, 0)')
    await page.locator('.row[aria-posinset="1"]').waitFor()
    await page.getByRole('button', { name: 'Open a VK phone that nobody knows' }).focus()
    const walked: number[] = []
    for (let i = 0; i < 150; i++) {
      await page.keyboard.press('Tab')
      // what comes next is drawn with the next frame, however late that is
      const at = await page.evaluate(`new Promise((done) => requestAnimationFrame(() =>
        done(Number(document.activeElement.closest(".row")?.getAttribute("aria-posinset") ?? 0))))`)
      if (at !== walked.at(-1)) walked.push(at as number)
    }
    const phones = walked.filter((at) => at > 0)
    expect(phones).to.deep.equal(phones.map((_, index) => index + 1))
    expect(phones.length).to.be.above(25)
  })

  it('is for everyone: axe finds nothing, light and dark, wide and narrow, in Russian and English', async () => {
    for (const options of [
      { locale: 'ru', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
      { locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    ] as const) {
      const visit = await open(options)
      await visit
        .getByRole('heading', { level: 1, name: options.locale === 'ru' ? 'Телефоны песочницы' : 'Sandbox phones' })
        .waitFor()
      await visit.getByRole('searchbox').fill('шубина')
      await visit.locator('.row').getByText('Подожду').click()
      await visit.locator('.phone').getByText('Подожду').waitFor()
      await visit
        .locator('.phone')
        .getByRole('button', { name: /Switched on|Включён/ })
        .last()
        .click()
      await visit
        .locator('.phone')
        .getByText(/Switched off|Выключен/)
        .waitFor()
      expect(await axeFindings(visit)).to.deep.equal([])
      expect(await visit.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true)
      await visit
        .locator('.phone')
        .getByRole('button', { name: /Switched on|Включён/ })
        .last()
        .click()
      // a call that is on its way ends with the page
      await visit
        .locator('.phone')
        .getByText(/Switched off|Выключен/)
        .waitFor({ state: 'detached' })
      await visit.context().close()
    }
  })

  async function write(phone: Locator, text: string) {
    await phone.getByRole('textbox').fill(text)
    await page.keyboard.press('Enter')
    await until(async () => (await phone.getByRole('textbox').inputValue()) === '', 'it was taken')
  }
})

interface Now {
  readonly channels: readonly { readonly channel: string; readonly pausedForMs: number }[]
  readonly redisAwayForMs: number
}

describe('trouble at the wall of phones', () => {
  const root = join(import.meta.dirname, '../..')
  let dir: string
  let fleet: NpmStart
  let browser: Browser
  let page: Page
  /** what the page was told of the fleet, since a test began */
  const told: Promise<Now>[] = []

  before(async () => {
    // its own Redis: no other is made to answer nobody
    const path = [dirname(process.env.REDIS_SERVER as string), process.env.PATH].join(delimiter)
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-trouble-'))
    const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
    const options = {
      folder: root,
      dataDir: dir,
      env: { PATH: path, TEST_PORTS: process.env.TEST_PORTS, FLEET_DATA: dir, ...ports },
    }
    ;[fleet, browser] = await Promise.all([npmStart(options), launchChromium()])
    page = await (await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })).newPage()
    page.setDefaultTimeout(patienceMs)
    page.on('response', (response) => {
      if (isTold(response)) told.push(response.json())
    })
    await page.goto(fleet.fleet().sandboxUrl)
    await page.locator('#trouble summary').click()
    await page.evaluate(`window.said = []; ${recordWhatIsSaid}`)
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  /** Of the fleet; one that takes long to answer is asked again. */
  const isTold = (response: Response) => new URL(response.url()).pathname === '/fleet' && response.ok()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const beside = (name: string) =>
    page
      .locator('.fault')
      .filter({ has: page.locator('.fault-name', { hasText: new RegExp(`^${name}$`) }) })
      .getByRole('status')
  const said = (name: string, sentence: RegExp) => beside(name).getByText(sentence).waitFor()
  const of = ({ channels }: Now, name: string) => channels.find(({ channel }) => channel === name.toLowerCase())

  /** Some trouble is over soon, and a machine that stands still meanwhile is told nothing of it: what is said goes by what was told. */
  async function expectSaid(name: string, sentence: RegExp, isSo: (now: Now) => boolean): Promise<void> {
    const all = await page.evaluate<{ name: string; text: string }[]>('window.said')
    const isShown = all.some((each) => each.name === name && sentence.test(each.text))
    expect(isShown, JSON.stringify(all)).to.equal((await Promise.all(told)).some(isSo))
  }
  beforeEach(async () => {
    told.length = 0
    await page.evaluate('window.said = []')
  })

  for (const name of ['Telegram', 'VK', 'SMS']) {
    it(`slows ${name} down: beside it stands how long it asks to wait, and who waits`, async () => {
      await said(name, /^ready; nobody is waiting/)
      await press(`Slow ${name} down`)
      const client = createClient(fleet.fleet())
      const channels = [name.toLowerCase()]
      const { key } = await client.send({ to: ['cohort:all-students'], text: `Slow: ${name}`, channels })
      await until(async () => (await client.history(key)).state === 'settled', 'everybody has it')
      await said(name, /^ready; nobody is waiting/)
      await expectSaid(
        name,
        /^asked to wait another \d+ s; waiting: \d+/,
        (now) => (of(now, name)?.pausedForMs ?? 0) > 0,
      )
    })

    it(`kills the courier of ${name}: beside it stands how long ago, and that the next one is ready`, async () => {
      await press(`Kill the courier of ${name}`)
      await said(name, /^ready; nobody is waiting · the one before was killed \d+ s ago$/)
    })
  }

  it('has Redis answer nobody: beside it stands for how long, and then that it answers', async () => {
    await said('Redis', /^answers$/)
    const pressed = page.waitForResponse((response) => new URL(response.url()).pathname === '/fleet/redis-away')
    await press('Have Redis answer nobody for 5 s')
    await pressed
    // what was told before says nothing of it
    told.length = 0
    await until(async () => (await Promise.all(told)).at(-1)?.redisAwayForMs === 0, 'it answers again')
    await said('Redis', /^answers$/)
    for (const name of ['Telegram', 'VK', 'SMS']) await said(name, /^ready; nobody is waiting/)
    await expectSaid('Redis', /^answers nobody for another \d s$/, ({ redisAwayForMs }) => redisAwayForMs > 0)
  })
})

/** In the page: every sentence that stood beside a button. */
const recordWhatIsSaid = `new MutationObserver(() => {
  for (const fault of document.querySelectorAll('.fault')) {
    const [name, text] = ['.fault-name', '[role=status]'].map((at) => fault.querySelector(at).textContent)
    window.said.push({ name, text })
  }
}).observe(document.querySelector('#trouble'), { subtree: true, childList: true, characterData: true })`

/** Whether each word on a button stands in one line. */
const wordsAreWhole = `[...document.querySelectorAll('.phone .keyboard button')].every((button) =>
  [...button.textContent.matchAll(/\\S+/g)].every(({ 0: { length }, index }) => {
    const word = document.createRange()
    word.setStart(button.firstChild, index)
    word.setEnd(button.firstChild, index + length)
    return word.getClientRects().length === 1
  }))`

/** A bot beside the courier, as itself: every process of a bot hears everything. */
async function startBot(fleet: Fleet): Promise<{ bot: RawClient; heard: string[] }> {
  const bot = await connectRawClient((await fleet.sandbox.endpoints()).telegram)
  const heard: string[] = []
  bot.sender._updateCallback = (_client, update: unknown) => {
    if (!(update instanceof Api.Updates)) return
    for (const each of update.updates) {
      if (each instanceof Api.UpdateNewMessage) heard.push(`text ${(each.message as Api.Message).message}`)
      if (each instanceof Api.UpdateBotCallbackQuery) heard.push(`press ${each.data}`)
    }
  }
  return { bot, heard }
}

/** Through VK's own door, a hundred people a call. */
async function flood(fleet: Fleet, messages: number, phones: number): Promise<void> {
  const { vk } = await fleet.sandbox.endpoints()
  for (let sent = 0; sent < messages; sent += 100) {
    const peers = Array.from({ length: 100 }, (_, i) => 9_000_000 + ((sent + i) % phones))
    const body = new URLSearchParams({
      access_token: vk.token,
      v: '5.199',
      random_id: String(sent + 1),
      peer_ids: peers.join(','),
      message: `Сообщение ${sent}`,
    })
    const response = await fetch(`${vkApiUrl(vk)}/messages.send`, { method: 'POST', body })
    const answer = await response.text()
    if (!answer.includes('message_id')) throw new Error(`the flood was stopped: ${answer.slice(0, 200)}`)
  }
}
