/**
 * Mocha's spec reporter, which also leaves the totals for scripts/test.mjs in the file MOCHA_TOTALS, and does not let a run
 * hang on a socket, timer or child that some test left open: that is a failure too.
 */
import { writeFileSync } from 'node:fs'
import mocha from 'mocha'

const leakGraceMs = 5000

export default class TotalsReporter extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    runner.once('end', () => {
      const { passes, failures } = this.stats
      writeTotals(passes, failures)
      // unref'd: fires only when something else keeps the process alive
      setTimeout(() => {
        console.error(`Some test left open: ${process.getActiveResourcesInfo().filter(isLeak).join(', ')}`)
        writeTotals(passes, failures + 1)
        process.exit(1)
      }, leakGraceMs).unref()
    })
  }
}

function isLeak(resource) {
  return !/^(TTYWrap|PipeWrap|CloseReq)$/.test(resource)
}

function writeTotals(passed, failed) {
  if (process.env.MOCHA_TOTALS) writeFileSync(process.env.MOCHA_TOTALS, JSON.stringify({ passed, failed }))
}
