/** Which messages an operator should look at, and why. */
import type { HistoryView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { messagesInTrouble } from '../src/message-troubles.ts'

const nowMs = Date.parse('2026-09-01T19:48:10.000Z')
const at = (agoMs: number) => new Date(nowMs - agoMs).toISOString()
const history = (key: string, more: object) =>
  ({ key, state: 'settled', audience: { size: 20 }, people: { notDelivered: 0, unknown: 0 }, ...more }) as HistoryView
const whysOf = (...pages: HistoryView[][]) =>
  (['en', 'ru'] as const).map((language) =>
    messagesInTrouble(
      language,
      pages.map((histories) => ({ histories })),
      nowMs,
    ).map(({ history: { key }, why }) => `${key}: ${why}`),
  )

describe('messages in trouble', () => {
  it('are those that wait for an operator, that are not over, and that many are not known to have, each once', () => {
    const held = history('held', { heldSince: at(1000) })
    const late = history('late', { state: 'running', startedAt: at(95_000) })
    const failed = history('failed', { people: { notDelivered: 2, unknown: 0 } })
    expect(whysOf([held], [late], [held, late, failed])).to.deep.equal([
      ['held: waits for an operator', 'late: not over for 1 min 35 s', 'failed: 2 of 20 did not get it'],
      ['held: ждёт оператора', 'late: не закончено уже 1 мин 35 с', 'failed: не дошло: 2 из 20'],
    ])
  })

  it('say of whom it is not known, and never that they did not get it', () => {
    const unknown = history('unknown', { people: { notDelivered: 0, unknown: 2 } })
    const both = history('both', { people: { notDelivered: 1, unknown: 1 } })
    expect(whysOf([unknown, both])).to.deep.equal([
      [
        'unknown: not known whether it arrived: 2 of 20',
        'both: 1 of 20 did not get it; not known whether it arrived: 1 of 20',
      ],
      ['unknown: неизвестно, дошло ли: 2 из 20', 'both: не дошло: 1 из 20; неизвестно, дошло ли: 1 из 20'],
    ])
  })

  it('are none of those that have just begun, or that all but one in ten got', () => {
    const begun = history('begun', { state: 'running', startedAt: at(59_000) })
    expect(whysOf([begun, history('most', { people: { notDelivered: 1, unknown: 0 } })])).to.deep.equal([[], []])
  })
})
