/**
 * One MTProto session on one connection: takes messages and containers apart, answers what belongs to the protocol itself and
 * hands API calls to the service.
 */
import { randomBytes } from 'node:crypto'
import { gzipSync, unzipSync } from 'node:zlib'
import type { Log } from '@courier-fleet/process'
import type { AuthKey, AuthKeys } from './auth-keys.ts'
import { CallResults } from './call-results.ts'
import { type MessageKind, Outbox } from './outbox.ts'
import { type Api, type Caller, LineFault, RpcError } from './rpc.ts'
import { serviceReply } from './service-messages.ts'
import { Reader, Writer } from './tl/bytes.ts'
import { decodeObject, encode, type TlObject, UnknownConstructor } from './tl/codec.ts'
import { containerId, coreSchema, gzipId, rpcResultId } from './tl/core-schema.ts'
import type { Layers } from './tl/layers.ts'

export interface SessionDeps {
  readonly keys: AuthKeys
  readonly layers: Layers
  readonly api: Api
  readonly log: Log
  readonly newMessageId: (kind: MessageKind) => bigint
  readonly send: (plain: Buffer) => void
  readonly cut: () => void
  /** the client asks to be cut off unless it pings again within so many seconds */
  readonly expectPingWithin: (seconds: number) => void
}

const maxUnpackedBytes = 16 * 1024 * 1024
const gzipFromBytes = 1024
/** how far a client's clock may be off, s (core.telegram.org/mtproto/description#message-identifier-msg-id) */
const maxBehind = 300
const maxAhead = 30

export class Session {
  readonly id: bigint
  readonly authKey: AuthKey
  /** true once the client has called something without asking not to get updates */
  listening = false
  readonly #deps: SessionDeps
  readonly #outbox: Outbox
  readonly #results = new CallResults()

  constructor(id: bigint, authKey: AuthKey, deps: SessionDeps) {
    this.id = id
    this.authKey = authKey
    this.#deps = deps
    this.#outbox = new Outbox({ ...deps, salt: authKey.salt, sessionId: id })
  }

  get login(): AuthKey {
    return this.#deps.keys.get(this.authKey.boundTo ?? '') ?? this.authKey
  }

