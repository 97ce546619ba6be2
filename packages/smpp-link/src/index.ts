export { type Limit, limitOf, whyOf } from './limit.ts'
export {
  type ConnectOptions,
  isReceipt,
  type Pdu,
  type PduFields,
  type Session,
  type ShortMessage,
  smpp,
} from './smpp.ts'
export { createSmppLink, type LinkTiming, type SmppLink, type SmppLinkOptions, usualLinkTiming } from './smpp-link.ts'
export { openSession, type Response, type SmppSession } from './smpp-session.ts'
export { parseSmppUrl, type SmppUrl } from './smpp-url.ts'
export { statusName } from './status-name.ts'
export { createWindow, type Window } from './window.ts'
