/**
 * The SMS centre behind its two interfaces (SMPP and HTTP): decides what becomes of a submitted message, enters it into the
 * World, and has it reported on. A number that is blocked, deactivated or unknown is refused at once as an invalid
 * destination: SMPP has one status for all three. What is for a phone that is switched off is kept until it is on again, and
 * its report is sent then; or for `maxHoldMs`, and the report says that it has expired.
 */
import { randomInt } from 'node:crypto'
import type { CentreName, Fault } from '../faults.ts'
import { createRate } from '../rate.ts'
import type { Phone } from '../stand-in.ts'
import type { World } from '../world.ts'
import { createDeliveryReports, type WantedReports } from './delivery-reports.ts'
import { createHeld } from './held.ts'
import { createReassembly, type Part } from './reassembly.ts'
import { status } from './status.ts'

export interface Submission {
  /** E.164 with + */
  readonly address: string
  readonly text: string
  readonly part?: Part | undefined
  /** none when absent */
  readonly reports?: WantedReports
}

export type Verdict =
  /** call `answered` once the answer is on its way (or lost): the reports that come after it are sent then */
  | { readonly kind: 'accepted'; readonly id: string; readonly replyLost: boolean; readonly answered: () => void }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'disconnect' }

export interface Centre {
  submit(submission: Submission): Verdict
  /** forgets the reports that are still to come */
  stop(): void
}

export interface CentreDeps {
  readonly world: World
  readonly name: CentreName
  /** a message is kept so long for a phone that is off */
  readonly maxHoldMs: number
  /** made up when absent */
  readonly firstId?: number | undefined
}

const addressPattern = /^\+\d{3,15}$/
const refused: ReadonlySet<Phone['state']> = new Set(['blocked', 'deactivated', 'unknown'])

export function createCentre({ world, name, maxHoldMs, firstId }: CentreDeps): Centre {
  const rate = createRate()
  const reassembly = createReassembly()
  const held = createHeld({ world, maxHoldMs })
  const deliveryReports = createDeliveryReports(world, name)
  const takeFault = (kind: Fault['kind'], address: string) => world.takeFault('sms', kind, address, name)
  // ten hexadecimal digits of which the first is a letter: never to be taken for its own decimal form
  let lastId = firstId === undefined ? 0xc0_0000_0000 + randomInt(2 ** 36) : firstId - 1

  function refusalOf({ address, text, part }: Submission): Verdict | undefined {
    if (takeFault('throttle', address)) return { kind: 'refused', status: status.throttled }
    if (!rate.take(world.limits.sms.perSecond, performance.now())) return { kind: 'refused', status: status.throttled }
    if (takeFault('hang', address)) return { kind: 'hang' }
    if (takeFault('disconnect', address)) return { kind: 'disconnect' }
    const reject = takeFault('reject', address)
    if (reject) return { kind: 'refused', status: Number(reject.code) || status.submitFailed }
    const blocks = world.refusesOnce('sms', address, `${part?.number ?? 1} ${text}`)
    if (blocks || !addressPattern.test(address) || refused.has(world.phone('sms', address).state))
      return { kind: 'refused', status: status.invalidDestination }
    return undefined
  }

  /** Brings it to its phone, or keeps it for that. @returns what is to be called once the submit was answered */
  function deliver(submission: Submission, number: number): () => void {
    const { address } = submission
    const delivery = { ...submission, number, submittedAt: new Date() }
    if (world.phone('sms', address).state !== 'off') return deliveryReports.report({ ...delivery, expired: false })
    held.hold(address, (expired) => {
      if (expired) world.emit('expired', { channel: 'sms', address, providerId: number.toString(16) })
      deliveryReports.report({ ...delivery, expired })()
    })
    return () => {}
  }

  return {
    submit(submission) {
      const { address, text, part } = submission
      const refusal = refusalOf(submission)
      if (refusal) return refusal
      lastId += 1
      const id = lastId.toString(16)
      const whole = reassembly.add(part, text)
      if (whole !== undefined)
        world.accept({
          channel: 'sms',
          address,
          text: whole,
          key: '',
          at: Date.now(),
          providerId: id,
          ...(name === 'second' ? { centre: name } : {}),
        })
      const replyLost = whole !== undefined && takeFault('reply-lost', address) !== undefined
      return { kind: 'accepted', id, replyLost, answered: deliver(submission, lastId) }
    },

    stop() {
      held.stop()
      deliveryReports.stop()
    },
  }
}
