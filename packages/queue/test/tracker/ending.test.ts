import type { ChannelLedger, HistoryState, HistoryView } from '@courier-fleet/api-types'
import { receiptStates } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { endingOf, reportOf } from '../../src/tracker/index.ts'

type Line = Partial<ChannelLedger>

function view(state: HistoryState, size: number, lines: Record<string, Line>, people?: [number, number]): HistoryView {
  const zero = Object.fromEntries(receiptStates.map((name) => [name, 0]))
  const channels = Object.entries(lines).map(([name, line]) => [
    name,
    { state: 'settled', accepted: size, ...zero, ...line },
  ])
  return {
    key: '00.dean.abcdefgh',
    state,
    sender: 'dean',
    at: '2026-09-01T06:00:00.000Z',
    audience: { size, sha256: '' },
    expected: Object.keys(lines),
    channels: Object.fromEntries(channels) as HistoryView['channels'],
    ...(people
      ? { people: { reached: people[0], withoutContact: people[1], unreached: size - people[0] - people[1] } }
      : {}),
  }
}

const running = { state: 'running' } as const
const waiting = { state: 'waiting' } as const

describe('tracker: endings in words', () => {
  const cases: [what: string, history: HistoryView, silent: string[], ending: string, sentence: string][] = [
    [
      'some wait for a later wave',
      {
        ...view('running', 5, { vk: { sent: 3, ...running } }),
        waiting: [
          {
            at: '2026-09-01T06:05:00.000Z',
            people: 2,
            channel: 'vk',
            cause: 'throttled',
            words: 'it has asked for a pause',
          },
        ],
      },
      ['vk'],
      'some',
      '3 of 5 people with a contact got it. No answer yet from vk. 2 people wait on vk until 2026-09-01T06:05:00.000Z: it has asked for a pause.',
    ],
    [
      'everyone got it',
      view('settled', 3, { vk: { sent: 3 } }, [3, 0]),
      [],
      'everyone',
      'Everyone with a contact got it: 3 of 3 people.',
    ],
    [
      'everyone got it, by one channel or another',
      view('settled', 3, { vk: { sent: 1, 'no-contact': 2 }, sms: { delivered: 2, failed: 1 } }, [3, 0]),
      [],
      'everyone',
      'Everyone with a contact got it: 3 of 3 people.',
    ],
    [
      'everyone who could',
      view('settled', 3, { vk: { read: 2, 'no-contact': 1 } }, [2, 1]),
      [],
      'everyone',
      'Everyone with a contact got it: 2 of 3 people; 1 person has no contact.',
    ],
    [
      'several have no contact',
      view('settled', 4, { vk: { confirmed: 1, 'no-contact': 3 } }, [1, 3]),
      [],
      'everyone',
      'Everyone with a contact got it: 1 of 4 people; 3 people have no contact.',
    ],
    [
      'some did, a courier is silent',
      view('running', 5, { vk: { sent: 5 }, sms: { ...waiting, pending: 5 } }),
      ['sms'],
      'some',
      '5 of 5 people with a contact got it. No answer yet from sms.',
    ],
    [
      'some did, all have answered',
      view('settled', 5, { vk: { sent: 3, failed: 1, 'no-contact': 1 } }, [3, 1]),
      [],
      'some',
      '3 of 4 people with a contact got it.',
    ],
    [
      'nobody got it on a channel that is still at it',
      view('running', 2, { vk: { ...running, pending: 2 } }),
      ['vk'],
      'nothing',
      'Nothing has arrived so far. No answer yet from vk.',
    ],
    [
      'several channels are silent',
      view('running', 2, { vk: { ...waiting, pending: 2 }, sms: { ...waiting, pending: 2 } }),
      ['vk', 'sms'],
      'nothing',
      'Nothing has arrived so far. No answer yet from vk, sms.',
    ],
    [
      'one channel has nobody, the other has not answered',
      view('running', 2, { vk: { 'no-contact': 2 }, sms: { ...waiting, pending: 2 } }),
      ['sms'],
      'nothing',
      'Nothing has arrived so far. No answer yet from sms.',
    ],
    [
      'nothing worked',
      view('settled', 2, { vk: { failed: 2 } }, [0, 0]),
      [],
      'nothing',
      'Nothing worked: every attempt failed.',
    ],
    [
      'nothing worked, on no channel',
      view('settled', 2, { vk: { failed: 2 }, sms: { 'no-contact': 1, failed: 1 } }, [0, 0]),
      [],
      'nothing',
      'Nothing worked: every attempt failed.',
    ],
    [
      'all of them said STOP',
      view('settled', 3, { vk: { suppressed: 2, 'no-contact': 1 } }, [0, 1]),
      [],
      'nothing',
      'Nobody got it: everyone with a contact has opted out.',
    ],
    [
      'it may have arrived',
      view('settled', 2, { sms: { unknown: 1, failed: 1 } }, [0, 0]),
      [],
      'nothing',
      'For nobody is it known that it arrived.',
    ],
    [
      'it was cancelled or expired first',
      view('settled', 2, { vk: { cancelled: 1, expired: 1 } }, [0, 0]),
      [],
      'nothing',
      'Nobody got it: it was cancelled or had expired before it was sent.',
    ],
    [
      'it was cancelled in the middle',
      view('settled', 4, { vk: { sent: 1, cancelled: 3 } }, [1, 0]),
      [],
      'some',
      '1 of 4 people with a contact got it.',
    ],
    [
      'nobody had a contact, as expected',
      view('settled', 2, { vk: { 'no-contact': 2 }, sms: { 'no-contact': 2 } }, [0, 2]),
      [],
      'nobody',
      'Nobody of 2 people has a contact on vk, sms; there was nothing to send.',
    ],
    [
      'one person, without a contact',
      view('settled', 1, { vk: { 'no-contact': 1 } }, [0, 1]),
      [],
      'nobody',
      'Nobody of 1 person has a contact on vk; there was nothing to send.',
    ],
    ['nothing was put', view('issued', 0, {}), [], 'nothing', 'Nothing has been put under this key yet.'],
    [
      'it is not due',
      view('scheduled', 2, {}),
      [],
      'nothing',
      'It is due at 2026-09-01T06:00:00.000Z; nothing has been sent yet to 2 people.',
    ],
    [
      'it was cancelled before',
      view('cancelled', 2, {}),
      [],
      'nothing',
      'It was cancelled before it started; nobody got it.',
    ],
  ]
  for (const [what, history, silent, ending, sentence] of cases) {
    it(`${what}: ${ending}`, () => {
      expect(endingOf(history, silent)).to.deep.equal({ ending, sentence })
      expect(reportOf(history).silent).to.deep.equal(silent)
    })
  }
})
