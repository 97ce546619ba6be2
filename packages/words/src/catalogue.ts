/** What every catalogue has, in each language. Plain text, never markup. */
import type {
  HistoryState,
  PeopleClass,
  ReachedLevel,
  ReceiptState,
  Standstill,
  WaveCause,
  Why,
  WhyNoFinish,
} from '@courier-fleet/api-types'

import type { HeldPeople } from './held-people.ts'

export const languages = ['ru', 'en'] as const
export type Language = (typeof languages)[number]

export interface Catalogue {
  readonly number: (count: number) => string
  /** `5 people` */
  readonly people: (count: number) => string
  /** as in "3 of 5 people" */
  readonly ofPeople: (count: number) => string
  /** before it is sent */
  readonly reach: {
    readonly sent: (getting: number, of: number) => string
    readonly never: (count: number) => string
    /** of none of so many people */
    readonly nobody: (count: number) => string
    /** of two groups, so many people are in both */
    readonly inBoth: (count: number) => string
    /** of more groups, so many times somebody is in one too many */
    readonly overlap: (count: number) => string
    readonly nowhere: (count: number) => string
  }
  /** what has become of one person; `sentToChat` and `handedOver` where no channel says it in its own words */
  readonly classes: Readonly<Record<PeopleClass, string>>
  /** the same for a text message, and as short as it can be understood */
  readonly shortClasses: Readonly<Record<PeopleClass, string>>
  readonly shortestClasses: Readonly<Record<PeopleClass, string>>
  /** `5 delivered` */
  readonly counted: (count: number, what: string) => string
  /** why somebody does not have it, or why that is not known */
  readonly whys: Readonly<Record<Why, string>>
  /** what else is to be said of a receipt that was unknown once */
  readonly afterwards: Readonly<
    Record<'told-delivered' | 'sent-again' | 'edited' | 'followed-up' | 'deleted' | 'replaced', string>
  >
  /** of one receipt; `sent` where the channel is not known */
  readonly receipts: Readonly<Record<ReceiptState, string>>
  readonly histories: Readonly<Record<HistoryState, string>>
  readonly causes: Readonly<Record<WaveCause, string>>
  /** rules that count: of what type, and when there is room again */
  readonly limits: {
    readonly ofAny: string
    readonly ofType: (type: string) => string
    readonly day: (n: number, of: string, free: string) => string
    readonly window: (n: number, of: string, span: string, free: string) => string
    readonly interval: (of: string, span: string, free: string) => string
    readonly important: (n: number, free: string) => string
    readonly duplicate: (moment: string) => string
    /** so many days, hours, minutes, seconds */
    readonly spans: Readonly<Record<'D' | 'H' | 'M' | 'S', (count: number) => string>>
  }
  /** what the API refuses, by the code of the problem, and all that it refuses besides */
  readonly problems: Readonly<Record<string, string>>
  readonly otherProblem: string
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
  /** of a correction: whom it reached, of those who had an older text; `channels` in words, each with its counts */
  readonly correction: (channels: string) => string
  readonly corrected: Readonly<
    Record<'edited' | 'alsoTold' | 'toBeTold' | 'followedUp' | 'pending' | 'unknown' | 'uncorrected', string>
  >
  /** of a message that was withdrawn: from whom it was taken; `channels` in words, each with its counts */
  readonly recall: (channels: string) => string
  readonly recalled: Readonly<Record<'deleted' | 'replaced' | 'pending' | 'remaining', string>>
  /** of a message that asks to be confirmed */
  readonly readOn: (channel: string, count: number) => string
  readonly confirmed: (yes: number, of: number) => string
  /** of one that was corrected: so many had confirmed the text before */
  readonly confirmedBefore: (count: number) => string
  /** of a message with a deadline: how many of those it was sent to within it */
  readonly inTime: (within: string, inTime: number, of: number, share: string) => string
  /** the classes with their numbers follow */
  readonly of: (size: number) => string
  readonly silent: (channels: string) => string
  readonly waiting: (channel: string, moment: string, cause: string) => string
  /** in place of the words of `pending`, where everyone of them waits for a time a rule has set, or some do */
  readonly allHeld: string
  readonly someHeld: string
  readonly shortSomeHeld: string
  readonly heldUntil: Readonly<Record<HeldPeople['how'], (count: number, moment: string, cause: string) => string>>
  /** beside it, where who looks may not send in quiet hours */
  readonly askOperators: string

