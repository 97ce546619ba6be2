/** What Telegram is asked to do for one person. */
import { confirmPrefix } from '@courier-fleet/api-types'
import { telegram } from '@courier-fleet/channels'
import { isDeletable, isEditable } from '@courier-fleet/channels/changes'
import bigInt from 'big-integer'
import { Api } from 'telegram'
import type { Edit, Item } from '../courier.ts'
import type { Attached } from '../with-files.ts'
import { mediaOf } from './give-document.ts'
import { randomIdOf } from './random-id.ts'

export interface Part {
  readonly text: string
  /** from 0 */
  readonly part: number
  readonly isLast: boolean
}

export type Sending = Api.messages.SendMessage | Api.messages.SendMedia
export type Change = Api.messages.EditMessage | Api.messages.DeleteMessages

const peerOf = ({ address }: Pick<Item, 'address'>) =>
  new Api.InputPeerUser({ userId: bigInt(address), accessHash: bigInt.zero })

/** One document goes with the text, which is its caption. */
const documentOf = ({ references }: Attached) => (references?.[0] === undefined ? undefined : mediaOf(references[0]))

/** A message is confirmed by a button under its last part. */
export function requestFor(item: Item & Attached, { text, part, isLast }: Part): Sending {
  const { key, confirm } = item
  const media = documentOf(item)
  const own = {
    peer: peerOf(item),
    message: text,
    randomId: bigInt(randomIdOf(key, part)),
    ...(isLast && confirm ? { replyMarkup: confirmButtonOf(confirm) } : {}),
  }
  return media ? new Api.messages.SendMedia({ ...own, media }) : new Api.messages.SendMessage(own)
}

/** @returns nothing where the one or the other text takes several messages, or it is not known which it is */
export function editOf(edit: Edit & Attached): Api.messages.EditMessage | undefined {
  const { address, text, providerId, confirm } = edit
  if (!isEditable(telegram.name, providerId, text) || !isUserId(address)) return undefined
  const replyMarkup = confirm && confirmButtonOf(confirm)
  const media = documentOf(edit)
  return new Api.messages.EditMessage({
    peer: peerOf(edit),
    id: Number(providerId),
    message: text,
    // whoever has had its link has the document from then on
    ...(media ? { media } : {}),
    ...(replyMarkup ? { replyMarkup } : {}),
  })
}

/** All parts of it. An id says of itself in whose chat it is. @returns nothing where it is not known which they are */
export function deletionOf({ providerId }: Edit): Api.messages.DeleteMessages | undefined {
  if (!isDeletable(telegram.name, providerId)) return undefined
  return new Api.messages.DeleteMessages({ revoke: true, id: providerId.split(',').map(Number) })
}

/** Pressed, the bot hears of it; what it carries has the form that the bot knows. */
const confirmButtonOf = ({ label, token }: NonNullable<Item['confirm']>) =>
  new Api.ReplyInlineMarkup({
    rows: [
      new Api.KeyboardButtonRow({
        buttons: [new Api.KeyboardButtonCallback({ text: label, data: Buffer.from(`${confirmPrefix}${token}`) })],
      }),
    ],
  })

export const isUserId = (address: string) => /^[1-9]\d{0,18}$/.test(address)

/** The short answer, or the long one Telegram gives when other things changed as well. */
export function messageIdIn(answer: unknown): string {
  if (answer instanceof Api.UpdateShortSentMessage) return String(answer.id)
  if (answer instanceof Api.Updates) {
    const named = answer.updates.find((update) => update instanceof Api.UpdateMessageID)
    if (named) return String(named.id)
  }
  return 'accepted'
}
