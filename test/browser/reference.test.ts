/** The reference at /docs: searched, reached by keyboard and by a link, for everybody, with nothing from elsewhere. */
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type Service, startService } from '../../packages/queue/test/service.ts'
import { axeFindings } from './axe.ts'
import { launchChromium, patienceMs } from './chromium.ts'

describe('the reference of the API', () => {
  let service: Service
  let browser: Browser
  let url: string
  const complaints: string[] = []
  before(async () => {
    ;[service, browser] = await Promise.all([startService(), launchChromium()])
    url = await service.listen()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(() => expect(complaints).to.deep.equal([]))

  async function open(at = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(patienceMs)
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // a browser asks for an icon by itself
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) complaints.push(`elsewhere: ${request.url()}`)
    })
    await page.goto(`${url}/docs${at}`)
    return page
  }
  const shown = (page: Page) => page.locator('article:not([hidden])')

  it('is searched by what it shows: a path, a field, the code of a problem', async () => {
    const page = await open()
    const all = await shown(page).count()
    const field = page.getByRole('searchbox', { name: 'Search' })
    await page.keyboard.press('/')
    await page.keyboard.type('channel-in-use')
    expect(await page.evaluate('document.activeElement.type')).to.equal('search')
    expect(await shown(page).locator('h3').allInnerTexts()).to.deep.equal(['DELETE /v1/channels/{channel}'])
    expect(await page.getByRole('status').innerText()).to.equal('1 found')
    await field.fill('expect sha256 refuse the message')
    expect(await shown(page).locator('h3').allInnerTexts()).to.include('MessageInput')
    await field.fill('')
    expect(await shown(page).count()).to.equal(all)
    await page.context().close()
  })

  it('shows what a link leads to, though the search has hidden it', async () => {
    const page = await open()
    await page.getByRole('searchbox').fill('Send a message, now or later')
    await page.locator('#sendMessage').getByRole('link', { name: 'MessageInput' }).click()
    await page.locator('#schema-MessageInput').getByText('whom: any mix').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).to.equal('')
    await page.context().close()
  })

  it('has nothing that axe finds', async () => {
    const page = await open()
    expect(await axeFindings(page)).to.deep.equal([])
    await page.context().close()
  })

  it('nor in the dark, as far as colours go', async () => {
    const page = await open('', { colorScheme: 'dark' })
    await page.getByRole('searchbox').fill('sendMessage')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.context().close()
  })

  it('fits on a phone', async () => {
    const page = await open('#sendMessage', { viewport: { width: 360, height: 700 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360)
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/docs-phone.png` })
    await page.context().close()
    const wide = await open('#sendMessage')
    if (process.env.LOOK) await wide.screenshot({ path: `${process.env.LOOK}/docs.png` })
    await wide.context().close()
  })
})
