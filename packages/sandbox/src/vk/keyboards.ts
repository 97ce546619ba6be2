/**
 * Buttons under messages: https://dev.vk.com/api/bots/development/keyboard. One that calls back is told by `message_event`, and whoever
 * pressed it waits for `messages.sendMessageEventAnswer`.
 */
import { randomBytes } from 'node:crypto'
import type { Buttons } from '../chat-log.ts'
import { Remembered } from '../remembered.ts'
import type { World } from '../world.ts'
import type { Params } from './read-params.ts'
import { VkError } from './vk-error.ts'

interface Button {
  readonly label: string
  /** of one that calls back: as it was given, JSON */
  readonly payload: string | undefined
}

/** Row by row. */
export type Keyboard = readonly (readonly Button[])[]

export const labelsOf = (keyboard: Keyboard): readonly (readonly string[])[] =>
  keyboard.map((row) => row.map(({ label }) => label))

export interface PressEvent {
  readonly user_id: number
  readonly peer_id: number
  readonly event_id: string
  readonly payload: unknown
  readonly conversation_message_id: number
}

export interface Keyboards extends Buttons {
  /** What stands under this message. */
  keep(providerId: string, keyboard: Keyboard): void
  /** messages.sendMessageEventAnswer. @throws VkError */
  answer(params: Params): 1
}

const kept = 100_000
const maxRows = 6
const maxInRow = 5
const maxButtons = 10
const maxLabel = 40
const maxPayload = 255
const maxNotice = 90
const answerWithinMs = 60_000

export function createKeyboards(world: World, tell: (event: PressEvent) => void): Keyboards {
  const keyboards = new Remembered<Keyboard>(kept)
  const notices = new Remembered<string>(kept)
  const pressed = new Map<string, { readonly address: string; readonly at: number }>()

  return {
    keep: (providerId, keyboard) => keyboards.set(providerId, keyboard),
    press({ address, providerId }, press) {
      const payload = 'data' in press ? press.data : payloadOf(keyboards.get(providerId), press.label)
      if (payload === undefined) return false
      const event_id = randomBytes(6).toString('hex')
      pressed.set(event_id, { address, at: Date.now() })
      const peer = Number(address)
      const event = { user_id: peer, peer_id: peer, event_id, payload: readPayload(payload) }
      tell({ ...event, conversation_message_id: Number(providerId) })
      return true
    },
    notice: (address) => notices.get(address),
    answer(params) {
      const id = params.get('event_id') ?? ''
      const press = pressed.get(id)
      const isWhose = press?.address === params.get('user_id') && press?.address === params.get('peer_id')
      if (!press || !isWhose || Date.now() - press.at > answerWithinMs) throw new VkError(100, 'event_id is invalid')
      const text = noticeIn(params.get('event_data'))
      pressed.delete(id)
      if (text !== undefined) notices.set(press.address, text)
      world.emit('changed', { channel: 'vk', address: press.address })
      return 1
    },
  }
}

const payloadOf = (keyboard: Keyboard | undefined, label: string) =>
  keyboard?.flat().find((button) => button.label === label)?.payload

/** A client sends what it likes; VK tells what is no JSON as a text. */
function readPayload(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return payload
  }
}

function noticeIn(data: string | undefined): string | undefined {
  if (data === undefined) return undefined
  const said = readPayload(data)
  if (!isObject(said) || said.type !== 'show_snackbar' || typeof said.text !== 'string' || said.text.length > maxNotice)
    throw new VkError(100, 'event_data is invalid')
  return said.text
}

/** @throws VkError 911 */
export function readKeyboard(text: string | undefined): Keyboard {
  if (text === undefined) return []
  const keyboard = readPayload(text)
  if (!isObject(keyboard) || !Array.isArray(keyboard.buttons)) throw new VkError(911)
  const rows = keyboard.buttons.map((row: unknown) => {
    if (!Array.isArray(row) || row.length > maxInRow) throw new VkError(911)
    return row.map(readButton)
  })
  if (keyboard.inline === true && (rows.length > maxRows || rows.flat().length > maxButtons)) throw new VkError(911)
  return keyboard.inline === true ? rows : []
}

function readButton(button: unknown): Button {
  const action = isObject(button) ? button.action : undefined
  if (!isObject(action) || typeof action.type !== 'string') throw new VkError(911)
  const { type, label, payload } = action
  const isLabel = typeof label === 'string' && label !== '' && label.length <= maxLabel
  const isPayload = payload === undefined || (typeof payload === 'string' && payload.length <= maxPayload)
  if (!isPayload || (['text', 'callback'].includes(type) && !isLabel)) throw new VkError(911)
  return { label: isLabel ? label : '', payload: type === 'callback' ? (payload ?? '{}') : undefined }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
