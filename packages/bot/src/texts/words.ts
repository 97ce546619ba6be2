/** Everything the bot says, once in each language: messages.ru.ts and messages.en.ts have the same shape. Plain text, never markup. */
import { type HistoryView, type LimitsView, type RehearsalView, unreachableReasons } from '@courier-fleet/api-types'
import { below } from '@courier-fleet/channels'
import type { Hours, When } from '@courier-fleet/inbound'
import { type Language, type ReachWords, unreachableWords, wordsIn } from '@courier-fleet/words'
import type { Picked } from '../store/chat.ts'

export const commands = [
  'send',
  'templates',
  'history',
  'repeat',
  'reschedule',
  'waiting',
  'cancel',
  'limit',
  'topics',
  'mute',
  'unmute',
  'quiet',
  'lang',
  'unlink',
  'stop',
  'help',
] as const
export type Command = (typeof commands)[number]

export type Unreachable = RehearsalView['unreachable'][number]['channels'][string]

/** Of those whom a message that is over did not reach. */
export interface WaysLeft {
  readonly people: number
  /** who would be sent it now */
  readonly getting: number
  /** who has no address that can be written to */
  readonly nowhere: number
}

/** What is looked at before it is sent. */
export interface Preview {
  readonly to: readonly string[]
  readonly text: string
  /** who reads it so, where it is not the same for everybody */
  readonly reader: string | undefined
  readonly reach: RehearsalView
  /** whom it is sent to, as everyone is told it */
  readonly reached: ReachWords
  /** absent: at once */
  readonly at: string | undefined
  readonly missed: readonly string[]
  /** by which channels it goes first, and whom the others are for; empty where it goes by all at once */
  readonly steps: readonly string[]
  /** who is sent it when, where a rule holds anybody back */
  readonly planned: string | undefined
  /** what it comes to, and what is left of the budgets */
  readonly foretold: readonly string[]
}

export interface Outcome {
  /** what has become of it, as everyone is told it */
  readonly sentence: string
  /** names and why, as far as they are named */
  readonly missed: readonly string[]
  readonly moreMissed: boolean
  /** absent where nobody is to be sent it again */
  readonly left: WaysLeft | undefined
}

/** What a sender sees of whom they may write to. */
export interface AudienceSearch {
  /** what they have written; empty where everything is shown */
  readonly query: string
  readonly found: number
  readonly page: number
  readonly pages: number
  /** the names of who is chosen */
  readonly chosen: readonly string[]
  /** of the message: what they write may be meant as one where there is none */
  readonly hasText: boolean
}

export interface Words {
  readonly commands: Readonly<Record<Command, string>>
  readonly buttons: {
    readonly group: (name: string, size: number) => string
    readonly cohort: (name: string, groups: number) => string
    readonly topic: (name: string, size: number) => string
    readonly quiet: (hours: Hours) => string
    readonly chosen: (label: string) => string
    readonly earlier: string
    readonly further: string
    readonly showAll: string
    readonly done: (chosen: number) => string
    readonly drop: string
    readonly sendNow: string
    readonly schedule: string
    readonly sendAnyway: string
    readonly sendWaiting: string
    readonly cancelWaiting: string
    readonly later: string
    readonly now: string
    readonly audience: string
    readonly text: string
    readonly template: string
    readonly unlink: string
    readonly keep: string
    /** those of them who would be sent it, and all of them */
    readonly again: (getting: number, of: number) => string
    readonly toEverybody: string
    readonly toMissed: (people: number) => string
    readonly move: string
    readonly cancel: string
    readonly stop: string
    readonly language: string
  }

  readonly welcome: (name: string, maySend: boolean) => string
  readonly stranger: string
  readonly linked: (name: string) => string
  /** somebody who is not in the list has proved their contact */
  readonly applied: (name: string) => string
  readonly tooManyApplications: string
  readonly wrongCode: string
  /** a contact of an operator or admin is not moved by a code */
  readonly unlinkFirst: string
  readonly tooManyCodes: (minutes: number) => string
  readonly stopped: string
  readonly startedAgain: string
  readonly stillStopped: string
  readonly mayNotSend: string
  readonly help: (maySend: boolean) => string
  readonly onlyText: string
  readonly outOfDate: string
  readonly olderText: string
  readonly confirmed: (moment: string) => string
  readonly notForYou: string
  readonly pressAgain: string
  readonly trouble: string
  /** by the code of the problem */
  readonly refused: (code: string) => string
  readonly dropped: string
  readonly nothingToDrop: string
  readonly kept: string
  readonly languageSet: string

