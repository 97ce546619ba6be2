/**
 * The SMS centre behind both of its doors (SMPP and HTTP): decides what becomes of a submitted message, keeps the book, and
 * makes the delivery receipts. A number that is blocked, deactivated or unknown is refused at once as an invalid destination:
 * SMPP has one word for all three. What is for a phone that is switched off is kept until it is on again, and its receipt is sent
 * then; or until the centre's patience ends, and the receipt says so.
 */
import { randomInt } from 'node:crypto'
import type { Fault } from '../faults.ts'
import type { Phone } from '../stand-in.ts'
import type { World } from '../world.ts'
import { createHeld } from './held.ts'
import { createRate } from './rate.ts'
import { createReassembly, type Part } from './reassembly.ts'
import { status } from './status.ts'

export interface Receipt {
  /** as the receipt shows it: hexadecimal as answered, or decimal when a fault asks for the other format */
  readonly id: string
  readonly state: 'DELIVRD' | 'UNDELIV' | 'EXPIRED'
  readonly address: string
  readonly text: string
  readonly submittedAt: Date
}

export interface Submission {
  /** E.164 with + */
  readonly address: string
  readonly text: string
  readonly part?: Part | undefined
  /** which receipts are asked for, and where they go; none when absent */
  readonly receipts?: { readonly wanted: 'all' | 'failures' | 'successes'; readonly send: (receipt: Receipt) => void }
}

export type Verdict =
  /** call `answered` once the answer is on its way (or lost): the receipts that come after it are sent then */
  | { readonly kind: 'accepted'; readonly id: string; readonly replyLost: boolean; readonly answered: () => void }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'disconnect' }

export interface Centre {
  submit(submission: Submission): Verdict
  /** forgets the receipts that are still to come */
  stop(): void
}

const addressPattern = /^\+\d{3,15}$/

const refused: ReadonlySet<Phone['state']> = new Set(['blocked', 'deactivated', 'unknown'])

export interface CentreDeps {
  readonly world: World
  /** a message is kept so long for a phone that is off */
  readonly patienceMs: number
}

export function createCentre({ world, patienceMs }: CentreDeps): Centre {
  const rate = createRate()
  const reassembly = createReassembly()
  const held = createHeld({ world, patienceMs })
  const late = new Set<NodeJS.Timeout>()
  let stopped = false
  // ten hexadecimal digits of which the first is a letter: never to be taken for its own decimal form
  let lastId = 0xc0_0000_0000 + randomInt(2 ** 36)

  const trouble = ({ address, text, part }: Submission): Verdict | undefined => {
    if (world.takeFault('sms', 'throttle', address)) return { kind: 'refused', status: status.throttled }
    if (!rate.take(world.limits.sms.perSecond, performance.now())) return { kind: 'refused', status: status.throttled }
    if (world.takeFault('sms', 'hang', address)) return { kind: 'hang' }
    if (world.takeFault('sms', 'disconnect', address)) return { kind: 'disconnect' }
    const reject = world.takeFault('sms', 'reject', address)
    if (reject) return { kind: 'refused', status: Number(reject.code) || status.submitFailed }
    const blocks = world.refusesOnce('sms', address, `${part?.number ?? 1} ${text}`)
    if (blocks || !addressPattern.test(address) || refused.has(world.phone('sms', address).state))
      return { kind: 'refused', status: status.invalidDestination }
    return undefined
  }

  const afterMs = (ms: number, send: () => void) => {
    if (stopped) return
    const timer = setTimeout(() => {
      late.delete(timer)
      send()
    }, ms)
    late.add(timer)
  }

  /** Sends what is due before the answer, and returns what is due after it. */
  const report = (
    { address, text, receipts }: Submission,
    number: number,
    submittedAt = new Date(),
    expired = false,
  ): (() => void) => {
    if (!receipts) return () => {}
    const fault = world.takeFault('sms', 'receipts', address)
    const state = expired ? 'EXPIRED' : fault?.mode === 'failed' ? 'UNDELIV' : 'DELIVRD'
    if (receipts.wanted === (state === 'DELIVRD' ? 'failures' : 'successes')) return () => {}
    const id = number.toString(fault?.mode === 'other-id-format' ? 10 : 16)
    const receipt: Receipt = { id, state, address, text, submittedAt }
    return disorder(fault, () => receipts.send(receipt), afterMs)
  }

  const deliver = (submission: Submission, number: number): (() => void) => {
    const { address } = submission
    if (world.phone('sms', address).state !== 'off') return report(submission, number)
    const submittedAt = new Date()
    held.hold(address, (expired) => {
      if (expired) world.emit('expired', { channel: 'sms', address, providerId: number.toString(16) })
      report(submission, number, submittedAt, expired)()
    })
    return () => {}
  }

  return {
    submit(submission) {
      const { address, text, part } = submission
      const verdict = trouble(submission)
      if (verdict) return verdict
      lastId += 1
      const id = lastId.toString(16)
      const whole = reassembly.add(part, text)
      if (whole !== undefined)
        world.accept({ channel: 'sms', address, text: whole, key: '', at: Date.now(), providerId: id })
      const replyLost = whole !== undefined && world.takeFault('sms', 'reply-lost', address) !== undefined
      return { kind: 'accepted', id, replyLost, answered: deliver(submission, lastId) }
    },

    stop() {
      stopped = true
      held.stop()
      for (const timer of late) clearTimeout(timer)
      late.clear()
    },
  }
}

function disorder(fault: Fault | undefined, send: () => void, afterMs: (ms: number, send: () => void) => void) {
  switch (fault?.mode) {
    case 'none':
      return () => {}
    case 'early':
      send()
      return () => {}
    case 'late':
      return () => afterMs((fault.seconds ?? 1) * 1000, send)
    case 'twice':
      return () => {
        send()
        send()
      }
    default:
      return send
  }
}
