/** The button under a message that confirms it; pressed, the community hears of it. */
import { confirmPayload } from '@courier-fleet/channels/vk/confirm-payload'
import type { Item } from '../courier.ts'

export const confirmKeyboard = ({ label, token }: NonNullable<Item['confirm']>): string =>
  JSON.stringify({ inline: true, buttons: [[{ action: { type: 'callback', label, payload: confirmPayload(token) } }]] })
