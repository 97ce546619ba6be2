import type { WaveCause } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Decision, decide, type Facts, type Policy } from '../src/decide.ts'

const folding: Policy = { foldsResends: true, maxWaitMs: 10_000, maxTries: 5, switches: [] }
const once: Policy = { ...folding, foldsResends: false }
const active = { state: 'active' } as const
const now = 1_000_000

const send: Decision = { kind: 'send' }
const hold = (untilMs: number, cause: WaveCause = 'throttled'): Decision => ({ kind: 'hold', untilMs, cause })
const night = { untilMs: now + 60_000, jitterMs: 5_000 }
const exam = { untilMs: now + 90_000 }
const settle = (state: string, reason?: string, detail?: string) => ({
  kind: 'settle',
  state,
  ...(reason ? { reason } : {}),
  ...(detail ? { detail } : {}),
})

describe('rules: what is to be done about one recipient', () => {
  const table: [what: string, facts: Facts, policy: Policy, decision: object][] = [
    ['an active contact', { receipt: 'pending', contact: active }, folding, send],
    ['no contact', { receipt: 'pending' }, folding, settle('no-contact')],
    ['opted out', { receipt: 'pending', contact: { state: 'opted-out' } }, folding, settle('suppressed', 'opted-out')],
    [
      'known to have blocked us',
      { receipt: 'pending', contact: { state: 'blocked', reason: '901: no' } },
      folding,
      settle('failed', 'blocked', '901: no'),
    ],
    [
      'a deleted account',
      { receipt: 'pending', contact: { state: 'deactivated' } },
      folding,
      settle('failed', 'deactivated'),
    ],
    [
      'an impossible address',
      { receipt: 'pending', contact: { state: 'invalid' } },
      folding,
      settle('failed', 'invalid'),
    ],

    [
      'has not agreed, where that is needed',
      { receipt: 'pending', contact: active },
      { ...folding, needsAgreement: true },
      settle('suppressed', 'no-consent'),
    ],
    [
      '… and has',
      { receipt: 'pending', contact: { ...active, agreed: {} } },
      { ...folding, needsAgreement: true },
      send,
    ],
    [
      '… and has said STOP since',
      { receipt: 'pending', contact: { state: 'opted-out', agreed: {} } },
      { ...folding, needsAgreement: true },
      settle('suppressed', 'opted-out'),
    ],
    ['… of an open attempt', { receipt: 'attempting', contact: active }, { ...folding, needsAgreement: true }, send],
    ['an open attempt, where resends fold', { receipt: 'attempting', contact: active }, folding, send],
    [
      '… of somebody who has said STOP since',
      { receipt: 'attempting', contact: { state: 'opted-out' } },
      folding,
      send,
    ],
    ['… whose contact was blocked since', { receipt: 'attempting', contact: { state: 'blocked' } }, folding, send],
    ['… whose contact is gone', { receipt: 'attempting' }, folding, settle('unknown', 'contact-removed')],
    [
      '… tried too often',
      { receipt: 'attempting', contact: active, throttled: { untilMs: now, tries: 5 } },
      folding,
      hold(now),
    ],
    ['an open attempt elsewhere', { receipt: 'attempting', contact: active }, once, settle('unknown', 'courier-ended')],
    ['… whose contact is gone', { receipt: 'attempting' }, once, settle('unknown', 'courier-ended')],

    [
      'in their quiet hours',
      { receipt: 'pending', contact: active, quiet: night },
      folding,
      hold(now + 65_000, 'quiet'),
    ],
    [
      '… opted out',
      { receipt: 'pending', contact: { state: 'opted-out' }, quiet: night },
      folding,
      settle('suppressed', 'opted-out'),
    ],
    [
      '… of a message that expires soon after them',
      { receipt: 'pending', contact: active, quiet: night },
      { ...folding, expiresMs: now + 60_001 },
      hold(now + 60_000, 'quiet'),
    ],
    [
      '… of a message that has expired by then',
      { receipt: 'pending', contact: active, quiet: night },
      { ...folding, expiresMs: now + 60_000 },
      settle('expired', 'quiet'),
    ],
    ['during an exam', { receipt: 'pending', contact: active, exam }, folding, hold(now + 90_000, 'exam')],
    [
      '… in quiet hours, too',
      { receipt: 'pending', contact: active, exam, quiet: night },
      folding,
      hold(now + 90_000, 'exam'),
    ],
    [
      '… of a message that has expired by its end',
      { receipt: 'pending', contact: active, exam },
      { ...folding, expiresMs: now + 90_000 },
      settle('expired', 'exam'),
    ],
    [
      '… of a message whose held people were cancelled',
      { receipt: 'pending', contact: active, exam },
      { ...folding, cancelsHeld: true },
      settle('cancelled'),
    ],
    ['… and somebody may have sent it', { receipt: 'attempting', contact: active, exam }, folding, send],
    [
      '… throttled, too',
      { receipt: 'pending', contact: active, quiet: night, throttled: { untilMs: now + 99_000, tries: 1 } },
      folding,
      hold(now + 65_000, 'quiet'),
    ],
    [
      '… of a message whose held people were cancelled',
      { receipt: 'pending', contact: active, quiet: night },
      { ...folding, cancelsHeld: true },
      settle('cancelled'),
    ],
    [
      'was held by a message whose held people were cancelled',
      { receipt: 'pending', contact: active, wasHeld: true },
      { ...folding, cancelsHeld: true },
      settle('cancelled'),
    ],
    ['was held before', { receipt: 'pending', contact: active, wasHeld: true }, folding, send],
    ['… and somebody may have sent it', { receipt: 'attempting', contact: active, quiet: night }, folding, send],
    [
      'a short wait',
      { receipt: 'pending', contact: active, throttled: { untilMs: now + 10_000, tries: 1 } },
      once,
      send,
    ],
    [
      'a long wait',
      { receipt: 'pending', contact: active, throttled: { untilMs: now + 10_001, tries: 1 } },
      once,
      hold(now + 10_001),
    ],
    ['the last try', { receipt: 'pending', contact: active, throttled: { untilMs: now, tries: 4 } }, folding, send],
    [
      'too many tries',
      { receipt: 'pending', contact: active, throttled: { untilMs: now, tries: 5 } },
      folding,
      hold(now),
    ],
    [
      'a long wait of somebody without a contact',
      { receipt: 'pending', throttled: { untilMs: now + 60_000, tries: 1 } },
      folding,
      settle('no-contact'),
    ],
  ]
  for (const [what, facts, policy, decision] of table)
    it(what, () => {
      expect(decide(facts, policy, now)).to.deep.equal(decision)
    })
})
