import { expect } from 'chai'
import type { Message } from '../../src/expectations.ts'
import type { Counts, History, Receipt, StatisticsRow } from '../../src/oracle/api.ts'
import { addSince, type SinceCounts } from '../../src/oracle/since.ts'
import { miscounts } from '../../src/oracle/statistics.ts'

const [before, first, second] = ['08', '09', '10'].map((hour) => `2026-09-01T${hour}:00:00.000Z`) as [
  string,
  string,
  string,
]
/** minutes before ten, and after it */
const at = (minutes: number) => new Date(Date.parse(second) + minutes * 60_000).toISOString()

type Told = Receipt['channels'][string]

/** As it was recorded of a message to five people that began five minutes before ten: two have it by then, and one of these a report later. */
const receipts: readonly Told[] = [
  { state: 'sent', at: at(-4) },
  { state: 'delivered', at: at(1) },
  { state: 'failed', reason: 'blocked', at: at(-3) },
  { state: 'failed', reason: 'refused', at: at(2) },
  { state: 'unknown', reason: 'no-answer', at: at(2) },
]

const row = (hour: string, came: Counts, left: Counts = {}, reason?: string): StatisticsRow => ({
  ...{ type: 'general', channel: 'sms', hour, came, left },
  ...(reason ? { reason } : {}),
})

const truth: readonly StatisticsRow[] = [
  row(first, { pending: 5, sent: 2 }),
  row(first, { failed: 1 }, {}, 'blocked'),
  row(second, { delivered: 1 }, { sent: 1 }),
  row(second, { failed: 1 }, {}, 'refused'),
  row(second, { unknown: 1 }, {}, 'no-answer'),
]

function judged(rows: readonly StatisticsRow[], told = receipts): string[] {
  const severalPhones = new Map([...told.entries()].filter(([, { earlier }]) => earlier))
  const since: SinceCounts = new Map()
  for (const receipt of told) addSince(since, 'sms', receipt)
  const message = { channels: ['sms'], audience: new Uint32Array(told.length) } as unknown as Message
  const view = { startedAt: at(-5) } as History
  const found = miscounts(rows, [{ message, view, since, severalPhones }])
  expect(found.every(({ channel }) => channel === 'sms')).to.equal(true)
  return found.map(({ what }) => what)
}

/** The truth, with other rows in place of some. */
const instead = (others: Readonly<Record<number, StatisticsRow>>) => truth.map((each, index) => others[index] ?? each)

describe('the judge of statistics, over the turn of an hour', () => {
  it('is content with what is right: somebody who went on has left the hour after they came', () => {
    expect(judged(truth)).to.deep.equal([])
  })

  it('is content with who went on within an hour, and with what nobody can know: when they were sent', () => {
    expect(
      judged(
        instead({ 0: row(first, { pending: 5, sent: 1 }), 2: row(second, { delivered: 1, sent: 1 }, { sent: 1 }) }),
      ),
    ).to.deep.equal([])
  })

  it('is content with who failed by one phone, went on to the next in that step, and came to what the receipt says later', () => {
    const told = receipts.with(0, {
      ...{ state: 'sent', at: at(3), contact: '50' },
      earlier: [{ contact: '00', state: 'failed', at: at(-2) }],
    })
    const rows = [
      row(first, { pending: 5, sent: 1 }, { failed: 1 }),
      row(first, { failed: 2 }, {}, 'blocked'),
      row(second, { delivered: 1, sent: 1 }, { sent: 1 }),
      ...truth.slice(3),
    ]
    expect(judged(rows, told)).to.deep.equal([])
    expect(
      judged(
        rows
          .with(0, row(first, { pending: 5, sent: 1 }, { failed: 2 }))
          .with(1, row(first, { failed: 3 }, {}, 'blocked')),
        told,
      ),
    ).to.deep.equal([then(first, '2 who went on from failed or what follows it, and 1 who came to that')])
  })

  const last = (hour: string, state: string, counted: number, stay: number) =>
    `by the end of the hour from ${hour} statistics count ${counted} ${state}; ${stay} were, and stay so`
  const then = (hour: string, what: string) => `in the hour from ${hour} statistics count ${what}`

  const wrong: readonly (readonly [name: string, rows: readonly StatisticsRow[], found: readonly string[]])[] = [
    [
      'an entry of the hour before',
      instead({ 3: row(first, { failed: 1 }, {}, 'refused') }),
      [then(second, '0 who came to failed (refused); 1 stay so')],
    ],
    [
      'an entry of the hour after',
      instead({ 1: row(second, { failed: 1 }, {}, 'blocked') }),
      [then(first, '0 who came to failed (blocked); 1 stay so'), last(first, 'failed', 0, 1)],
    ],
    [
      'another reason',
      instead({ 3: row(second, { failed: 1 }, {}, 'blocked') }),
      [then(second, '0 who came to failed (refused); 1 stay so')],
    ],
    [
      'none',
      instead({ 4: row(second, { unknown: 1 }) }),
      [then(second, '0 who came to unknown (no-answer); 1 stay so')],
    ],
    [
      'another channel, or type',
      truth.slice(0, 4),
      [
        'statistics count 0 unknown; the receipts of all messages 1',
        then(second, '0 who came to unknown (no-answer); 1 stay so'),
        last(second, 'unknown', 0, 1),
      ],
    ],
    [
      'a beginning in another hour',
      [row(before, { pending: 5 }), row(first, { sent: 2 }), ...truth.slice(1)],
      [
        then(before, '5 for whom a message began; it did for 0'),
        then(first, '0 for whom a message began; it did for 5'),
      ],
    ],
    [
      'who left before they came',
      instead({ 0: row(first, { pending: 5, sent: 2 }, { sent: 2 }), 2: row(second, { delivered: 1, sent: 1 }) }),
      [then(first, '2 who went on from sent or what follows it, and 1 who came to that'), last(first, 'sent', 0, 1)],
    ],
    [
      'who left and came to nothing else in that hour',
      instead({ 0: row(first, { pending: 5, sent: 3 }, { sent: 2 }), 2: row(second, { delivered: 1 }) }),
      [then(first, '2 who went on from sent or what follows it, and 1 who came to that')],
    ],
    [
      'who has left a last state',
      instead({ 1: row(first, { failed: 2 }, { failed: 1 }, 'blocked') }),
      [then(first, '1 who went on from failed or what follows it, and 0 who came to that')],
    ],
    [
      'who was counted twice',
      instead({ 3: row(second, { failed: 2 }, {}, 'refused') }),
      ['statistics count 3 failed; the receipts of all messages 2'],
    ],
  ]
  for (const [name, rows, found] of wrong) {
    it(`finds ${name}`, () => expect(judged(rows)).to.deep.equal(found))
  }

  it('finds a receipt that does not say since when', () => {
    const told = receipts.with(4, { state: 'unknown', reason: 'no-answer' })
    expect(judged(truth, told)).to.deep.equal([then('never', '0 who came to unknown (no-answer); 1 stay so')])
  })
})
