import { expect } from 'chai'
import { runWithout } from './planted.ts'

/**
 * As planted.test.ts, on a Redis with replicas that hear everything late. A run takes some minutes, so `npm test` leaves it out:
 * npm test -- tools/chaos/test/planted-replicas.ts
 */
const late = ['--redis', 'sentinel', '--lag', '400', '--kills', '0', '--fail-fast']

describe('fault suite on replicas without', function () {
  this.timeout(900_000)

  it('the word of the replicas: what was accepted is lost with a master', async () => {
    const report = await runWithout('the word of the replicas', [...late, '--faults', 'master-kill'])
    expect(report.lost).above(0)
  })

  it('generations: a claim of the master before counts under the next, and somebody is lost or told of falsely', async () => {
    const report = await runWithout('generations', [...late, '--faults', 'master-kill'])
    expect(report.lost + report.toldFalsely).above(0)
  })
})
