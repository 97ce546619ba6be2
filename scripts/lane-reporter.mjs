/**
 * Mocha's spec reporter for one of several runs side by side: it prints each suite of a file at once when it is over, leaves totals and
 * failures for scripts/test.mjs in the file MOCHA_TOTALS, and does not let a run hang on a socket, timer or child that some test left
 * open: that is a failure too.
 */
import { writeFileSync } from 'node:fs'
import { format } from 'node:util'
import mocha from 'mocha'

const { Base, Spec } = mocha.reporters
/** what is being closed may take its time on a busy machine; what is left open would stay for ever */
const leakGraceMs = 30_000

export default class LaneReporter extends Spec {
  constructor(runner, options) {
    const printed = []
    Base.consoleLog = (...args) => printed.push(`${format(...args)}\n`)
    super(runner, options)
    runner.on('suite end', (suite) => {
      if (suite.parent?.root) process.stdout.write(printed.splice(0).join(''))
    })
    runner.once('end', () => {
      const totals = { passed: this.stats.passes, failed: this.stats.failures, failures: printed.splice(0).join('') }
      writeTotals(totals)
      // unref'd: fires only when something else keeps the process alive
      setTimeout(() => {
        const files = process.argv.filter((arg) => arg.endsWith('.test.ts'))
        const left = `Some test of these left open: ${process.getActiveResourcesInfo().filter(isLeak).join(', ')}\n  ${files.join('\n  ')}\n`
        writeTotals({ ...totals, failed: totals.failed + 1, failures: totals.failures + left })
        process.exit(1)
      }, leakGraceMs).unref()
    })
  }

  epilogue() {
    if (this.failures.length > 0) Base.list(this.failures)
  }
}

function isLeak(resource) {
  return !/^(TTYWrap|PipeWrap|CloseReq)$/.test(resource)
}

function writeTotals(totals) {
  writeFileSync(process.env.MOCHA_TOTALS, JSON.stringify(totals))
}
