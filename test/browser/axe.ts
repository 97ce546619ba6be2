/** What axe finds wrong with a page: https://github.com/dequelabs/axe-core */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** @returns all findings, of whatever impact, in words */
export async function axeFindings(page: Page): Promise<string[]> {
  // from outside, through the debugger: the page's own policy would not let a script in
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  const findings = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)",
  )) as Finding[]
  return findings.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}) ${node.target.join(' ')}: ${node.failureSummary}`),
  )
}
