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
  readonly sequence_number: number
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
  readonly PDU: {
    new (command: string, fields?: PduFields): Pdu
    new (octets: Buffer): Pdu
    /** what reads PDUs off a socket, in two steps; patched below. @returns false when not all of it is there yet */
    commandLength(socket: Pick<Socket, 'read'>): number | false
    fromStream(socket: Pick<Socket, 'read'>, length: number): Pdu | false
  }
  readonly commands: Readonly<Record<string, unknown>>
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

/** The other side does not speak SMPP, or not any more: nothing that follows can be read. */
class BrokenPdu extends Error {}

const lengthOctets = 4
const headerOctets = 16
const maxOctets = 16_384

/**
 * Defects: after a length that is too short the package freezes, or takes the middle of a PDU for the next one; at the end of a
 * connection it takes half a PDU for a whole one; and what it cannot read it words as an offset that is out of range.
 */
smpp.PDU.commandLength = (socket) => {
  const octets: Buffer | null = socket.read(lengthOctets)
  if (!octets) return false
  if (octets.length < lengthOctets) throw new BrokenPdu('broken SMPP: the connection ended within a PDU')
  const length = octets.readUInt32BE(0)
  if (length < headerOctets || length > maxOctets) throw new BrokenPdu(`broken SMPP: a PDU of ${length} octets`)
  return length
}
smpp.PDU.fromStream = (socket, length) => {
  const octets: Buffer | null = socket.read(length - lengthOctets)
  if (!octets) return false
  if (octets.length < length - lengthOctets) throw new BrokenPdu('broken SMPP: the connection ended within a PDU')
  const whole = Buffer.alloc(length)
  whole.writeUInt32BE(length)
  octets.copy(whole, lengthOctets)
  try {
    return new smpp.PDU(whole)
  } catch {
    throw new BrokenPdu('broken SMPP: a PDU that cannot be read')
  }
}

/** The answer to a request that nobody here serves; undefined for those that have none: alert_notification and outbind. */
export function unservedResponse(request: Pdu): Pdu | undefined {
  if (request.command !== 'unknown' && !(`${request.command}_resp` in smpp.commands)) return undefined
  return request.response({ command_status: unknownCommand })
}

/** ESME_RINVCMDID */
const unknownCommand = 0x03

/** esm_class bits 5-2 = 0001: this deliver_sm is a delivery report, not a text */
export function isDeliveryReport(pdu: Pdu): boolean {
  return ((pdu.esm_class ?? 0) & 0x3c) === 0x04 || pdu.receipted_message_id !== undefined
}
