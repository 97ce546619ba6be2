export { type Client, clientOver, createClient, type Endpoint } from './create-client.ts'
export { ApiError, UnreachableError } from './errors.ts'
export type { StatsPeopleQuestion } from './fleet.ts'
export { createHttp } from './http.ts'
export { isRefusal } from './is-refusal.ts'
export { piecesOf } from './lines.ts'
export { type NamedEndpoint, namedEndpoints } from './named-endpoints.ts'
export type { ReceiptFilter } from './receipts.ts'
export type { Replay } from './replay.ts'
export { takeBackWithProgress } from './take-back.ts'
export {
  type CallHeaders,
  type ReceivedCall,
  type VerifiedCall,
  verifyWebhook,
  WebhookError,
} from './verify-webhook.ts'
export {
  createWebhookReceiver,
  type WebhookDelivery,
  type WebhookReceiver,
  type WebhookReceiverOptions,
  type WebhookReply,
} from './webhook-receiver.ts'
