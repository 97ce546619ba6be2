import { expect } from 'chai'
import { runWithout } from './planted.ts'

/** The suite is of use only if it notices when a safeguard is missing. */
describe('fault suite without', function () {
  this.timeout(420_000)

  it('the fence: a process that was only frozen does harm', async () => {
    // whoever wakes up finishes what another has finished: a settled message settles once more, which the last look shows
    const report = await runWithout('the fence', ['--kills', '50', '--faults', 'freeze,provider-slow', '--fail-fast'])
    expect(report.violations).not.eql([])
  })

  it('the write-ahead mark: an SMS is sent again after a crash', async () => {
    const report = await runWithout('the write-ahead mark', ['--kills', '100', '--fail-fast'])
    expect(report.violations.map(({ kind, channel }) => `${kind} ${channel}`)).include('duplicated sms')
  })

  it('the derived key: a resend is not folded', async () => {
    const report = await runWithout('the derived key', ['--kills', '100', '--fail-fast'])
    const seen = report.violations.map(({ kind, channel }) => `${kind} ${channel}`)
    expect(seen).to.satisfy((all: string[]) => all.includes('duplicated telegram') || all.includes('duplicated vk'))
  })
})
