/** One receipt in words, and one person's. */
import type { Reason, ReceiptView, RehearsalView } from '@courier-fleet/api-types'
import { whyOf } from '@courier-fleet/api-types/people-classes'
import { stateOfReason } from '@courier-fleet/api-types/reasons'
import type { Catalogue, Language } from './catalogue.ts'
import { changeWords, channelName, sentWords } from './outcome-words.ts'
import { wordsIn } from './words-in.ts'

type Receipt = ReceiptView['channels'][string]

/** Why a receipt says what it says; of a channel, where that says it otherwise. */
export function reasonWords(language: Language, reason: Reason, leg = ''): string {
  const changes = changeWords(language, leg)
  if (changes && (reason === 'edited' || reason === 'deleted')) return changes[reason]
  const { whys, afterwards } = wordsIn(language)
  return reason in afterwards ? afterwards[reason as keyof typeof afterwards] : whys[reason as keyof typeof whys]
}

const iso = (ms: number) => new Date(ms).toISOString()

/**
 * What a receipt says, in words a teacher uses; the provider's own words are not among them.
 * @param moment Unix ms, on the clock of the reader
 */
export function receiptWords(language: Language, leg: string, receipt: Receipt, moment = iso): string {
  const said = ownWords(language, leg, receipt, moment)
  const { contact } = receipt
  const before = earlierWords(language, leg, receipt)
  return before ? `${before}; ${contact ? `…${contact}: ` : ''}${said}` : said
}

/** `…67: not delivered (The number is barred)`: of who has several contacts on the channel, those before the one that the receipt is about. */
export const earlierWords = (language: Language, leg: string, { earlier = [] }: Pick<Receipt, 'earlier'>): string =>
  earlier.map((each) => `…${each.contact}: ${ownWords(language, leg, each)}`).join('; ')

function ownWords(
  language: Language,
  leg: string,
  { state, reason, waiting }: Pick<Receipt, 'state' | 'reason' | 'waiting'>,
  moment = iso,
): string {
  const words = wordsIn(language)
  if (waiting) {
    const at = moment(Date.parse(waiting.at))
    return waiting.cause === 'online' ? words.waits.online(at) : words.waits.until(at, words.causes[waiting.cause])
  }
  const what = state === 'sent' ? sentWords(language, leg) : words.receipts[state]
  if (reason && stateOfReason(reason) === state) return `${what} (${reasonWords(language, reason, leg)})`
  const why = whyOf(state, undefined)
  return why === undefined || words.whys[why] === what || why === state ? what : `${what} (${words.whys[why]})`
}

const reachedStates: ReadonlySet<Receipt['state']> = new Set(['sent', 'delivered', 'read', 'confirmed'])

/** `Telegram: not delivered (blocked us)`, of each channel on which the person has a contact. */
export function personWords(language: Language, { channels }: Pick<ReceiptView, 'channels'>, moment = iso): string {
  const tried = Object.entries(channels).filter(([, { state }]) => state !== 'no-contact')
  if (tried.length === 0) return wordsIn(language).receipts['no-contact']
  const has = tried.filter(([, { state }]) => reachedStates.has(state)).map(([leg]) => channelName(language, leg))
  const { receipts, steps } = wordsIn(language)
  return tried
    .map(([leg, receipt]) => {
      const wasSpared = receipt.reason === 'reached-elsewhere' && receipt.state === 'cancelled' && has.length > 0
      const said = wasSpared
        ? `${receipts.cancelled} (${steps.enough(has.join(', '))})`
        : receiptWords(language, leg, receipt, moment)
      return `${channelName(language, leg)}: ${said}`
    })
    .join(', ')
}

type NotReachable = RehearsalView['unreachable'][number]['channels'][string]

/** Why somebody cannot be reached on a channel, as a receipt would say it. */
export const unreachableWords = ({ whys, receipts }: Catalogue, reason: NotReachable): string =>
  reason === 'no-contact' ? receipts[reason] : whys[reason]
