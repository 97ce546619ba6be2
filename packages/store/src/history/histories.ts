/** What the queue, the tracker and the command line may do with histories. Implemented by create-histories.ts on the scripts of lua/. */
import type {
  AboutMessage,
  Acceptance,
  Ceiling,
  Confirm,
  ConfirmationFilter,
  FlowRow,
  FlowStage,
  HeldCause,
  HistoryKey,
  HistoryRef,
  HistoryState,
  HistoryView,
  MessageClass,
  MessageData,
  MessageFile,
  MessageRules,
  MessageSteps,
  PeopleClass,
  Personal,
  Plan,
  Reason,
  ReceiptState,
  ReceiptView,
  Recheck,
  SenderLine,
} from '@courier-fleet/api-types'
import type { AcceptedMessage } from './accepted-message.ts'
import type { ConfirmedBy } from './confirmations.ts'
import type { NewText } from './correct.ts'
import type { Counting } from './count-people.ts'
import type { Glance } from './glance.ts'
import type { HangsOn, Merge, Put } from './history-scripts.ts'
import type { ListWindow } from './list-newest.ts'
import type { UsedTemplate, WhoseOnline } from './message-record.ts'
import type { Retry } from './not-taken.ts'
import type { PackedAudience } from './packed-audience.ts'
import type { Placed } from './placed.ts'
import type { SentTo } from './sent-to.ts'
import type { Snapshot } from './snapshot.ts'
import type { Standings } from './standings.ts'
import type { UnknownReceipts } from './unknown-receipts.ts'

export interface PutInput {
  readonly ref: HistoryRef
  /** as Histories.place() says, of one whose id was derived: nothing new is accepted where another shard is meant by now; absent for all others */
  readonly laidBy?: number | undefined
  /** true: the key was issued by issue() and must be there; false: issue and put in one step (POST /v1/messages) */
  readonly issued: boolean
  /** SHA-256 of the canonical body: the same again is a repeat, another is a conflict */
  readonly digest: string
  readonly source: string
  readonly text: string
  /** absent: the fleet's own words, and those of systems */
  readonly senderLine?: SenderLine | undefined
  readonly subject?: string | undefined
  /** what couriers put where the text says `secretMark`; kept only until the message is over */
  readonly secret?: string
  /** `<person>:<thing>` of a reminder: of those a sender has one at a time, in the shard of `ref` */
  readonly about?: string | undefined
  /** the event it hangs on, in the shard of `ref` */
  readonly event?: HangsOn | undefined
  readonly to: readonly string[]
  readonly channels?: readonly string[]
  /** instead of `channels`: some after the others */
  readonly steps?: MessageSteps | undefined
  readonly class: MessageClass
  /** as rulesIn() gives them: absent where it says nothing */
  readonly rules?: MessageRules | undefined
  /** of its type: who is told of it so long after it was due is late; absent where the type has none */
  readonly deadlineMs?: number | undefined
  readonly online?: WhoseOnline | undefined
  /** asked right before it is sent */
  readonly recheck?: Recheck | undefined
  /** its people are asked to confirm it */
  readonly confirm?: Confirm | undefined
  /** what makes its text another for each */
  readonly personal?: Personal | undefined
  /** whose text it is */
  readonly template?: UsedTemplate | undefined
  /** what its SMS may come to */
  readonly ceiling?: Ceiling | undefined
  /** of the sender, where a day of theirs has a budget */
  readonly role?: string | undefined
  /** that go with it; kept for longer than it is sent */
  readonly files?: readonly MessageFile[] | undefined
  /** for programs, beside the text */
  readonly data?: MessageData | undefined
  /** who is sent it when, as the rules said; absent where none holds for it */
  readonly plan?: Plan | undefined
  /** sorted and unique; many are packed, as Directory.expandMany returns them */
  readonly audience: readonly string[] | PackedAudience
  /** Unix ms; 0 = now, by Redis's clock */
  readonly dueMs: number
  /** absent for one that goes by itself */
  readonly merge?: Merge | undefined
  /** instead of `dueMs`: after its acceptance, by Redis's clock */
  readonly delayMs?: number | undefined
  /** Unix ms; 0 = a day after due */
  readonly expiresMs: number
  /** from `dueMs` to `expiresMs`, where its sender has not said when: moved, it expires so long after its new time */
  readonly lastsMs?: number | undefined
}

export interface AcceptedBody {
  /** of the body; absent when nothing was put */
  readonly digest?: string
  /** Unix ms */
  readonly cancelledMs?: number
}

