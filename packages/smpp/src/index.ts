export { isDeliveryReport, type Pdu, type PduFields, type Session, smpp } from './protocol.ts'
export {
  createSmppConnection,
  type SmppConnection,
  type SmppTiming,
  usualSmppTiming,
} from './smpp-connection.ts'
export { openSession } from './smpp-session.ts'
export { type SmppUrl, smppUrl } from './smpp-url.ts'
export { statusName } from './status-name.ts'
export { createWindow } from './window.ts'