  readonly whom: (search: AudienceSearch) => string
  readonly noGroups: string
  readonly chooseSomebody: string
  readonly whatText: (to: readonly string[]) => string
  readonly nobodyInThere: string
  readonly whichTemplate: (page: number, pages: number) => string
  readonly noTemplates: string
  readonly askField: (label: string, example: string | undefined) => string
  readonly valueTooLong: (most: number) => string
  /** so many people have no value of their own */
  readonly noValue: (people: number) => string
  readonly preview: (shown: Preview) => string
  readonly unreachable: Readonly<Record<Unreachable, string>>

  readonly askWhen: (zone: string) => string
  readonly askBack: (when: Extract<When, { ask: string }>, moment: (at: number) => string) => string

  readonly accepting: string
  readonly progress: (history: HistoryView, moment: (at: number) => string) => string
  readonly outcome: (outcome: Outcome) => string
  /** whom it is for, and what it says */
  readonly written: (to: readonly string[], text: string) => string
  /** of a message that was over, and somebody seemed to have it who does not */
  readonly worse: (text: string, sentence: string) => string
  readonly quota: (again: string) => string
  readonly audienceChanged: string
  readonly sameAgain: (sent: string, people: number) => string
  readonly notSentInTime: string
  readonly noLongerYours: string

  readonly limits: (limits: LimitsView, moment: (at: number) => string) => string
  /** @param joined what the topics are called that one is in */
  readonly topics: (joined: readonly string[], page: number, pages: number) => string
  readonly noTopics: string
  /** @param off types that are switched off @param mandatory what comes all the same */
  readonly types: (off: readonly string[], mandatory: readonly string[], page: number, pages: number) => string
  readonly nothingToMute: string
  readonly askUnlink: string
  readonly unlinked: string
  readonly unlinkOnPage: string
  readonly noHistory: string
  readonly history: (lines: readonly string[]) => string
  /** in place of the text of a message that was cancelled before anyone got it */
  readonly textGone: string
  readonly historyLine: (when: string, history: HistoryView, text: string, to: readonly string[]) => string
  readonly askToCancel: (text: string) => string
  /** whom a message did not reach has it now */
  readonly nobodyMissed: string
  readonly askWhomAgain: (text: string) => string
  readonly pick: Readonly<Record<Picked, string>>
  readonly nothingToPick: Readonly<Record<Picked, string>>
  readonly cancelled: (outcome: 'cancelled' | 'stopping') => string
  /** 0: nobody waits any more */
  /** @param inQuietHours those of the fleet are kept no more; people's own are */
  readonly sentToWaiting: (people: number, inQuietHours: boolean) => string
  readonly cancelledForWaiting: (people: number) => string
  readonly rescheduled: (moment: string) => string
}

/** `суббота, 21 ноября в 8:30`, on the clock of the zone. */
export function momentIn(language: Language, timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const withYear = new Intl.DateTimeFormat(language, {
    timeZone,
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  const farMs = 300 * 86_400_000
  return (at) => (Math.abs(at - Date.now()) > farMs ? withYear : format).format(at)
}

/** `21 нояб., 08:30`: as short as a day and a time can be; `21 нояб., 08:30:05` where the second is asked for. */
export function shortMomentIn(language: Language, timeZone: string): (at: number, toTheSecond?: boolean) => string {
  const shown: Intl.DateTimeFormatOptions = {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }
  const format = new Intl.DateTimeFormat(language, shown)
  const precise = new Intl.DateTimeFormat(language, { ...shown, second: '2-digit' })
  return (at, toTheSecond) => (toTheSecond ? precise : format).format(at)
}

/** Why somebody cannot be reached on a channel, as a receipt would say it. */
export function unreachableIn(language: Language): Words['unreachable'] {
  const of = (reason: Unreachable) => unreachableWords(wordsIn(language), reason)
  return Object.fromEntries(unreachableReasons.map((reason) => [reason, of(reason)])) as Words['unreachable']
}

/** With the sender line, as it is read here, or on another channel where none is sent here. */
export const asRead = ({ senderLines }: RehearsalView, text: string): string =>
  below(senderLines.telegram ?? Object.values(senderLines)[0] ?? '', text)

/** Cut to so many characters, at whole ones. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
