/** What the page tells of one person step by step: what is kept, in the order of time, and each thing once. */
import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { stepsOf } from '../src/person-steps.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 27, 9, 0, second)).toISOString()
const history = (more: object) => ({ acceptedAt: at(0), at: at(0), startedAt: at(0), ...more }) as HistoryView
const person = (channels: object, more = {}) => ({ person: 'p', ordinal: 0, channels, ...more }) as ReceiptView
const told = (view: HistoryView, row: ReceiptView) =>
  stepsOf(view, row).map((step) => ('leg' in step ? `${step.what} ${step.leg} ${step.receipt.state}` : step.what))

describe('the steps of one person', () => {
  it('are those of the message and of the person, each at its time', () => {
    const view = history({
      at: at(20),
      startedAt: at(21),
      versions: [
        { at: at(0), by: 't' },
        { at: at(10), by: 't' },
        { at: at(40), by: 'o' },
      ],
    })
    const receipts = {
      sms: { state: 'delivered', at: at(30) },
      vk: { state: 'cancelled', reason: 'reached-elsewhere', at: at(45) },
      mail: { state: 'pending' },
    }
    const corrections = {
      'sms~2': { state: 'cancelled', at: at(41) },
      'sms~3': { state: 'delivered', reason: 'followed-up', at: at(50) },
      'sms~4': { state: 'failed', at: at(70) },
    }
    const more = { corrections, confirmed: { channel: 'sms', at: at(60) }, toldByVoice: { by: 't', at: at(55) } }
    expect(told(view, person(receipts, more))).to.deep.equal([
      'accepted',
      'corrected',
      'due',
      'started',
      'receipt sms delivered',
      'corrected',
      'correction sms~2 cancelled',
      'receipt vk cancelled',
      'correction sms~3 delivered',
      'toldByVoice',
      'confirmed',
      'recall sms~4 failed',
      'receipt mail pending',
    ])
  })

  it('say a confirmation once, and what ended the message as what it was', () => {
    const confirmed = { confirmed: { channel: 'telegram', at: at(9) } }
    const row = person({ telegram: { state: 'confirmed', at: at(9) } }, confirmed)
    expect(told(history({}), row)).to.deep.equal(['accepted', 'started', 'receipt telegram confirmed'])
    const stopped = { cancelledAt: at(5), cancelledBy: 'o' }
    expect(told(history(stopped), person({}))).to.deep.equal(['accepted', 'started', 'stopped'])
    const withdrawn = { ...stopped, recalled: { at: at(5), channels: {} } }
    expect(told(history(withdrawn), person({}))).to.deep.equal(['accepted', 'started', 'withdrawn'])
  })
})