/** Of one person, in one message. */
export interface PersonReceipt {
  readonly state: HistoryState
  /** of the message */
  readonly text: string
  readonly personal?: Personal | undefined
  /** what it asks to be confirmed with */
  readonly asks: Confirm | undefined
  /** number of its text */
  readonly version: number
  readonly receipt: ReceiptView
}

export interface ReceiptPage {
  /** first ordinal */
  readonly from: number
  readonly limit: number
  /** only recipients with this state (on `channel`, or on any channel) */
  readonly state?: ReceiptState
  readonly channel?: string
  /** only people who are in this class, by all their receipts or by that on `channel` */
  readonly class?: PeopleClass
  /** only people who have confirmed it, or have not */
  readonly confirmed?: ConfirmationFilter
  /** of these people, which are looked for */
  readonly whom?: (people: readonly string[]) => Promise<readonly boolean[]>
  /** what they are called, in their order; nobody is named when absent */
  readonly namesOf?: (people: readonly string[]) => Promise<readonly (string | undefined)[]>
  /** only recipients with such a receipt, on `channel` or on any channel */
  readonly fits?: (receipt: ReceiptGlance) => boolean
}

/** The little of a receipt by which people are looked for. */
export interface ReceiptGlance {
  readonly state: ReceiptState
  readonly reason?: Reason | undefined
  /** when it came to this state, Unix ms; absent while it is pending */
  readonly at?: number | undefined
}

export interface FlowPage {
  /** first ordinal */
  readonly from: number
  readonly channel?: string
  /** only people who are at this stage, on `channel` or on any */
  readonly stage?: FlowStage
}

export interface Recount {
  readonly channel: string
  readonly ledger: Record<ReceiptState, number>
  readonly bytes: Record<ReceiptState, number>
  readonly balanced: boolean
}

