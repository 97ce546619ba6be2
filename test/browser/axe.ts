/** What axe finds wrong with a page: https://github.com/dequelabs/axe-core */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** @returns serious and critical findings, in words */
export async function seriousFindings(page: Page): Promise<string[]> {
  // from outside, through the debugger: the page's own policy would not let a script in
  await page.evaluate(axe.source)
  const findings = (await page.evaluate('axe.run(document).then((result) => result.violations)')) as Finding[]
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.target.join(' ')}: ${node.failureSummary}`))
}
