/** The part of the untyped `smpp` package that an SMS centre needs. */
import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Server, Socket } from 'node:net'

/** What the package makes of a short message: text where it knows the coding, octets where it does not. */
export interface ShortMessage {
  readonly udh?: readonly Buffer[]
  readonly message: string | Buffer
}

export interface Pdu {
  readonly command: string
  readonly command_status: number
  readonly sequence_number: number
  readonly system_id?: string
  readonly password?: string
  readonly source_addr?: string
  readonly address_range?: string
  readonly dest_addr_ton?: number
  readonly destination_addr?: string
  readonly esm_class?: number
  readonly registered_delivery?: number
  readonly short_message?: ShortMessage
  readonly message_payload?: ShortMessage
  readonly message_id?: string
  readonly sar_msg_ref_num?: number
  readonly sar_total_segments?: number
  readonly sar_segment_seqnum?: number
  isResponse(): boolean
  response(fields?: PduFields): Pdu
}

export type PduFields = Readonly<Record<string, string | number | Buffer>>

export interface Session extends EventEmitter<{ pdu: [Pdu]; error: [Error]; close: [] }> {
  readonly socket: Socket
  /** false when the connection is closed; the callbacks are never called then */
  send(pdu: Pdu, onResponse?: (pdu: Pdu) => void): boolean
  close(): void
  destroy(): void
}

interface Smpp {
  readonly PDU: new (command: string, fields: PduFields) => Pdu
  readonly encodings: {
    /** GSM 03.38 with its extension table, one septet an octet */
    readonly ASCII: { match(text: string): boolean; encode(text: string): Buffer }
    readonly UCS2: { encode(text: string): Buffer }
  }
  readonly errors: Readonly<Record<string, number>>
  createServer(listener: (session: Session) => void): Server
}

export const smpp: Smpp = createRequire(import.meta.url)('smpp')
