/** What it costs to send a text to some people on a channel that is paid by the part. */
import { type Cost, pricedParts, type Reader, type SmsParts, smsPartsOf, type Tariffs } from '@courier-fleet/api-types'
import { contentOn, findChannel, renderedOn } from '@courier-fleet/channels'
import { askedOn } from '@courier-fleet/channels/asked'
import type { AskingWords } from '../acceptance/fitting-text.ts'
import { createPriceCount } from './price-count.ts'

export interface PaidCount {
  add(number: string, reader: Reader): void
  /** @param people where that is more than were added, they are scaled to it */
  cost(people: number): Cost
}

export const isPaid = (channel: string) => findChannel(channel)?.text.kind === 'sms-parts'

/** As it goes out by SMS, with the sender line and what is asked for. */
export const partsOn = (channel: string, words: AskingWords): SmsParts =>
  smsPartsOf(askedOn(channel, contentOn(channel, words).text, words.confirm))

/** What one person reads there, as it goes out to them; as it was written where they read no more than others. */
export function wordsFor(channel: string, words: AskingWords, reader: Reader): AskingWords {
  if (!words.personal) return words
  const { personal: _personal, ...others } = words
  return { ...others, text: renderedOn(channel, words, reader).text ?? words.text }
}

/** @param words undefined while there is no text */
export function createPaidCount(channel: string, words: AskingWords | undefined, tariffs: Tariffs | null): PaidCount {
  const count = createPriceCount(tariffs)
  return {
    add(number, reader) {
      count.add(number, words?.personal && partsOn(channel, wordsFor(channel, words, reader)).parts.length)
    },
    cost(people) {
      if (words?.personal) return count.costOfParts(people)
      const cost = count.cost(people)
      return words === undefined ? cost : pricedParts(cost, partsOn(channel, words).parts.length)
    },
  }
}
