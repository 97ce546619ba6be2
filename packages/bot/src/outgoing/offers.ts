/** What is offered under the message of a chat that tells how one goes. A press names the message and the offer, and says nothing else. */
import { type HistoryView, isOver } from '@courier-fleet/api-types'
import type { Chat } from '../store/chat.ts'
import type { Secret } from '../store/secret.ts'
import type { Buttons } from '../telegram/messenger.ts'
import type { WaysLeft, Words } from '../texts/words.ts'

/** What the message of the chat shows. */
export interface Shown {
  readonly text: string
  readonly buttons: Buttons
}

const offers = ['again', 'move', 'cancel'] as const
export type Offer = (typeof offers)[number]

type Facts = Pick<HistoryView, 'key' | 'state' | 'text' | 'to' | 'cancelledAt' | 'people'>

/** Those who are not, or not surely, going to have it: of them `unreached:<key>` is what is left. */
export function missedOf({ people }: Pick<Facts, 'people'>): number {
  return people ? people.unknown + people.notDelivered + people.withoutContact : 0
}

/** Whether it can be sent to those again whom it did not reach: of a URL nobody can say whom it did not. */
export const mayGoAgain = (history: Facts): boolean =>
  isOver(history) &&
  history.text !== undefined &&
  missedOf(history) > 0 &&
  !(history.to ?? []).some((token) => token.startsWith('url:'))

/** @param left absent where nobody is to be sent it again */
export function buttonsUnder(history: Facts, left: WaysLeft | undefined, nonce: string, { buttons }: Words): Buttons {
  const labels: Readonly<Record<Offer, string>> = {
    again: left ? buttons.again(left.getting, left.people) : '',
    move: buttons.move,
    cancel: history.state === 'running' ? buttons.stop : buttons.cancel,
  }
  const row = offersFor(history, left).map((offer) => ({ label: labels[offer], data: `${nonce}:${offer}` }))
  return row.length > 0 ? [row] : []
}

function offersFor({ state, cancelledAt }: Facts, left: WaysLeft | undefined): Offer[] {
  if (state === 'scheduled') return ['move', 'cancel']
  if (state === 'running') return cancelledAt === undefined ? ['cancel'] : []
  return left && left.getting > 0 ? ['again'] : []
}

/** Nobody else can make one up. */
export const nonceUnder = (secret: Secret, address: string, key: string): string =>
  secret.nonceOf(address, 'under', key)

/** What was pressed; undefined for every other button. */
export function offerIn(data: string, chat: Chat, secret: Secret): { offer: Offer; key: string } | undefined {
  const [nonce, name] = data.split(':')
  const offer = offers.find((each) => each === name)
  const key = chat.sent?.find((each) => nonceUnder(secret, chat.address, each) === nonce)
  return offer && key !== undefined ? { offer, key } : undefined
}
