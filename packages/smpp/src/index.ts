export {
  type ConnectOptions,
  isDeliveryReport,
  type Pdu,
  type PduFields,
  type Session,
  type ShortMessage,
  smpp,
} from './protocol.ts'
export {
  createSmppConnection,
  type SmppConnection,
  type SmppConnectionOptions,
  type SmppTiming,
  usualSmppTiming,
} from './smpp-connection.ts'
export { openSession, type Response, type SmppSession } from './smpp-session.ts'
export { parseSmppUrl, type SmppUrl } from './smpp-url.ts'
export { statusName } from './status-name.ts'
export { createWindow, type Window } from './window.ts'
