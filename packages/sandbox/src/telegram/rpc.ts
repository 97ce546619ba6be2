/** What lies between the protocol and the service behind it. */
import type { AuthKey } from './auth-keys.ts'
import type { TlObject, TlValue } from './tl/codec.ts'

/** Who asks. */
export interface Caller {
  /** the key of the login: the permanent one when a temporary key is bound to it */
  readonly login: AuthKey
  /** the key the message is encrypted with */
  readonly authKey: AuthKey
  readonly sessionId: bigint
}

/** Answers one API call. @throws RpcError for a refusal, LineFault when no answer is to be given */
export type Api = (call: TlObject, caller: Caller) => TlValue

/** The provider's refusal, with its own code and text: 400 PEER_ID_INVALID, 420 FLOOD_WAIT_3 … */
export class RpcError extends Error {
  readonly code: number
  constructor(code: number, text: string) {
    super(text)
    this.code = code
  }
}

/** Misbehaviour on request: `hang` never answers, `cut` closes the connection. */
export class LineFault extends Error {
  readonly kind: 'hang' | 'cut'
  constructor(kind: 'hang' | 'cut') {
    super(kind)
    this.kind = kind
  }
}
