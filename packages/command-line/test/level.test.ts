import {
  type ChannelLedger,
  type HistoryState,
  type HistoryView,
  type PeopleCounts,
  peopleClasses,
  receiptStates,
} from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import { exitCodeOf, isDone, levels } from '../src/level.ts'

const counts = fc.record(
  Object.fromEntries(peopleClasses.map((name) => [name, fc.nat(3)])) as Record<
    (typeof peopleClasses)[number],
    fc.Arbitrary<number>
  >,
)
const states = Object.fromEntries(receiptStates.map((name) => [name, 0])) as Record<
  (typeof receiptStates)[number],
  number
>
const view = (
  state: HistoryState,
  people?: Partial<PeopleCounts>,
  channels: Record<string, Partial<ChannelLedger>> = {},
) =>
  ({
    state,
    settledAt: new Date().toISOString(),
    channels: Object.fromEntries(Object.entries(channels).map(([name, line]) => [name, { ...states, ...line }])),
    ...(people ? { people } : {}),
  }) as unknown as HistoryView

describe('how far a message is to come', () => {
  it('ends with 0 only when nobody with a contact is left without it or in doubt', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(...levels), (people, until) => {
        const { delivered, sentToChat, handedOver, pending, toldByVoice, unknown, notDelivered } = people
        const enough = delivered + sentToChat + toldByVoice + (until === 'handed-over' ? handedOver : 0)
        const withContact = delivered + sentToChat + handedOver + pending + toldByVoice + unknown + notDelivered
        const code = exitCodeOf(view('settled', people as PeopleCounts), until)
        expect(code === 0).to.equal(withContact > 0 && enough === withContact)
        expect(code === 4).to.equal(pending > 0)
        if (code === 3) expect(unknown + handedOver).to.be.above(0)
        if (code === 1) expect(notDelivered > 0 || withContact === 0).to.equal(true)
      }),
    )
  })

  it('knows of nobody before it has started, and of a cancelled one that nobody got it', () => {
    for (const until of levels) {
      expect(exitCodeOf(view('scheduled'), until)).to.equal(4)
      expect(exitCodeOf(view('cancelled'), until)).to.equal(1)
    }
  })

  const open = {
    ...Object.fromEntries(peopleClasses.map((name) => [name, 0])),
    handedOver: 1,
  } as unknown as PeopleCounts
  const waits: [what: string, history: HistoryView, handedOver: boolean, delivered: boolean][] = [
    ['what runs is waited for', view('running', open, { sms: { sent: 1 } }), false, false],
    [
      'a phone that is off is waited for, where its confirmation is wanted',
      view('settled', open, { sms: { sent: 1 } }),
      true,
      false,
    ],
    ['mail is never confirmed', view('settled', open, { mail: { sent: 1 } }), true, true],
    ['all is confirmed', view('settled', { ...open, handedOver: 0 }, { sms: { delivered: 1 } }), true, true],
  ]
  for (const [what, history, handedOver, delivered] of waits)
    it(what, () => {
      expect([isDone(history, 'handed-over'), isDone(history, 'delivered')]).to.deep.equal([handedOver, delivered])
    })
})
