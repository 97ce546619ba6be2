/** What people do in their chat with the bot. Groups and channels are ignored. */
import { Api } from 'telegram'

export type BotEvent =
  | { readonly kind: 'text'; readonly id: string; readonly address: string; readonly text: string }
  | {
      readonly kind: 'press'
      readonly id: string
      readonly address: string
      readonly messageId: number
      readonly queryId: string
      readonly data: string
    }
  /** the person has blocked the bot, or taken that back */
  | { readonly kind: 'block'; readonly id: string; readonly address: string; readonly blocked: boolean }

/** undefined for every other update. The text is empty when something else than text was sent. */
export function eventOf(update: Api.TypeUpdate): BotEvent | undefined {
  if (update instanceof Api.UpdateNewMessage) {
    const { message } = update
    if (!(message instanceof Api.Message) || message.out || !(message.peerId instanceof Api.PeerUser)) return undefined
    // message ids begin again when the sandbox is started anew; with the date they stay different
    const id = `m${message.id}/${message.date}`
    return { kind: 'text', id, address: String(message.peerId.userId), text: message.message }
  }
  if (update instanceof Api.UpdateBotCallbackQuery) {
    const { peer, userId, queryId, msgId, data } = update
    if (!(peer instanceof Api.PeerUser) || !peer.userId.eq(userId)) return undefined
    return {
      kind: 'press',
      id: `p${queryId}`,
      address: String(userId),
      messageId: msgId,
      queryId: String(queryId),
      data: data?.toString('utf8') ?? '',
    }
  }
  if (update instanceof Api.UpdateBotStopped) {
    const { userId, stopped, qts, date } = update
    return { kind: 'block', id: `b${qts}/${date}`, address: String(userId), blocked: stopped }
  }
  return undefined
}
