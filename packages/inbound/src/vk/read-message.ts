import { isCode } from '@courier-fleet/api-types'
import { tokenIn } from '@courier-fleet/channels/vk/confirm-payload'
import { isStop } from '../read-command.ts'
import type { VkEvent } from './event.ts'

export interface Message {
  readonly peer: string
  readonly text: string
  readonly id: string
}

/** from here on they are chats of several */
const firstChat = 2_000_000_000

/** The text that stands for a link that was followed: `vk.me/<community>?ref=<code>` comes with whatever is written first. */
const codeIn = (ref: unknown) => (typeof ref === 'string' && isCode(ref) ? `КОД ${ref}` : undefined)

/** What a person wrote to the community; undefined for other events, chats, and other communities. */
export function readMessage({ type, event_id, object }: VkEvent): Message | undefined {
  if (type !== 'message_new' || !isObject(object) || !isObject(object.message)) return undefined
  const { peer_id: peer, from_id: from, out, text, ref } = object.message
  if (typeof peer !== 'number' || peer <= 0 || peer >= firstChat || from !== peer || out === 1) return undefined
  const written = typeof text === 'string' ? text : ''
  // whatever link somebody has come by, who says STOP means it
  return { peer: String(peer), text: (isStop(written) ? undefined : codeIn(ref)) ?? written, id: event_id }
}

export interface Allowance {
  readonly peer: string
  readonly allowed: boolean
}

/** Somebody allows the community to write to them, or forbids it; undefined for other events. */
export function readAllowance({ type, object }: VkEvent): Allowance | undefined {
  if ((type !== 'message_allow' && type !== 'message_deny') || !isObject(object)) return undefined
  const { user_id: peer } = object
  return typeof peer === 'number' && peer > 0 ? { peer: String(peer), allowed: type === 'message_allow' } : undefined
}

/** Somebody has pressed a button that confirms a message. */
export interface Press {
  /** who pressed it, and in which chat */
  readonly peer: string
  readonly chat: string
  /** of the press: it is answered under this */
  readonly id: string
  readonly token: string
}

/** @returns undefined for other events, and for buttons of anything else */
export function readPress({ type, object }: VkEvent): Press | undefined {
  if (type !== 'message_event' || !isObject(object)) return undefined
  const { user_id: peer, peer_id: chat, event_id: id, payload } = object
  const token = tokenIn(payload)
  if (typeof peer !== 'number' || peer <= 0 || typeof chat !== 'number' || typeof id !== 'string') return undefined
  return token === undefined ? undefined : { peer: String(peer), chat: String(chat), id, token }
}

/** Somebody has read all that the community has written to them, up to one message. */
export interface Read {
  readonly address: string
  readonly upTo: string
}

/** @returns undefined for other events, chats, and what the community itself has read */
export function readRead({ type, object }: VkEvent): Read | undefined {
  if (type !== 'message_read' || !isObject(object)) return undefined
  const { from_id: from, peer_id: peer, read_message_id: upTo } = object
  if (typeof peer !== 'number' || peer <= 0 || peer >= firstChat || from !== peer) return undefined
  if (typeof upTo !== 'number' || !Number.isSafeInteger(upTo) || upTo <= 0) return undefined
  return { address: String(peer), upTo: String(upTo) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
