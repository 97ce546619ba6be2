/**
 * The fields of `stats:…`, as lua/lib/stats.lua and the scripts that include it write them. All of them only grow:
 *
 *   <type>:<channel>:<state>[:<reason>]   people whose receipt came to this state, and the reason it was given then; state `0`: people of messages
 *                                         that started on the channel, all of them pending
 *   <type>:<channel>:-<state>             people whose receipt left this state again: sent, and then delivered
 *   <type>:<channel>:in-time, …:late     people of messages with a deadline who were first told of it on this channel, by then or later
 *   <type>::accepted, <type>::cancelled   messages; cancelled: before they started
 *   <type>::accepted-to, …-to             people in them
 *   ::<class>:<bound>                     messages by how late they started: upper bound, s, or `more`; `us`: the sum, µs
 *   ::<class>:<channel>/<bound>           the same of each channel they started on; older versions count none of them, and pass over these fields
 */
import { type Reason, type ReceiptState, reasonBytes, reasons, receiptStateOf } from '@courier-fleet/api-types'

/** upper bounds, s; as lua/wake.lua has them */
export const latenessBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300] as const

export type StatField =
  | {
      readonly of: 'receipts'
      readonly type: string
      readonly channel: string
      readonly state: ReceiptState
      readonly reason?: Reason
      readonly did: 'come' | 'leave'
    }
  | {
      readonly of: 'messages'
      readonly type: string
      readonly what: 'accepted' | 'cancelled'
      readonly counts: 'messages' | 'people'
    }
  | {
      readonly of: 'deadline'
      readonly type: string
      readonly channel: string
      readonly was: 'inTime' | 'late'
    }
  /** without a channel: of all messages, each once however many channels it has */
  | { readonly of: 'lateness'; readonly channel?: string; readonly class: string; readonly bound: string }

/** by field name → how many */
export type Sums = ReadonlyMap<string, number>

const known = new Map<string, StatField>()

/** @throws RangeError on a field that no script writes */
export function readStatField(field: string): StatField {
  const found = known.get(field) ?? parse(field)
  known.set(field, found)
  return found
}

function parse(field: string): StatField {
  const [type = '', channel = '', third = '', fourth] = field.split(':')
  if (type === '') {
    const [bound = '', onChannel] = (fourth ?? '').split('/').reverse()
    return { of: 'lateness', ...(onChannel === undefined ? {} : { channel: onChannel }), class: third, bound }
  }
  if (channel === '') {
    const [, what, people] = /^(accepted|cancelled)(-to)?$/.exec(third) ?? []
    if (what === undefined) throw new RangeError(`no script counts "${field}"`)
    return { of: 'messages', type, what: what as 'accepted' | 'cancelled', counts: people ? 'people' : 'messages' }
  }
  if (third === 'in-time' || third === 'late')
    return { of: 'deadline', type, channel, was: third === 'late' ? 'late' : 'inTime' }
  const did = third.startsWith('-') ? 'leave' : 'come'
  const byte = third.replace('-', '')
  const state = byte === '0' ? 'pending' : receiptStateOf(byte.charCodeAt(0))
  // a reason that only a newer version knows is none here: while a fleet is brought up to date the sums are still right
  const reason = reasons.find((each) => reasonBytes[each] === fourth?.charCodeAt(0))
  return { of: 'receipts', type, channel, state, did, ...(reason ? { reason } : {}) }
}