export interface Histories {
  issue(sender: string): Promise<HistoryKey>
  /**
   * Accepts a message: history, audience, delivery and due entry in one atomic step.
   * @throws Problem 404 `unknown-key` (not issued, or lapsed) · 409 `another-body` `cancelled`
   */
  put(input: PutInput): Promise<Put>
  /** Accepts many, each for itself as put() would. @returns of each, in order, what put() would return or throw */
  putMany(inputs: readonly PutInput[]): Promise<(Put | Error)[]>
  /** Reads a history once, in one round trip. `undefined` when there is no such history. */
  snapshot(ref: HistoryRef): Promise<Snapshot | undefined>
  /** The history as the API shows it; its people are counted as the snapshot is, unless `recent` does. */
  view(snapshot: Snapshot, how?: Counting): Promise<HistoryView>
  /** What its acceptance was answered with, as it is now. `undefined` when nothing was put under this key. */
  acceptance(ref: HistoryRef): Promise<Acceptance | undefined>
  /** As peopleWithout() of known-people.ts: whoever is not known to have it, or was not reached. */
  peopleWithout(snapshot: Snapshot, kind: AboutMessage): Promise<PackedAudience | undefined>
  /** As peopleReached() of known-people.ts: everyone who is known to have got something since then. */
  peopleReached(sender: string | undefined, sinceMs: number): Promise<PackedAudience | undefined>
  /** What a message was addressed to; nothing of one that was cancelled before anybody got it. */
  addressedTo(snapshot: Snapshot): readonly string[]
  /** Rows in ordinal order, without names; `next` is the ordinal to go on from, absent at the end. */
  receipts(snapshot: Snapshot, page: ReceiptPage): Promise<{ rows: ReceiptView[]; next?: number }>
  /** As receiptsOfPerson() of receipts-of-person.ts: those of one person, of each message in order. */
  ofPerson(refs: readonly HistoryRef[], person: string): Promise<(PersonReceipt | undefined)[]>
  /** Which of these people any message names that was accepted since, Unix ms: one that is for them, or of theirs. */
  namedSince(people: readonly string[], sinceMs: number): Promise<ReadonlySet<string>>
  /** What of the message decides who is sent it when; undefined where nothing was put. */
  message(snapshot: Snapshot): AcceptedMessage | undefined
  /** How far people have come, in ordinal order, of some thousands at a time; `next` is absent at the end. */
  flow(snapshot: Snapshot, page: FlowPage): Promise<{ rows: FlowRow[]; next?: number }>
  /** How many have come how far: by channel and nine digits. */
  countFlows(snapshot: Snapshot): Promise<Record<string, Record<string, number>>>
  /** Of whom readStandings() tells. */
  standings(snapshot: Snapshot): Standings
  /** How everybody stands and since when, as standings.ts packs it, of a block that begins with this ordinal. */
  readStandings(snapshot: Snapshot, standings: Standings, from: number): Promise<Buffer>
  /** Whether it was cancelled, and nobody has it, may have it or will get it. */
  wasTakenBack(ref: HistoryRef): Promise<boolean>
  /** `undefined` when there is no such history. */
  state(ref: HistoryRef): Promise<HistoryState | undefined>
  /** Where a history with an id that was derived lies, or is to lie. @param together as newHistoryRef() has it */
  place(sender: string, id: string, together?: string): Promise<Placed>
  /** The same of a reminder. @param about `<person>:<thing>`. @param idAfter its id, by that of the latest about it, or empty */
  placeReminder(sender: string, about: string, idAfter: (latest: string) => string): Promise<Placed>
  /** The reminder of this sender about it, in this shard, unless it was cancelled. */
  reminder(like: HistoryRef, about: string): Promise<HistoryRef | undefined>
  /** What was put under this key, and whether it was cancelled; also of a key under which nothing was. */
  accepted(ref: HistoryRef): Promise<AcceptedBody>
  /**
   * @param unstarted it is left alone once it has started: 409 `already-started`
   * @returns `cancelled` when nobody got it or will, else `stopping`; the same when repeated. @throws Problem 404 · 409 `already-settled`
   */
  cancel(ref: HistoryRef, by: string, unstarted?: boolean): Promise<'cancelled' | 'stopping'>
  /** As recall() of recall.ts: cancels it, and takes it from whoever has it, where the channel can. @throws Problem 404 · 409 */
  recall(ref: HistoryRef, by: string): Promise<'cancelled' | 'withdrawing'>
  /** Says of recipients who are unknown what became of them. @returns how many were. @throws Problem 404 · 422 */
  resolve(snapshot: Snapshot, receipts: UnknownReceipts, outcome: 'delivered' | 'failed'): Promise<number>
  /** Has recipients sent to again who are unknown. @returns how many were. @throws Problem 404 · 409 · 422 */
  resend(snapshot: Snapshot, receipts: UnknownReceipts): Promise<number>
  /** As tellByVoice() of told-by-voice.ts: somebody was told by voice, or that is taken back. */
  tellByVoice(snapshot: Snapshot, person: string, by: string | undefined): Promise<ReceiptView['toldByVoice']>
  /** As confirm() of confirmations.ts: this person has confirmed it. */
  confirm(snapshot: Snapshot, by: ConfirmedBy): Promise<NonNullable<ReceiptView['confirmed']>>
  /** As correct() of correct.ts: gives it another text, and begins to correct whoever has an older one. @returns its version. @throws Problem 404 · 409 · 422 */
  correct(snapshot: Snapshot, how: NewText): Promise<number>
  /** Has those tried again whose endpoint took it in no try. @returns how many there were. @throws Problem 404 · 409 */
  retry(snapshot: Snapshot, how: Retry): Promise<number>
  /** Lets it go out though its sender may send less than when it was accepted. @throws Problem 404 · 409 `already-started` */
  release(ref: HistoryRef, by: string): Promise<boolean>
  /** As callForward() of held.ts: those who wait for this cause are decided anew now; with `by` it does not hold them any more. */
  callForward(ref: HistoryRef, cause: HeldCause, by?: string): Promise<number>
  /** As cancelHeld() of held.ts: those who wait for this cause are cancelled, and nobody else. */
  cancelHeld(ref: HistoryRef, cause: HeldCause, by: string): Promise<number>
  /** Who was sent it on a channel, or may have been. */
  readonly sentTo: SentTo
  /** @param plan of the new time. @throws Problem 404 · 409 `already-started` */
  reschedule(ref: HistoryRef, dueMs: number, plan?: Plan): Promise<void>
  /** Newest first, of everybody but the fleet itself where no sender is named: so many at least, of before that time, Unix ms. */
  list(sender: string | undefined, before: number, count: number): Promise<ListWindow>
  /** Those that wait for an operator, the last that came to wait first. */
  listHeld(sender: string | undefined, before: number): Promise<ListWindow>
  /** What lists are filtered by, in order; with the text and whom it is for where that is asked. */
  glances(refs: readonly HistoryRef[], how: { readonly withText: boolean }): Promise<(Glance | undefined)[]>
  /** As the API shows them, in order, without those that are not there any more. */
  views(refs: readonly HistoryRef[]): Promise<HistoryView[]>
  /** The ledger beside a count of the bytes it must agree with. */
  recount(ref: HistoryRef): Promise<Recount[]>
}
