/** The calls that wait for an execute, sender by sender. */
import type { Outcome } from '../courier.ts'
import { maxCalls, type SendCall } from './execute.ts'

/** A call on its way through the queue; its people fare alike until VK answers. */
export interface WaitingCall {
  readonly call: SendCall
  state: 'waiting' | 'sent' | 'settled'
  readonly settle: (outcomes: readonly Outcome[]) => void
}

export interface WaitingCalls {
  /** those that wait */
  readonly count: number
  /** The calls of one send(), in their order. */
  add(calls: readonly WaitingCall[]): void
  /** What fits into one execute, a call of each sender in turn: who has little to send need not wait for who has much. */
  take(): WaitingCall[]
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

/** UTF-16 units of different texts in one execute: some 200 KB of Cyrillic on the wire, well within what gateways take */
const maxTextUnits = 32_768

export function createWaitingCalls(): WaitingCalls {
  let senders: Sender[] = []
  let count = 0

  function settle(each: WaitingCall, outcomes: readonly Outcome[]): void {
    if (each.state === 'settled') return
    if (each.state === 'waiting') count -= 1
    each.state = 'settled'
    each.settle(outcomes)
  }

  function take(): WaitingCall[] {
    const taken: WaitingCall[] = []
    const texts = new Set<string>()
    let units = 0
    for (let sender = senders.shift(); sender; sender = senders.shift()) {
      const next = sender.calls[sender.at]
      if (!next) continue
      const { text } = next.call
      if (next.state === 'waiting') {
        if (!texts.has(text)) units += text.length
        if (taken.length === maxCalls || (taken.length > 0 && units > maxTextUnits)) {
          senders.unshift(sender)
          break
        }
        texts.add(text)
        taken.push(next)
      }
      sender.at += 1
      senders.push(sender)
    }
    for (const each of taken) each.state = 'sent'
    count -= taken.length
    return taken
  }

  return {
    get count() {
      return count
    },
    add(calls) {
      senders.push({ calls, at: 0 })
      count += calls.length
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
