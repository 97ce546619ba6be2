import { expect } from 'chai'
import { points } from '../src/points.ts'
import { runWithout } from './planted.ts'

/**
 * As planted.test.ts, of calls over HTTP. A run takes some minutes, so `npm test` leaves it out:
 * npm test -- tools/chaos/test/planted-calls.ts
 */
const afterSend = String(points.find(({ name }) => name === 'after send')?.number)

describe('fault suite of calls without', function () {
  this.timeout(1_200_000)

  it('the same body at every try: a call comes again as another', async () => {
    const where = ['--couriers', '4', '--point', afterSend, '--channel', 'http']
    const report = await runWithout('the same body at every try', ['--kills', '8', '--faults', 'none', ...where])
    expect(report.calls.changed).above(0)
  })
})
