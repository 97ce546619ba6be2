/** What every catalogue has, in each language. Plain text, never markup. */
import type { HistoryState, PeopleClass, ReceiptState, WaveCause, Why } from '@courier-fleet/api-types'

export const languages = ['ru', 'en'] as const
export type Language = (typeof languages)[number]

export interface Catalogue {
  readonly number: (count: number) => string
  /** `5 people` */
  readonly people: (count: number) => string
  /** as in "3 of 5 people" */
  readonly ofPeople: (count: number) => string
  /** what has become of one person; `handedOver` where it is not said by whom */
  readonly classes: Readonly<Record<PeopleClass, string>>
  /** the same for a text message, and as short as it can be understood */
  readonly shortClasses: Readonly<Record<PeopleClass, string>>
  readonly shortestClasses: Readonly<Record<PeopleClass, string>>
  /** `5 delivered` */
  readonly counted: (count: number, what: string) => string
  /** why somebody does not have it, or why that is not known */
  readonly whys: Readonly<Record<Why, string>>
  /** what else is to be said of a receipt that was unknown once */
  readonly afterwards: Readonly<Record<'told-delivered' | 'sent-again', string>>
  /** of one receipt; `sent` where the channel is not known */
  readonly receipts: Readonly<Record<ReceiptState, string>>
  readonly histories: Readonly<Record<HistoryState, string>>
  readonly causes: Readonly<Record<WaveCause, string>>
  /** in place of the text of a message that was cancelled before anyone got it */
  readonly textGone: string
  readonly or: string
  /** taken, such as "by the operator" */
  readonly notConfirmed: (taken: string) => string

  readonly issued: string
  readonly scheduled: (moment: string, size: number) => string
  /** its sender may not send it any more */
  readonly held: (moment: string, size: number) => string
  readonly cancelled: (size: number) => string
  readonly everyone: (delivered: number, size: number) => string
  readonly everyoneWithContact: (delivered: number, size: number) => string
  readonly nobody: (size: number, channels: string) => string
  readonly nothing: string
  readonly nothingKnown: string
  readonly running: string
  /** the classes with their numbers follow */
  readonly of: (size: number) => string
  readonly silent: (channels: string) => string
  readonly waiting: (channel: string, moment: string, cause: string) => string

  readonly short: {
    readonly scheduled: (size: number) => string
    readonly held: (size: number) => string
    readonly cancelled: string
    readonly everyone: (delivered: number) => string
    readonly nobody: (size: number) => string
    readonly of: (size: number) => string
    /** where the numbers of all classes do not fit: what is known, what was sent, of whom it is not known, and who has it not */
    readonly fourThings: readonly [delivered: string, sent: string, unknown: string, not: string]
    /** where those do not either */
    readonly elsewhere: (delivered: number, size: number) => string
  }
}
