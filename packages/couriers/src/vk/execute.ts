/** Many `messages.send`, `messages.edit` and `messages.delete` in one `execute`: the script for them, and what VK's answer means for each peer. */
import type { MessageClass } from '@courier-fleet/api-types'
import { vk } from '@courier-fleet/channels'
import type { Outcome } from '../courier.ts'
import { type ApiAnswer, isObject } from './api-call.ts'
import { outcomeOfError } from './error-codes.ts'
import { errorsByCall } from './errors-by-call.ts'

/** One text for up to `maxPeers` people under one random_id. */
export interface SendCall {
  readonly class: MessageClass
  readonly randomId: number
  readonly text: string
  readonly peers: readonly string[]
  /** the buttons under it, JSON */
  readonly keyboard?: string | undefined
  /** documents that go with it, commas between them */
  readonly attachment?: string | undefined
}

/** Of one message of one person. */
export interface ChangeCall {
  readonly class: MessageClass
  readonly messageId: string
  /** what it is to say; absent: it is deleted */
  readonly text?: string
  /** the buttons under it from then on, JSON */
  readonly keyboard?: string
  /** what goes with it from then on: what is not named again is taken from it */
  readonly attachment?: string
  readonly peers: readonly [string]
}

export type Call = SendCall | ChangeCall

/** VK's own limits */
export const maxCalls = 25
export const maxPeers = vk.settings.countsCalls

/** Texts, peers, ids, buttons and what VK calls documents travel as parameters, each text once: nothing that anybody wrote becomes part of the script. */
export function executeParams(calls: readonly Call[]): Record<string, string> {
  const texts = new Map<string, string>()
  const params: Record<string, string> = {}
  const nameOf = (text: string) => {
    const name = texts.get(text) ?? `text${texts.size}`
    texts.set(text, name)
    params[name] = text
    return name
  }
  const scripts = calls.map((call, i) => {
    params[`peers${i}`] = call.peers.join(',')
    const text = call.text === undefined ? '' : `,message:Args.${nameOf(call.text)}`
    if (call.keyboard !== undefined) params[`keyboard${i}`] = call.keyboard
    if (call.attachment !== undefined) params[`files${i}`] = call.attachment
    const buttons = call.keyboard === undefined ? '' : `,keyboard:Args.keyboard${i}`
    const files = call.attachment === undefined ? '' : `,attachment:Args.files${i}`
    if ('messageId' in call) {
      params[`id${i}`] = call.messageId
      return text === ''
        ? `API.${methodOf(call)}({peer_id:Args.peers${i},message_ids:Args.id${i},delete_for_all:1})`
        : `API.${methodOf(call)}({peer_id:Args.peers${i},message_id:Args.id${i}${text}${buttons}${files}})`
    }
    return `API.${methodOf(call)}({peer_ids:Args.peers${i},random_id:${call.randomId}${text}${buttons}${files}})`
  })
  return { code: `return [${scripts.join(',')}];`, ...params }
}

function methodOf(call: Call): string {
  if (!('messageId' in call)) return 'messages.send'
  return call.text === undefined ? 'messages.delete' : 'messages.edit'
}

/** One outcome for each peer of each call, in order. A call that failed as a whole is `false`, and its error stands elsewhere. */
export function readExecute(calls: readonly Call[], answer: ApiAnswer): Outcome[][] {
  if (answer.kind === 'failed') return calls.map(({ peers }) => peers.map(() => answer.outcome))
  const { response, executeErrors } = answer
  // a result is known by its place: were there more or fewer than calls, it might be that of another
  const results: readonly unknown[] = Array.isArray(response) && response.length === calls.length ? response : []
  const failed = calls.map((call, i) => (results[i] === false ? methodOf(call) : undefined))
  const errors = errorsByCall(failed, executeErrors)
  return calls.map((call, i) => {
    const { peers } = call
    const result = results[i]
    if ('messageId' in call && result !== false) return [readChange(call, result)]
    if (!('messageId' in call) && Array.isArray(result)) return readPeers(peers, result)
    const error = errors[i]
    const outcome = error
      ? outcomeOfError(error.code, error.description, 'account')
      : notAnswered(result === false ? 'VK did not say why the call failed' : 'VK gave no result for the call')
    return peers.map(() => outcome)
  })
}

/** 1 of what was edited; of what was deleted a list. */
function readChange(call: ChangeCall, result: unknown): Outcome {
  if (call.text === undefined) return readDeletion(call, result)
  return result === 1 ? changed(call) : notAnswered('VK did not say that it was changed')
}

/** VK says of each message whether it was deleted, or why not; what it says of another is nothing of this one. */
function readDeletion(call: ChangeCall, result: unknown): Outcome {
  const results = Array.isArray(result) ? result.filter(isObject) : []
  const own = results.find((each) => isOf(each.message_id, call.messageId) && isOf(each.peer_id, call.peers[0]))
  if (isObject(own?.error)) return outcomeOfError(Number(own.error.code), String(own.error.description), 'recipient')
  if (own?.response === 1) return changed(call)
  if (own?.response === 0) return { kind: 'rejected', class: 'refused', detail: 'VK says that it was not deleted' }
  return notAnswered('VK did not say that it was deleted')
}

/** VK need not name both ids of one message. */
const isOf = (id: unknown, asked: string) => id === undefined || String(id) === asked

const changed = ({ messageId }: ChangeCall): Outcome => ({ kind: 'sent', providerId: messageId })

/** VK answers in the order it was asked in; should it not, each is looked for. */
function readPeers(peers: readonly string[], results: readonly unknown[]): Outcome[] {
  let byPeer: Map<string, Record<string, unknown>> | undefined
  return peers.map((peer, i) => {
    const next = results[i]
    if (isObject(next) && String(next.peer_id) === peer) return readPeer(next)
    byPeer ??= new Map(results.filter(isObject).map((result) => [String(result.peer_id), result]))
    const result = byPeer.get(peer)
    return result ? readPeer(result) : notAnswered('VK gave no result for this person')
  })
}

function readPeer({ error, message_id }: Record<string, unknown>): Outcome {
  if (isObject(error)) return outcomeOfError(Number(error.code), String(error.description), 'recipient')
  return typeof message_id === 'number' && message_id > 0
    ? { kind: 'sent', providerId: String(message_id) }
    : notAnswered('VK gave no message id')
}

const notAnswered = (why: string): Outcome => ({ kind: 'unknown', why })
