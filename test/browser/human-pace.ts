/** A person at a browser, no faster than people are, and how long each of their steps takes. */
import type { Locator, Page } from 'playwright-core'

/** of somebody who does not touch-type */
const keyMs = 200
/** to take in what has appeared, before anything is done with it */
const lookMs = 1_000

export const pace = `${keyMs} ms a key, and ${lookMs / 1000} s to look before each click and at each answer`

export const look = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lookMs))

export async function press(target: Locator): Promise<void> {
  await target.waitFor()
  await look()
  await target.click()
}

/** Into the field that has the focus. */
export const type = (page: Page, text: string): Promise<void> => page.keyboard.type(text, { delay: keyMs })

export type Step = <T>(what: string, act: () => Promise<T>) => Promise<T>

/** Prints each step with its time. @returns whether all of it took less than was wanted */
export async function journey(who: string, wantedSeconds: number, go: (step: Step) => Promise<void>): Promise<boolean> {
  console.log(`\n${who}`)
  const startedAt = performance.now()
  await go(async (what, act) => {
    const since = performance.now()
    const result = await act()
    console.log(`  ${secondsSince(since)}  ${what}`)
    return result
  })
  const isWell = performance.now() - startedAt < wantedSeconds * 1000
  console.log(`  ${secondsSince(startedAt)}  in all; wanted: less than ${wantedSeconds} s${isWell ? '' : ', MISSED'}`)
  return isWell
}

const secondsSince = (ms: number) => `${((performance.now() - ms) / 1000).toFixed(1).padStart(6)} s`