  /** Says at the start of a session which salt to use. */
  open(firstMessageId: bigint): void {
    const uniqueId = randomBytes(8).readBigInt64LE()
    this.#say(
      { _: 'new_session_created', first_msg_id: firstMessageId, unique_id: uniqueId, server_salt: this.authKey.salt },
      'notice',
      true,
    )
  }

  /** One decrypted message: checks its salt and time, and deals with it. */
  receive(salt: bigint, id: bigint, sequence: number, body: Buffer): void {
    const bad = { bad_msg_id: id, bad_msg_seqno: sequence }
    const fault = faultOfId(id)
    if (salt !== this.authKey.salt) {
      this.#say({ _: 'bad_server_salt', ...bad, error_code: 48, new_server_salt: this.authKey.salt }, 'answer')
    } else if (fault) {
      this.#say({ _: 'bad_msg_notification', ...bad, error_code: fault }, 'answer')
    } else {
      this.#message(id, body)
    }
  }

  push(updates: TlObject): void {
    this.#outbox.add(encode(this.#deps.layers.of(this.login.layer), updates).done(), 'notice', true)
  }

  #message(id: bigint, body: Buffer): void {
    const reader = new Reader(body)
    switch (reader.id()) {
      case containerId:
        for (let left = reader.int(); left > 0; left -= 1) {
          const innerId = reader.long()
          reader.int()
          this.#message(innerId, reader.raw(reader.int()))
        }
        break
      case gzipId:
        this.#message(id, unzipSync(reader.bytes(), { maxOutputLength: maxUnpackedBytes }))
        break
      default:
        this.#request(id, body)
    }
  }

  #request(id: bigint, body: Buffer): void {
    try {
      const request = decodeObject(this.#deps.layers.any, new Reader(body))
      if (!this.#service(id, request)) this.#call(id, request, true)
    } catch (error) {
      this.#deps.log.debug({ layer: this.login.layer, reason: (error as Error).message }, 'request not understood')
      const text = error instanceof UnknownConstructor ? `INPUT_METHOD_INVALID_${error.id}` : 'INPUT_REQUEST_INVALID'
      this.#fail(id, new RpcError(400, text))
    }
  }

  /** What belongs to the protocol itself; false when it is an API call. */
  #service(id: bigint, request: TlObject): boolean {
    const isKnown = (asked: bigint) => this.#results.has(asked)
    const reply = serviceReply(request, { id, salt: this.authKey.salt, isKnown })
    if (!reply) return false
    if (reply.message) this.#say(reply.message, 'answer')
    if (reply.result) this.#answer(id, encode(coreSchema, reply.result).done())
    if (request._ === 'ping_delay_disconnect') this.#deps.expectPingWithin(request.disconnect_delay as number)
    if (request._ === 'destroy_auth_key') this.#deps.keys.remove(this.authKey.id)
    return true
  }

  /** Takes the wrappers off an API call and makes it. */
  #call(id: bigint, call: TlObject, wantsUpdates: boolean): void {
    const inner = call.query as TlObject
    switch (call._) {
      case 'invokeWithLayer':
        this.login.layer = call.layer as number
        this.#call(id, inner, wantsUpdates)
        break
      case 'initConnection':
        this.#deps.keys.save()
        this.#call(id, inner, wantsUpdates)
        break
      case 'invokeWithoutUpdates':
        this.#call(id, inner, false)
        break
      case 'invokeAfterMsg':
        this.#callAfter(id, [call.msg_id as bigint], inner, wantsUpdates)
        break
      case 'invokeAfterMsgs':
        this.#callAfter(id, call.msg_ids as bigint[], inner, wantsUpdates)
        break
      default:
        this.listening ||= wantsUpdates
        this.#make(id, call)
    }
  }

  /** Calls are answered at once, so an earlier one has been answered, has failed, or hangs; then this one does likewise. */
  #callAfter(id: bigint, earlier: readonly bigint[], call: TlObject, wantsUpdates: boolean): void {
    const results = earlier.map((message) => this.#results.get(message))
    if (results.includes('hung')) this.#results.set(id, 'hung')
    else if (results.includes('failed')) this.#fail(id, new RpcError(400, 'MSG_WAIT_FAILED'))
    else this.#call(id, call, wantsUpdates)
  }

  #make(id: bigint, call: TlObject): void {
    const caller: Caller = { login: this.login, authKey: this.authKey, sessionId: this.id }
    try {
      const value = this.#deps.api(call, caller)
      const result = encode(this.#deps.layers.of(this.login.layer), value).done()
      this.#results.set(id, 'answered')
      this.#answer(id, result)
    } catch (error) {
      if (error instanceof RpcError) {
        this.#fail(id, error)
      } else if (error instanceof LineFault) {
        this.#results.set(id, 'hung')
        if (error.kind === 'cut') this.#deps.cut()
      } else {
        this.#deps.log.error({ method: call._, layer: this.login.layer, err: error }, 'an API call broke the stand-in')
        this.#fail(id, new RpcError(500, 'INTERNAL'))
      }
    }
  }

  #fail(id: bigint, { code, message }: RpcError): void {
    this.#results.set(id, 'failed')
    this.#answer(id, encode(coreSchema, { _: 'rpc_error', error_code: code, error_message: message }).done())
  }

  #answer(id: bigint, result: Buffer): void {
    const writer = new Writer().int(rpcResultId).long(id)
    const packed = result.length >= gzipFromBytes ? gzipSync(result) : undefined
    if (packed && packed.length < result.length) writer.int(gzipId).bytes(packed)
    else writer.raw(result)
    this.#outbox.add(writer.done(), 'answer', true)
  }

  #say(message: TlObject, kind: MessageKind, content = false): void {
    this.#outbox.add(encode(coreSchema, message).done(), kind, content)
  }
}

/** The error code of bad_msg_notification, when the id of a client's message is not what it must be. */
function faultOfId(id: bigint): number | undefined {
  if (id & 3n) return 18
  const ahead = Number(id >> 32n) - Date.now() / 1000
  if (ahead < -maxBehind) return 16
  return ahead > maxAhead ? 17 : undefined
}
