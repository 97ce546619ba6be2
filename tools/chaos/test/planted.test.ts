import { expect } from 'chai'
import { runWithout } from './planted.ts'

/**
 * The suite is of use only if it notices when a safeguard is missing. That the fence is one is shown where it is certain: by the model,
 * and by couriers/test/scripts/record.test.ts. Here a process has to wake up while another is in the midst of the same claim.
 */
describe('fault suite without', function () {
  this.timeout(420_000)

  it('the write-ahead mark: an SMS is sent again after a crash', async () => {
    const report = await runWithout('the write-ahead mark', ['--kills', '100', '--fail-fast'])
    expect(report.violations.map(({ kind, channel }) => `${kind} ${channel}`)).include('duplicated sms')
  })

  it('the derived key: a resend is not folded', async () => {
    const report = await runWithout('the derived key', ['--kills', '100', '--fail-fast'])
    const seen = report.violations.map(({ kind, channel }) => `${kind} ${channel}`)
    expect(seen).to.satisfy((all: string[]) => all.includes('duplicated telegram') || all.includes('duplicated vk'))
  })

  it('the word for what is not confirmed: a sentence is told falsely', async () => {
    const report = await runWithout('the word for what is not confirmed', ['--kills', '2', '--faults', 'none'])
    expect(report.violations.map(({ kind, what }) => `${kind} ${what}`).join('\n')).to.match(
      /^told-falsely says "Everyone .*got it: .*" of 0 delivered$/m,
    )
  })
})
