/** The messages of the protocol itself (pings, salts, acknowledgements, states), and what each is answered with. */
import type { TlObject } from './tl/codec.ts'

export interface ServiceReply {
  /** a message of its own */
  readonly message?: TlObject
  /** the result of the call */
  readonly result?: TlObject
}

export interface ServiceContext {
  /** of the client's message */
  readonly id: bigint
  readonly salt: bigint
  /** whether the message with this id was received */
  readonly isKnown: (id: bigint) => boolean
}

/** @returns undefined when it is an API call */
export function serviceReply(request: TlObject, { id, salt, isKnown }: ServiceContext): ServiceReply | undefined {
  switch (request._) {
    case 'ping':
    case 'ping_delay_disconnect':
      return { message: { _: 'pong', msg_id: id, ping_id: request.ping_id } }
    case 'get_future_salts': {
      const now = Math.floor(Date.now() / 1000)
      const salts = [{ _: 'future_salt', valid_since: now - 60, valid_until: now + 86_400, salt }]
      return { message: { _: 'future_salts', req_msg_id: id, now, salts } }
    }
    case 'msgs_state_req':
    case 'msg_resend_req': {
      // 4: received, 1: nothing known about it
      const states = (request.msg_ids as bigint[]).map((asked) => (isKnown(asked) ? 4 : 1))
      return { message: { _: 'msgs_state_info', req_msg_id: id, info: Buffer.from(states) } }
    }
    case 'destroy_session':
      return { message: { _: 'destroy_session_none', session_id: request.session_id } }
    case 'destroy_auth_key':
      return { result: { _: 'destroy_auth_key_ok' } }
    case 'rpc_drop_answer':
      return { result: { _: 'rpc_answer_unknown' } }
    case 'msgs_ack':
    case 'msgs_all_info':
    case 'msgs_state_info':
    case 'http_wait':
      return {}
    default:
      return undefined
  }
}
