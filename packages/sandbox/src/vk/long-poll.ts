/** Bots Long Poll: what people write to the community, https://dev.vk.com/api/bots-long-poll/getting-started */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { IncomingMessage, Phone } from '../stand-in.ts'
import type { World } from '../world.ts'
import type { PressEvent } from './keyboards.ts'
import { tellReads } from './read-marks.ts'
import { replyJson } from './reply-json.ts'

interface GroupEvent {
  readonly group_id: number
  readonly type: 'message_new' | 'message_allow' | 'message_deny' | 'message_event' | 'message_read'
  readonly event_id: string
  readonly v: string
  readonly object: Record<string, unknown>
}

/** events kept for a client that comes back; older ones are told to be lost */
const keptEvents = 1000
const maxWaitMs = 90_000

export interface LongPoll {
  /** what groups.getLongPollServer answers */
  server(): { key: string; server: string; ts: string }
  handle(query: URLSearchParams, response: ServerResponse): void
  /** Somebody has pressed a button. */
  tellPress(press: PressEvent): void
  stop(): void
}

export function createLongPoll(world: World, groupId: number, url: string): LongPoll {
  const key = randomBytes(20).toString('hex')
  const events: GroupEvent[] = []
  /** number of the first kept event; an event's ts is its number + 1 */
  let first = 0
  const waiting = new Set<() => void>()
  const lastTs = () => first + events.length

  const tell = (type: GroupEvent['type'], object: GroupEvent['object']) => {
    events.push({ group_id: groupId, type, event_id: randomBytes(20).toString('hex'), v: '5.199', object })
    if (events.length > keptEvents) first += events.splice(0, events.length - keptEvents).length
    for (const answer of [...waiting]) answer()
  }
  const hear = (message: IncomingMessage) => {
    if (message.channel === 'vk') tell('message_new', messageOf(lastTs() + 1, message))
  }
  /** Of those who have a chat with the community, and of whoever allows messages again. */
  const hearPhone = (phone: Phone, before: Phone) => {
    if (phone.channel !== 'vk' || (phone.state === 'blocked') === (before.state === 'blocked')) return
    const user_id = Number(phone.address)
    if (phone.state !== 'blocked') tell('message_allow', { user_id, key: '' })
    else if (world.chats.vk?.read(phone.address).messages.length) tell('message_deny', { user_id })
  }
  world.on('say', hear)
  world.on('phone', hearPhone)
  const endReads = tellReads(world, (read) => tell('message_read', { ...read }))

  function handle(query: URLSearchParams, response: ServerResponse): void {
    const ts = Number(query.get('ts'))
    if (query.get('act') !== 'a_check' || query.get('key') !== key) replyJson(response, { failed: 2 })
    else if (!Number.isInteger(ts) || ts < first || ts > lastTs()) replyJson(response, { failed: 1, ts: lastTs() })
    else answerAfter(ts, Math.min((Number(query.get('wait')) || 25) * 1000, maxWaitMs), response)
  }

  function answerAfter(ts: number, waitMs: number, response: ServerResponse): void {
    const answer = () => {
      clearTimeout(timer)
      waiting.delete(answer)
      replyJson(response, { ts: String(lastTs()), updates: events.slice(Math.max(0, ts - first)) })
    }
    const timer = setTimeout(answer, ts < lastTs() ? 0 : waitMs)
    waiting.add(answer)
    response.on('close', () => {
      clearTimeout(timer)
      waiting.delete(answer)
    })
  }

  return {
    server: () => ({ key, server: url, ts: String(lastTs()) }),
    handle,
    tellPress: (press) => tell('message_event', { ...press }),
    stop() {
      world.off('say', hear)
      world.off('phone', hearPhone)
      endReads()
      for (const answer of [...waiting]) answer()
    },
  }
}

function messageOf(number: number, { address, text, ref }: IncomingMessage): Record<string, unknown> {
  const peer = Number(address)
  const message = {
    id: number,
    date: Math.floor(Date.now() / 1000),
    peer_id: peer,
    from_id: peer,
    text,
    out: 0,
    version: number,
    conversation_message_id: number,
    attachments: [],
    fwd_messages: [],
    important: false,
    is_hidden: false,
    random_id: 0,
    ...(ref === undefined ? {} : { ref, ref_source: '' }),
  }
  const client_info = { button_actions: ['text', 'callback'], keyboard: true, inline_keyboard: true, lang_id: 0 }
  return { message, client_info }
}
