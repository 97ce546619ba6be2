/** Receivers on the wall: what they were called with, what they made of it, and the secret that somebody gives them. */
import { silentLog } from '@courier-fleet/process'
import { type Sandbox, startSandbox } from '@courier-fleet/sandbox'
import { until } from '@courier-fleet/testkit'
import {
  createGuardedClient,
  type GuardedClient,
  guardedSettings,
  newSecret,
  signedHeaders,
} from '@courier-fleet/webhooks'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { sandboxCalls } from '../../scripts/call-settings.mjs'
import { axeFindings } from './axe.ts'
import { launchChromium, patienceMs } from './chromium.ts'

const size = { width: 1280, height: 900 }

describe('receivers on the wall', () => {
  let sandbox: Sandbox
  let client: GuardedClient
  let browser: Browser
  let page: Page
  let origin: string
  const complaints: string[] = []
  const secret = newSecret()

  before(async () => {
    sandbox = await startSandbox({ log: silentLog })
    origin = `http://127.0.0.1:${sandbox.endpoints.http.port}`
    client = createGuardedClient(guardedSettings(sandboxCalls))
    browser = await launchChromium()
    page = await open({ viewport: size, locale: 'en' })
  })
  after(async () => {
    await browser?.close()
    await client?.close()
    await sandbox?.stop()
  })
  afterEach(() => expect(complaints).to.deep.equal([]))

  async function open(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
    const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
    page.setDefaultTimeout(patienceMs)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(sandbox.url)
    await page
      .locator('#channels')
      .getByRole('button', { name: /^(Другие системы|Other systems)/ })
      .click()
    await page.locator('.row').first().waitFor()
    return page
  }
  const card = (path: string) => page.locator(`.phone[data-address="${origin}${path}"]`)
  const openCard = async (path: string) => {
    await page.locator(`.tile[data-address="${origin}${path}"]`).click()
    await card(path).waitFor()
  }
  let calls = 0
  const call = (path: string, text: string, { id = `call-${++calls}`, by = [secret] } = {}) => {
    const body = JSON.stringify({ id, type: 'message', text })
    const headers = by.length > 0 ? signedHeaders({ id, secrets: by, atMs: Date.now(), body }) : { 'webhook-id': id }
    return client.post(`${origin}${path}`, { headers, body, timeoutMs: 60_000 })
  }

  it('stand there to be called, the one that takes everything first, each with its URL and what it does', async () => {
    expect(await page.locator('.row h2').first().innerText()).to.equal('Takes everything')
    await openCard('/error')
    expect(await card('/error').innerText())
      .to.contain('Fails (500)')
      .and.to.contain(`${origin}/error`)
    await openCard('/ok')
    expect(await card('/ok').getByRole('textbox').getAttribute('placeholder')).to.equal('Its secret: whsec_…')
  })

  it('show each call as it comes: what was answered, what the signature is worth, which try it is', async () => {
    await call('/ok', 'Пара перенесена')
    await card('/ok').getByText('Пара перенесена').waitFor()
    expect(await card('/ok').locator('li').last().innerText()).to.contain('answered 200 · signed, secret not known')
    await openCard('/error')
    for (let n = 0; n < 2; n++) await call('/error', 'Ещё раз', { id: 'again', by: [] })
    await card('/error').getByText('try 2').waitFor()
    expect(await card('/error').locator('li').innerText()).to.match(/answered 500 · not signed · try 2$/)
    expect(await card('/error').locator('li strong').allInnerTexts()).to.deep.equal([
      ' · answered 500',
      ' · not signed',
    ])
  })

  it('verify as soon as somebody gives them the secret, which is not shown', async () => {
    await openCard('/ok')
    await card('/ok').getByRole('textbox').fill(secret)
    await page.keyboard.press('Enter')
    await card('/ok').locator('li.person').waitFor()
    expect(await page.content()).not.to.contain(secret)
    await call('/ok', 'Проверено')
    await card('/ok').getByText('signature valid').waitFor()
    await call('/ok', 'Чужое', { by: [newSecret()] })
    await card('/ok').getByText('answered 401').waitFor()
    expect(await card('/ok').locator('li').last().innerText()).to.contain('signature wrong')
  })

  it('take nothing for a secret that is none', async () => {
    await card('/ok').getByRole('textbox').fill('a word')
    await page.keyboard.press('Enter')
    expect(await card('/ok').locator('input:invalid').count()).to.equal(1)
    await card('/ok').getByRole('textbox').fill('')
  })

  it('are switched off: whoever calls them is hung up on', async () => {
    await card('/ok').getByRole('button', { name: 'Switched on' }).click()
    await card('/ok').getByText('Switched off').waitFor()
    expect(await call('/ok', 'Никто не возьмёт')).to.deep.include({ kind: 'no-answer', why: 'cut' })
    await card('/ok').getByRole('button', { name: 'Switched on' }).click()
    await card('/ok').getByText('Switched off').waitFor({ state: 'detached' })
  })

  it('say that they are gone, when somebody has them say so', async () => {
    await card('/ok').getByRole('button', { name: 'Say that it is gone' }).click()
    await card('/ok').getByText('It says that it is gone').waitFor()
    expect(await call('/ok', 'Вас тут нет?')).to.deep.include({ kind: 'answer', status: 410 })
    await card('/ok').getByRole('button', { name: 'Say that it is gone' }).click()
  })

  it('keep their latest calls in sight when they are opened again', async () => {
    for (let n = 0; n < 14; n++) await call('/busy', `Звонок ${n}`)
    await openCard('/error')
    await openCard('/busy')
    const [last, screen] = [card('/busy').locator('li').last(), card('/busy').locator('.screen')]
    await last.getByText('Звонок 13').waitFor()
    const bottomOf = async (what: typeof last) => {
      const { y, height } = (await what.boundingBox()) ?? { y: 0, height: 0 }
      return y + height
    }
    await until(async () => (await bottomOf(last)) < (await bottomOf(screen)), 'the last call is in sight')
  })

  it('are opened as they are, where they were called since the wall was drawn', async () => {
    await page.evaluate('window.requestAnimationFrame = () => 0')
    await call('/busy', 'Только что')
    await page.locator('#latest').getByText('Только что').waitFor()
    await openCard('/error')
    await openCard('/busy')
    await card('/busy').locator('li').last().getByText('Только что').waitFor()
  })

  it('can be read on a phone, in Russian and in the dark, by everybody', async () => {
    const narrow = await open({ viewport: { width: 390, height: 844 }, locale: 'ru', colorScheme: 'dark' })
    await narrow.locator(`.tile[data-address="${origin}/error"]`).click()
    await narrow.getByText('ответ 500').first().waitFor()
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).to.equal(390)
    expect(await axeFindings(narrow)).to.deep.equal([])
    expect(await axeFindings(page)).to.deep.equal([])
    await narrow.close()
  })
})
