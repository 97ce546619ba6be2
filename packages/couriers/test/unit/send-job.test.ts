import { receiptBytes } from '@courier-fleet/api-types'
import { silentLog, sleep } from '@courier-fleet/process'
import { masterOnly, settingsOf } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { Entry, Piece } from '../../src/engine/claims/claim-scripts.ts'
import { createInFlightWindow } from '../../src/engine/jobs/in-flight-window.ts'
import { runSendJob, type SendJobDeps } from '../../src/engine/jobs/send-job.ts'
import { fakeCourier } from '../engine/fake-courier.ts'
import { claim, messageTo } from './claims.ts'

const sent: Outcome = { kind: 'sent', providerId: '7' }
const text = (bytes: Buffer) => bytes.toString('latin1').replaceAll('\0', '.')

describe('a send job', () => {
  let steps: string[]
  let deferred: readonly Piece[]
  let stopping: AbortController
  /** what replicas answer, one after the other; true after that */
  let isKept: boolean[]
  beforeEach(() => {
    steps = []
    isKept = []
    deferred = []
    stopping = new AbortController()
  })

  /** Redis as one that grants everything. `blocked`: places of people whose contact is of no use. */
  function run(claims: readonly Claim[], answer: (address: string) => Outcome, more: object = {}): Promise<void> {
    const never = new AbortController().signal
    const standing = new Map<string, Buffer>()
    const courier = fakeCourier({
      batchSize: 10,
      answer: ({ address }) => {
        steps.push(`send ${address}`)
        return answer(address)
      },
      ...more,
    })
    const deps = {
      redis: {},
      courier,
      directory: {
        contactsOf: async (_channel: string, people: string[]) =>
          people.map((person) =>
            person === 'p9'
              ? { address: person, state: 'blocked', reason: '901: no' }
              : { address: person, state: 'active' },
          ),
        markContact: async (_channel: string, person: string, _address: string, { state }: { state: string }) =>
          void steps.push(`mark ${person} ${state}`),
      },
      scripts: {
        async record(entries: readonly Entry[]) {
          for (const { bytes, done } of entries) steps.push(`record ${text(bytes)}${done ? ' done' : ''}`)
          return entries.map(({ claim: { entry, to }, from, bytes }) => {
            const own = standing.get(entry) ?? Buffer.alloc(to)
            standing.set(entry, own)
            for (const [i, byte] of bytes.entries()) if (!'=?'.includes(String.fromCharCode(byte))) own[from + i] = byte
            return own.subarray(from, from + bytes.length)
          })
        },
        async defer(_claim: Claim, pieces: readonly Piece[]) {
          deferred = pieces
        },
      },
      pacer: {
        pausedForMs: async () => 0,
        isPaused: () => false,
        pause: async (ms: number) => void steps.push(`pause ${ms}`),
      },
      reports: { index: async () => {}, reportAccepted: async () => {} },
      durability: {
        ...masterOnly,
        async confirm() {
          if (isKept.shift() === false) throw new Error('no replica answers')
        },
      },
      onLost() {},
      window: courier.window === undefined ? undefined : createInFlightWindow(() => courier.window as number),
      clock: { now: () => 1000 },
      log: silentLog,
      settings: { current: () => settingsOf({}) },
      fleetZone: 'UTC',
      figures: { count() {}, measure() {}, async stop() {} },
      logThrottled: (_fields: object, words: string) => steps.push(words),
      handBack: stopping.signal,
      killed: never,
      gone: never,
    }
    const work = claims.map((each) => ({ claim: each, message: messageTo(10) }))
    return runSendJob(work, deps as unknown as SendJobDeps)
  }

  it('marks before it sends, and finishes the claim with the last receipts', async () => {
    await run([claim(2)], () => sent)
    expect(steps).to.deep.equal(['record aa', 'send p0', 'send p1', 'record ss done'])
  })

  it('sends nothing to a contact that is of no use, and says so at the end', async () => {
    await run([claim(10, { from: 8 })], () => sent)
    expect(steps).to.deep.equal(['record af', 'send p8', 'record s= done'])
  })

  it('marks a contact that the provider refuses, and none for a refusal of the message', async () => {
    await run([claim(2)], (address) => ({
      kind: 'rejected',
      class: address === 'p0' ? 'blocked' : 'refused',
      detail: 'x',
    }))
    expect(steps).to.include('mark p0 blocked').and.not.include('mark p1 refused')
    expect(steps.at(-1)).to.equal('record ff done')
  })

  it('hands back who must wait for long, as a piece of a failed try; the others are done', async () => {
    const later: Outcome = { kind: 'throttled', scope: 'recipient', retryAfterMs: 60_000, reason: 'later' }
    await run([claim(4)], (address) => (address === 'p1' || address === 'p2' ? later : sent))
    expect(deferred).to.deep.equal([{ cause: 'throttled', delayMs: 60_000, from: 1, to: 3, tries: 1, people: 2 }])
    expect(steps.filter((step) => step.endsWith('done'))).to.deep.equal([])
  })

  it('told to stop, hands back who was not tried, without counting that as a failure', async () => {
    stopping.abort()
    await run([claim(3, { tries: 2 })], () => sent)
    expect(steps).to.deep.equal(['record ???'])
    expect(deferred).to.deep.equal([{ cause: 'handed-back', delayMs: 0, from: 0, to: 3, tries: 2, people: 3 }])
  })

  it('sends to nobody whose mark no replica has: it is taken back, and given again', async () => {
    isKept = [false]
    await run([claim(2)], () => sent)
    expect(steps.filter((step) => !step.startsWith('No replica'))).to.deep.equal([
      'record aa',
      'record ..',
      'record aa',
      'send p0',
      'send p1',
      'record ss done',
    ])
  })

  it('takes no mark back of whoever may have been sent to before', async () => {
    const answers: Outcome[] = [{ kind: 'unknown', why: 'no answer' }, sent]
    isKept = [true, false]
    await run([claim(1)], () => answers.shift() as Outcome)
    expect(steps.filter((step) => !step.startsWith('No replica'))).to.deep.equal([
      'record a',
      'send p0',
      'record a',
      'record a',
      'send p0',
      'record s done',
    ])
  })

  it('with a window writes each answer with the mark that follows it', async () => {
    await run([claim(3)], () => sent, { window: 1, batchSize: 3, foldsResends: false })
    await sleep(1)
    expect(steps).to.deep.equal([
      'record a',
      'send p0',
      'record sa',
      'send p1',
      'record sa',
      'send p2',
      'record s',
      'record === done',
    ])
    expect(receiptBytes.sent).to.equal('s'.charCodeAt(0))
  })
})
