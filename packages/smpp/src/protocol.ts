/** The part of the untyped `smpp` package that is used: by clients, and by the sandbox's SMS centre at the other end. */
import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Server, Socket } from 'node:net'

/** What the package makes of a short message: text where it knows the coding, octets where it does not. */
export interface ShortMessage {
  /** the information elements of the user data header, each with its two octets of kind and length */
  readonly udh?: readonly Buffer[]
  readonly message: string | Buffer
}

export interface Pdu {
  readonly command: string
  readonly command_status: number
  readonly system_id?: string
  readonly password?: string
  readonly address_range?: string
  readonly message_id?: string
  readonly source_addr?: string
  readonly source_addr_ton?: number
  readonly destination_addr?: string
  readonly esm_class?: number
  readonly data_coding?: number
  readonly registered_delivery?: number
  readonly short_message?: ShortMessage
  readonly message_payload?: ShortMessage
  readonly user_message_reference?: number
  readonly sar_msg_ref_num?: number
  readonly sar_total_segments?: number
  readonly sar_segment_seqnum?: number
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
    readonly ASCII: { match(text: string): boolean; encode(text: string): Buffer }
    readonly UCS2: { encode(text: string): Buffer }
  }
  readonly errors: Readonly<Record<string, number>>
  connect(options: ConnectOptions): Session
  createServer(listener: (session: Session) => void): Server
}

export const smpp: Smpp = createRequire(import.meta.url)('smpp')

/** esm_class bits 5-2 = 0001: this deliver_sm is a delivery report, not a text */
export function isDeliveryReport(pdu: Pdu): boolean {
  return ((pdu.esm_class ?? 0) & 0x3c) === 0x04 || pdu.receipted_message_id !== undefined
}
