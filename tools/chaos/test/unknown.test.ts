import { expect } from 'chai'
import { draws, type FaultName, faultNames } from '../src/faults/index.ts'
import type { Process } from '../src/fleet.ts'
import { seededRandom } from '../src/random.ts'
import { type ChaosReport, isClean } from '../src/run.ts'

const nothingFound: ChaosReport = {
  seed: '1',
  redis: 'one',
  rounds: 1,
  kills: 2,
  faults: { kill: 2 },
  killedAt: {},
  seconds: 1,
  messages: 1,
  recipients: 1,
  lost: 0,
  toldFalsely: 0,
  duplicated: { telegram: 0, vk: 0, sms: 0, http: 0 },
  unknown: { telegram: 0, vk: 0, sms: 0, http: 0 },
  smsWindow: 10,
  maxUnknownSms: 20,
  nextPhones: { wentOn: 2, reached: 1 },
  calls: { came: 5, repeated: 1, changed: 0 },
  ledgerImbalances: 0,
  shaped: {
    messages: 0,
    inSteps: 0,
    spared: 0,
    confirmed: 0,
    noted: 0,
    corrections: 0,
    edited: 0,
    alsoTold: 0,
    followedUp: 0,
    uncorrected: 0,
    recalls: 0,
    deleted: 0,
    remaining: 0,
    joined: 0,
    personal: 0,
  },
  startLatenessMs: null,
  maxRecoveryMs: 0,
  scriptErrors: [],
  rules: [],
  growth: [],
  badEnds: [],
  violations: [],
}

/** what a fault looks at, and no more: the processes it may be aimed at */
const processes = (...of: Pick<Process, 'role' | 'channel'>[]) => of as Process[]
const queue = { role: 'queue' } as const
const timekeeper = { role: 'timekeeper' } as const
const vk = { role: 'courier', channel: 'vk' } as const
const sms = { role: 'courier', channel: 'sms' } as const

/** of many drawn: how often each kind leaves SMS in doubt, in order, each number once */
function doubtsOf(name: FaultName, targets: readonly Process[]): number[] {
  const random = seededRandom(name)
  const drawn = Array.from({ length: 300 }, () => draws[name](random, 0).smsDoubts?.(targets) ?? 0)
  return [...new Set(drawn)].sort((a, b) => a - b)
}

describe('unknown SMS', () => {
  it('are no fault of a run while the faults account for them, and one more is', () => {
    const with20 = { ...nothingFound, unknown: { telegram: 300, vk: 300, sms: 20, http: 300 } }
    expect(isClean(with20)).equal(true)
    expect(isClean({ ...with20, unknown: { ...with20.unknown, sms: 21 } })).equal(false)
    expect(isClean({ ...with20, maxUnknownSms: 0 })).equal(false)
  })

  it('of calls with another body are one', () => {
    expect(isClean(nothingFound)).equal(true)
    expect(isClean({ ...nothingFound, calls: { came: 5, repeated: 1, changed: 1 } })).equal(false)
  })

  const targets = processes(queue, timekeeper, vk, sms, sms)
  const expected: Partial<Record<FaultName, number[]>> = {
    kill: [0, 1],
    freeze: [0, 1],
    'reply-lost': [0, 1],
    'redis-kill': [2],
    'redis-away': [2],
    'provider-hang': [0, 1, 2, 3],
    'provider-disconnect': [0, 1, 2, 3],
  }
  for (const name of faultNames) {
    const doubts = expected[name] ?? [0]
    it(`may come of ${name} in ${doubts.join(' or ')} windows`, () => {
      expect(doubtsOf(name, targets)).eql(doubts)
    })
  }

  it('come of no process that dies and sends none', () => {
    const others = processes(queue, timekeeper, vk, vk)
    for (const name of ['kill', 'freeze', 'reply-lost', 'redis-kill', 'redis-away'] as const)
      expect(doubtsOf(name, others), name).eql([0])
  })
})