  /** the same of those who are to be online first; `moment`: when it expires */
  readonly awaited: Readonly<Record<HeldPeople['how'], (count: number, moment: string) => string>>

  /** of one person: not sent before that moment; of who is to be online first it is when it expires */
  readonly waits: {
    readonly until: (moment: string, cause: string) => string
    readonly online: (moment: string) => string
  }

  /** Of a message that goes by some channels after others: what each step has done, and what it would do. */
  readonly steps: {
    readonly later: (channels: string, span: string) => string
    readonly sent: (count: number) => string
    /** known of so many by the channels of the step */
    readonly reached: Readonly<Record<Exclude<ReachedLevel, 'sent'>, (count: number) => string>>
    readonly spared: (count: number) => string
    /** `moment`: when the next of them are looked at */
    readonly waiting: (count: number, moment: string | undefined) => string
    readonly nobody: string
    /** whom a later step is for */
    readonly unless: Readonly<Record<ReachedLevel, string>>
    readonly first: (channels: string, atMost: number) => string
    readonly foretold: (step: string, whom: string, atMost: number, atOnce: number) => string
    /** why somebody was not sent it by one channel: by which they have it */
    readonly enough: (channels: string) => string
  }

  /** Who is sent it when, as the rules say: people with their numbers, in this order. */
  readonly plan: {
    /** of how many; `isSample`: worked out from some of them */
    readonly of: (size: number, isSample: boolean) => string
    readonly now: string
    /** in place of `now`, where the message is for later */
    readonly whenDue: string
    /** `until`: the last of them, where that is not the same moment */
    readonly from: (moment: string, until: string | undefined) => string
    /** of those who are to be online first; from that moment on, where it is not now */
    readonly online: (moment: string | undefined) => string
    readonly allOnline: (size: number, moment: string | undefined) => string
    readonly never: string
    /** said of a plan when it is shown later */
    readonly workedOut: (moment: string) => string
    /** of a message with an address that is asked first */
    readonly recheck: (host: string) => string
    readonly allAt: (size: number, moment: string, until: string | undefined, cause: string) => string
    /** where a reason is told of the past elsewhere */
    readonly whys: Readonly<Partial<Record<Why, string>>>
    /** `48 at 08:00`, so short that several fit into a text message */
    readonly short: {
      readonly now: (count: number) => string
      readonly whenDue: (count: number) => string
      readonly at: (count: number, clock: string, until: string | undefined) => string
      readonly online: (count: number) => string
      readonly later: (count: number) => string
      readonly never: (count: number) => string
    }
  }

  /** What it is expected to come to. */
  readonly forecast: {
    /** parts for each, and for all of them; `isSample`: worked out from some of them */
    /** `each` undefined: not the same for all */
    readonly sms: (each: number | undefined, all: number, isSample: boolean) => string
    readonly money: (amount: string, isSample: boolean) => string
    /** whose numbers have no price */
    readonly unpriced: string
    /** `14:05–14:09`, or one moment */
    readonly doneBy: (time: string) => string
    /** `day`: where it is another than today */
    readonly doneBetween: (from: string, to: string, day?: string) => string
    /** behind that: later than the deadline of its type, certainly or perhaps */
    readonly pastDeadline: (time: string, isCertain: boolean) => string
    /** what was sent, when it was over, and whether that was foretold */
    readonly sent: (parts: string) => string
    readonly ended: (moment: string) => string
    readonly asForetold: string
    readonly earlier: string
    readonly later: string
    /** how many forecasts of somebody have held, of how many */
    readonly record: (within: number, of: number) => string
    readonly whenUnknown: (why: string) => string
    readonly unknown: Readonly<Record<WhyNoFinish, (channel: string) => string>>
  }

  /** nobody is sent anything on a channel now; `since` where it is known */
  readonly standstill: Readonly<Record<Standstill['why'], (channel: string, since?: string) => string>>

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
