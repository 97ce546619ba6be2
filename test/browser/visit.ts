/** Somebody at the web app: a browser of their own, in which nothing may go wrong unseen. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Context } from 'mocha'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Fleet } from '../e2e/fleet.ts'
import { patienceMs } from './chromium.ts'

export interface VisitOptions {
  readonly width?: number
  readonly height?: number
  readonly language?: 'ru' | 'en'
  readonly colorScheme?: 'light' | 'dark'
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** what went wrong in the page: script errors, what its policy forbade, what it wanted from elsewhere */
  readonly complaints: readonly string[]
  /** with the code that arrives on a phone of the sandbox */
  signIn(person: string): Promise<void>
  /** the code that arrives after the sandbox had accepted so many messages */
  codeSince(seq: number): Promise<string>
  close(): Promise<void>
}

/** For afterEach: nothing may have gone wrong unseen; what the page shows is said when its test has failed. */
export async function expectNoComplaints(this: Context, { page, complaints }: Visit): Promise<void> {
  if (this.currentTest?.isFailed()) console.log(`${page.url()} shows:\n${await page.locator('#main').innerText()}`)
  expect(complaints).to.deep.equal([])
}

export async function visit(browser: Browser, fleet: Fleet, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, height = 900, language = 'ru', colorScheme = 'light' } = options
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language,
    colorScheme,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // a refused or interrupted call is told to the user by the page, and to the console by the browser
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${fleet.apiUrl}/`)) complaints.push(`elsewhere: ${request.url()}`)
  })
  await page.goto(fleet.apiUrl)

  return {
    context,
    page,
    complaints,
    async signIn(person) {
      const before = (await fleet.sandbox.accepted()).length
      await page.locator('#name').fill(person)
      await page.locator('button[type=submit]').click()
      await page.locator('#code').fill(await codeSince(fleet, before))
      await page.locator('button[type=submit]').click()
      await page.locator('header .who').waitFor()
    },
    codeSince: (seq) => codeSince(fleet, seq),
    close: () => context.close(),
  }
}

/** on every phone of a person comes the same one, and on some of them late */
const knownCodes = new WeakMap<Fleet, Set<string>>()

async function codeSince(fleet: Fleet, seq: number): Promise<string> {
  const known = knownCodes.get(fleet) ?? new Set()
  knownCodes.set(fleet, known)
  const code = await until(async () => {
    const rows = await fleet.sandbox.accepted()
    const codes = rows.slice(seq).flatMap(({ text }) => /\b\d{8}\b/.exec(text)?.[0] ?? [])
    return codes.find((each) => !known.has(each))
  }, 'a sign-in code arrives')
  known.add(code)
  return code
}

/** Chooses whom it is for, where a message is written. @param names of groups, roles or people, or how they begin */
export async function choose(page: Page, ...names: readonly (string | RegExp)[]): Promise<void> {
  const field = page.getByRole('combobox', { name: /^(Кому|To whom)$/ })
  await field.click()
  for (const name of names) await page.getByRole('option', { name }).click()
  await field.press('Escape')
}

/** Has a message that was just sent go out without waiting to be taken back; it goes by itself where this comes too late. */
export async function hurry(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Отправить сразу|Send it at once)$/ })
    .click({ timeout: 12_000 })
    .catch(() => {})
}
