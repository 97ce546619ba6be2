/** The part of the untyped `smpp` package that a client needs. */
import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

export interface Pdu {
  readonly command: string
  readonly command_status: number
  readonly message_id?: string
  readonly esm_class?: number
  readonly short_message?: { readonly message: string | Buffer }
  readonly message_payload?: { readonly message: string | Buffer }
  readonly receipted_message_id?: string
  readonly message_state?: number
  isResponse(): boolean
  response(fields?: PduFields): Pdu
}

export type PduFields = Readonly<Record<string, string | number | Buffer>>

export interface Session extends EventEmitter<{ pdu: [Pdu]; error: [Error]; close: [] }> {
  readonly socket: Socket
  /** false when the connection is closed; `onResponse` is never called then. There is no time-out of its own. */
  send(pdu: Pdu, onResponse?: (pdu: Pdu) => void): boolean
  close(): void
  destroy(): void
}

export interface ConnectOptions {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

interface Smpp {
  readonly PDU: new (command: string, fields?: PduFields) => Pdu
  readonly encodings: {
    /** GSM 03.38 with its extension table, one septet an octet */
    readonly ASCII: { encode(text: string): Buffer }
    readonly UCS2: { encode(text: string): Buffer }
  }
  readonly errors: Readonly<Record<string, number>>
  connect(options: ConnectOptions): Session
}

export const smpp: Smpp = createRequire(import.meta.url)('smpp')
