import { expect } from 'chai'
import { flowOf, flowStages, flows, funnelOf, receiptOfFlow } from '../src/flow.ts'
import { type Reason, reasons, stateOfReason } from '../src/reasons.ts'
import { type ReceiptState, receiptStates } from '../src/receipt-state.ts'

describe('the flow of a receipt', () => {
  it('every state, with every reason it may have, is one number of nine digits, and the other way round', () => {
    const receipts: { state: ReceiptState; reason?: Reason }[] = [
      ...receiptStates.map((state) => ({ state })),
      ...reasons.map((reason) => ({ state: stateOfReason(reason), reason })),
    ]
    const found = receipts.map(({ state, reason }) => flowOf(state, reason))
    expect(new Set(found).size).to.equal(receipts.length)
    expect(found).to.have.members([...flows])
    for (const [index, flow] of found.entries()) {
      expect(flow).to.match(/^[0-3]\d\d[0-3]\d\d[0-2]\d\d$/)
      expect(receiptOfFlow(flow)).to.include(receipts[index])
    }
  })

  it('a reason that says nothing of the state is left out', () => {
    expect(flowOf('sent', 'no-answer')).to.equal('200000000')
    expect(flowOf('pending', 'blocked')).to.equal('000000000')
    expect(() => receiptOfFlow('999000000')).to.throw(RangeError, '999000000')
  })

  it('the numbers that were promised', () => {
    expect(flowOf('expired', 'quiet')).to.equal('100000000')
    expect(flowOf('suppressed', 'duplicate')).to.equal('102000000')
    expect(flowOf('suppressed', 'capped')).to.equal('103000000')
    expect(flowOf('suppressed', 'not-important')).to.equal('104000000')
    expect(flowOf('cancelled', 'reached-elsewhere')).to.equal('107000000')
    expect(flowOf('read', undefined)).to.equal('200201000')
    expect(flowOf('failed', 'undelivered')).to.equal('200300000')
  })

  it('a funnel counts everyone once by stage, and on the way as far as they came', () => {
    const { people, stages, passed } = funnelOf({
      '000000000': 1,
      '103000000': 2,
      '300200000': 3,
      '200000000': 10,
      '200201000': 20,
      '200201201': 30,
      '200300000': 40,
    })
    expect(people).to.equal(106)
    expect(Object.keys(stages)).to.deep.equal([...flowStages])
    expect(stages).to.include({
      pending: 1,
      stopped: 2,
      sent: 10,
      delivered: 3,
      read: 20,
      confirmed: 30,
      failed: 40,
      unknown: 0,
    })
    expect(passed).to.deep.equal({ sent: 103, delivered: 53, read: 50, confirmed: 30 })
  })
})
