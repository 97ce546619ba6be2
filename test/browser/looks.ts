/** The looks of a page: as wide as a desk and as a phone, light and dark, in Russian and in English. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings } from './axe.ts'

const desk = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }

/** Pairwise: each width in each language, and each colour scheme in each width and in each language, by four of the eight looks there are. */
const looks = [
  { language: 'ru', size: desk, colorScheme: 'light' },
  { language: 'ru', size: phone, colorScheme: 'dark' },
  { language: 'en', size: phone, colorScheme: 'light' },
  { language: 'en', size: desk, colorScheme: 'dark' },
] as const

/**
 * In every look axe finds nothing, and nothing sticks out at the side. The page is not loaded again, so what is open stays open, and it
 * is left in the look it had.
 */
export async function expectEveryLook(page: Page, what: string): Promise<void> {
  const before = await lookOf(page)
  for (const look of looks) {
    await change(page, look)
    await expectFine(page, `${what}, ${look.size.width} px, ${look.colorScheme}, ${look.language}`)
  }
  await change(page, before)
}

/** As above, in the look that it has. */
export async function expectFine(page: Page, what: string): Promise<void> {
  expect(await axeFindings(page), what).to.deep.equal([])
  expect(await page.evaluate(sticksOut), `${what}: sticks out at the side`).to.deep.equal([])
}

interface Look {
  readonly language: 'ru' | 'en'
  readonly size: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

async function change(page: Page, { language, size, colorScheme }: Look): Promise<void> {
  await speak(page, language)
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme })
}

async function lookOf(page: Page): Promise<Look> {
  const [language, isDark] = (await page.evaluate(
    "[document.documentElement.lang, matchMedia('(prefers-color-scheme: dark)').matches]",
  )) as ['ru' | 'en', boolean]
  return { language, colorScheme: isDark ? 'dark' : 'light', size: page.viewportSize() ?? desk }
}

/** The page's own setting. A click of the mouse would not reach it behind a dialog, and would close a list that is open. */
async function speak(page: Page, language: 'ru' | 'en'): Promise<void> {
  await page.evaluate(`document.querySelector('.languages button[lang=${language}]').click()`)
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
}

/** the page itself, and a dialog that is open: what in it reaches farthest beyond its right edge, where anything does */
const sticksOut = `[document.documentElement, ...document.querySelectorAll('dialog[open]')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => {
    const rightOf = (element) => element.getBoundingClientRect().right
    const farthest = [...each.querySelectorAll('*')].reduce((one, other) => (rightOf(other) >= rightOf(one) ? other : one))
    return each.localName + ' by ' + (each.scrollWidth - each.clientWidth) + ' px: ' + farthest.outerHTML.slice(0, 200)
  })`
