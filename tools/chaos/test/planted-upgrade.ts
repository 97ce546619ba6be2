import { expect } from 'chai'
import { runWithout } from './planted.ts'

/**
 * As planted.test.ts, while every process is replaced by one of another version. Whoever is lost is waited for, some minutes, so `npm test`
 * leaves it out: npm test -- tools/chaos/test/planted-upgrade.ts
 */
describe('fault suite in an upgrade without', function () {
  this.timeout(900_000)

  it('fields that are read by their names: what the next version writes is not understood by this one', async () => {
    const some = ['--kills', '0', '--faults', 'upgrade', '--fail-fast', '--people', '3000', '--couriers', '4']
    const report = await runWithout('fields that are read by their names', some)
    expect(report.lost, JSON.stringify(report)).above(0)
  })
})
