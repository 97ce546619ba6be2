/** The calls that wait for an execute, sender by sender. */
import type { MessageClass } from '@courier-fleet/api-types'
import type { Outcome } from '../courier.ts'
import { type Call, maxCalls } from './execute.ts'

/** A call on its way through the queue; its people fare alike until VK answers. */
export interface WaitingCall {
  readonly call: Call
  state: 'waiting' | 'sent' | 'settled'
  readonly settle: (outcomes: readonly Outcome[]) => void
}

export interface WaitingCalls {
  /** those that wait */
  readonly count: number
  /** those of this class */
  countOf(cls: MessageClass): number
  /** The calls of one send(), in their order. */
  add(calls: readonly WaitingCall[]): void
  /**
   * What fits into one execute, a call of each sender in turn: who has little to send need not wait for who has much. First those of the
   * class whose place it is; what they leave the others take.
   */
  take(cls: MessageClass): WaitingCall[]
  /** Once for each call; later answers are ignored. */
  settle(call: WaitingCall, outcomes: readonly Outcome[]): void
  /** Settles everything that waits with this outcome. */
  giveUp(outcome: Outcome): void
}

/** The calls of one send(), and the next of them to go. */
interface Sender {
  readonly calls: readonly WaitingCall[]
  at: number
}

const classOf = ({ calls }: Sender) => calls[0]?.call.class

/** UTF-16 units of different texts in one execute: some 200 KB of Cyrillic on the wire, well within what gateways take */
const maxTextUnits = 32_768

export function createWaitingCalls(): WaitingCalls {
  let senders: Sender[] = []
  const counts = { urgent: 0, normal: 0, bulk: 0 }

  function settle(each: WaitingCall, outcomes: readonly Outcome[]): void {
    if (each.state === 'settled') return
    if (each.state === 'waiting') counts[each.call.class] -= 1
    each.state = 'settled'
    each.settle(outcomes)
  }

  function take(cls: MessageClass): WaitingCall[] {
    const load = createLoad()
    const own = senders.filter((sender) => classOf(sender) === cls)
    const others = senders.filter((sender) => classOf(sender) !== cls)
    senders = [...takeInTurn(own, load), ...takeInTurn(others, load)]
    for (const each of load.taken) {
      each.state = 'sent'
      counts[each.call.class] -= 1
    }
    return load.taken
  }

  return {
    get count() {
      return counts.urgent + counts.normal + counts.bulk
    },
    countOf: (cls) => counts[cls],
    add(calls) {
      senders.push({ calls, at: 0 })
      for (const { call } of calls) counts[call.class] += 1
    },
    take,
    settle,
    giveUp(outcome) {
      for (const { calls } of senders)
        for (const each of calls) if (each.state === 'waiting') settle(each, forAll(each, outcome))
      senders = []
    },
  }
}

export const forAll = ({ call }: WaitingCall, outcome: Outcome) => call.peers.map(() => outcome)

/** What goes into one execute. */
interface Load {
  readonly taken: WaitingCall[]
  /** @returns false when it has no room for this one */
  add(call: WaitingCall): boolean
}

function createLoad(): Load {
  const taken: WaitingCall[] = []
  const texts = new Set<string>()
  let units = 0
  return {
    taken,
    add(each) {
      const { text = '' } = each.call
      if (!texts.has(text)) units += text.length
      if (taken.length === maxCalls || (taken.length > 0 && units > maxTextUnits)) return false
      texts.add(text)
      taken.push(each)
      return true
    },
  }
}

/** A call of each sender in turn, as long as there is room. @returns those who have more, from whom is next */
function takeInTurn(senders: Sender[], load: Load): Sender[] {
  for (let sender = senders.shift(); sender; sender = senders.shift()) {
    const next = sender.calls[sender.at]
    if (!next) continue
    if (next.state === 'waiting' && !load.add(next)) {
      senders.unshift(sender)
      break
    }
    sender.at += 1
    senders.push(sender)
  }
  return senders
}
