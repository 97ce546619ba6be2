import type { Api } from 'telegram'
import { type MTProtoSender, UpdateConnectionState } from 'telegram/network/index.js'

export type Loss = 'closed' | 'key-lost'

/**
 * Defects: when Telegram has forgotten the auth key (transport error -404) gramjs says so in an update nobody listens to,
 * stops reading, and every call hangs for ever; and when it cannot reconnect it gives up and tells nobody. Here either ends
 * in `onLoss`, and gramjs does not try to reconnect: whoever holds the sender makes a new one. What happened to the bot
 * (messages, presses) comes the same way and is passed on.
 */
export function patchLostConnection(
  sender: MTProtoSender,
  onLoss: (loss: Loss) => void,
  onUpdates: (updates: Api.TypeUpdates) => void = () => {},
): void {
  sender.reconnect = () => onLoss('closed')
  sender._updateCallback = (_client, update) => {
    if (!(update instanceof UpdateConnectionState)) onUpdates(update as Api.TypeUpdates)
    else if (update.state === UpdateConnectionState.broken) onLoss('key-lost')
  }
}
