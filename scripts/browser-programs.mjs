/** Runs programs of test/browser in a real browser, each with a fleet of its own, on a Redis that is thrown away. */
import { findChromium } from './chromium.mjs'
import { build, installDependencies } from './prepare.mjs'
import { runTestPrograms } from './test-programs.mjs'

/** One after the other, until one fails. @param args of each. @returns its exit code, 0 when all is well */
export async function runBrowserPrograms(programs, say, args = []) {
  await installDependencies(say)
  await build(say)
  const chromium = findChromium(say)
  if (!chromium) return 1
  return await runTestPrograms(
    programs.map((program) => `browser/${program}`),
    { CHROMIUM: chromium },
    say,
    args,
  )
}
