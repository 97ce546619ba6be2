/**
 * What a channel must be able to do, and all it ever sees. An adapter knows its provider and nothing else: no Redis, no
 * leases, no history. Only the runner does.
 */
import type { MessageClass, MessageData, MessageFile, RefusalClass } from '@courier-fleet/api-types'
import type { Clock, Log } from '@courier-fleet/process'
import type { Readiness } from './readiness.ts'

/** What a program is told of a message beside its text, and by what it knows whose it is. */
export interface Envelope {
  /** absent where it is for a URL, and for nobody */
  readonly person?: string
  /** key of the message */
  readonly history: string
  /** when it was accepted, Unix ms */
  readonly createdMs: number
  /** number of the text; absent: it is the first */
  readonly version?: number
  readonly data?: MessageData
  /** whose the endpoint is, and its secrets */
  readonly of: string
  /** it is signed with each, the newest first; none: nothing can be signed */
  readonly secrets: readonly string[]
  /** when the breaker of the endpoint was seen closed, Unix ms; absent where it was not */
  readonly closedAtMs?: number
}

/** One recipient of a batch. */
export interface Item {
  /** of its message: what waits for the rate shares it by that */
  readonly class: MessageClass
  /** the contact's address in the channel's own form: Telegram user id, VK peer id, E.164 number */
  readonly address: string
  /** the whole text; the adapter splits what its channel cannot take in one piece, and never cuts */
  readonly text: string
  /** where the channel has one */
  readonly subject?: string | undefined
  /** that go with it, where the channel takes any; the others are links in the text. Those that its provider does not take the adapter puts below the text as links */
  readonly files?: readonly MessageFile[] | undefined
  /** what a one-click address of this message and recipient ends with, where the courier offers them */
  readonly oneClick?: string | undefined
  /** where the message asks to be confirmed and the courier can ask: what the button or link says, and what it carries */
  readonly confirm?: { readonly label: string; readonly token: string } | undefined
  /**
   * Idempotency key, 1 … 2^63-1. Derived from message, leg and (ordinal div keySpan): the same on every resend, in
   * every process. Where a text is split, derive part k's own key from it.
   */
  readonly key: bigint
  /** where the courier sends to programs */
  readonly envelope?: Envelope | undefined
  /** how often its endpoint has been asked in vain, in earlier waves; absent: not once */
  readonly triesBefore?: number
}

/** A message that somebody has, and what it is to say instead. */
export interface Edit extends Item {
  /** as the answer gave it: of a text in several parts all of them */
  readonly providerId: string
}

/** What became of one recipient; `throttled` is the provider's own word, or that of the rate. Expected outcomes are values, never exceptions. */
export type Outcome =
  /** the provider has accepted every part of it */
  | {
      readonly kind: 'sent'
      readonly providerId: string
      /** the form of the id that reports are looked for under, where that is not the id itself */
      readonly reportId?: string
      /** where there are several: the name of the account that took it, and whether it did so in the place of another */
      readonly by?: { readonly account: string; readonly isTakenOver: boolean }
    }
  /** the provider has certainly not accepted it, and will later: `account` holds up everyone, `recipient` only this one */
  | {
      readonly kind: 'throttled'
      readonly retryAfterMs: number
      readonly scope: 'account' | 'recipient'
      /** where there are several: the account that is held up */
      readonly account?: string
      readonly reason: string
      /** the provider has said nothing: this process had no time or room for it */
      readonly isOwn?: true
      /** the provider has taken some of its parts, and not all */
      readonly isPartlyTaken?: true
    }
  /**
   * Where each address is a provider of its own: its endpoint has not taken it, and is asked again in a later wave, until the message
   * expires. `wasAsked`: it was tried; not so where the endpoint is to be left alone for now.
   */
  | { readonly kind: 'not-taken'; readonly retryAfterMs: number; readonly detail: string; readonly wasAsked: boolean }
  /** It never left this process, for there is no way to the provider: the courier is not ready, and said so before this. */
  | { readonly kind: 'not-sent'; readonly why: string; readonly isPartlyTaken?: true }
  /**
   * The provider has certainly refused it. Any class but `refused` says that the address itself is of no use until the person
   * re-links; `detail` is the provider's code and words.
   */
  | {
      readonly kind: 'rejected'
      readonly class: RefusalClass
      readonly detail: string
      /** the provider has taken some of its parts, and not all */
      readonly isPartlyTaken?: true
    }
  /**
   * It was handed over and no answer came: it may have been accepted. `providerId` where the id does not come with the
   * answer: then a delivery report may still resolve it. `retryAfterMs` where resends are folded, and the next is for a later wave.
   */
  | { readonly kind: 'unknown'; readonly why: string; readonly providerId?: string; readonly retryAfterMs?: number }

/** What a provider says later of something it accepted. */
export interface DeliveryReport {
  /** the provider's message id in every form it may have been answered in (decimal, hex …); any match counts */
  readonly providerIds: readonly string[]
  /** `sent`: its answer came after it was called `unknown` */
  readonly state: 'sent' | 'delivered' | 'read' | 'failed'
  readonly reason?: string
  /** of `sent`: the id that the late answer gave, and the form of it that further reports are looked for under */
  readonly answered?: { readonly providerId: string; readonly reportId: string }
}

/** Shares a provider's rate between all processes of one account, and between the classes by their weights. */
export interface Pacer {
  /**
   * Resolves when `units` (calls, or messages: whatever the provider counts) of this class may go out; rejects only when aborted.
   * @param account where the courier has several
   */
  take(units: number, cls: MessageClass, signal: AbortSignal, account?: string): Promise<void>
}

/** What has become of a file that was to be given to a provider. */
export type Given =
  /** it has the file, and calls it this */
  | { readonly kind: 'given'; readonly reference: string }
  /** it certainly takes no such file: who is to have it is sent its link */
  | { readonly kind: 'refused'; readonly detail: string }
  /** not now: the outcome of whoever was to have it, none of whom was sent anything */
  | {
      readonly kind: 'later'
      readonly outcome: Extract<Outcome, { kind: 'throttled' | 'not-sent' }>
    }
  /** nobody knows: worth another try or two */
  | { readonly kind: 'failed'; readonly why: string }

/** Gives this file to the provider; never rejects. */
export type Give = (file: MessageFile, bytes: Buffer, signal: AbortSignal) => Promise<Given>

/** Gives files of messages to a provider: each once for all processes of the account, however many people it is for. */
export interface Uploads {
  /** Nobody waits for it any longer than `waitMs`: it goes on, and who asks again finds what has come of it. Never rejects. */
  upload(
    file: MessageFile,
    give: Give,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Exclude<Given, { kind: 'failed' }>>
  /** The provider does not know it by this reference any more: whoever asks next uploads it anew. Never rejects. */
  forget(file: MessageFile, reference: string): Promise<void>
}

export interface CourierDeps {
  readonly log: Log
  readonly clock: Clock
  readonly pacer: Pacer
  readonly uploads: Uploads
  /** hand every delivery report to this; resolves once it is recorded (acknowledge the provider after that) */
  readonly onReport: (receipt: DeliveryReport) => Promise<void>
}

/** One of several accounts behind a channel, each with a rate and pauses of its own. */
export interface Account {
  /** what people call it, such as `second` */
  readonly name: string
  /** as Courier.account */
  readonly account: string
  readonly rate?: Courier['rate']
  /** beginnings of the addresses that go by it first; none: all that no other names */
  readonly prefixes: readonly string[]
  /** who is to be sent to now may go by it */
  isInUse(): boolean
  state(): AccountState
  /** the latest time it was left alone that is over */
  lastLeftAlone(): { readonly since: number; readonly until: number; readonly why: string } | undefined
}

/** `left-alone`: it can be reached, and does not do its work; times in Unix ms */
export type AccountState =
  | { readonly is: 'works' }
  | { readonly is: 'not-connected' | 'left-alone'; readonly since: number; readonly why: string }

export interface Courier {
  readonly channel: string
  /** tells accounts apart in Redis keys and logs; derived from the token, never the token itself */
  readonly account: string
  /** where it has several, of which `account` is the first; one takes over what another certainly has not taken */
  readonly accounts?: readonly Account[] | undefined
  /** where it sends to: `sandbox` or `real`, said at start and on /v1/channels */
  readonly target: 'sandbox' | 'real'
  /** recipients of one send job, and of one send(), at most */
  readonly batchSize: number
  /** send jobs that may run at once in one process; of several the last is for urgent messages only */
  readonly concurrency: number
  /**
   * Recipients of one process that may be in doubt at once, at most: marked, and not yet written as answered. For a channel that
   * cannot fold resends it is the most that one crash leaves `unknown`. Recipients are then sent to
   * one by one, each as soon as there is a slot. At most batchSize; absent: a batch is sent at once.
   */
  readonly window?: number
  /** how many neighbouring ordinals share an idempotency key: VK takes one random_id for a chunk of 100 peers */
  readonly keySpan: number
  /**
   * What the account may send (all of them together, where there are several), for the pacer; absent, or without an end, = no limit known. Units go out evenly; with `slackMs` as the provider
   * counts them, at most so many within any `perMs` and `slackMs`: what is not used is made up for, and arriving unevenly does no harm.
   */
  readonly rate?: { readonly units: number; readonly perMs: number; readonly slackMs?: number } | undefined
  /** true when a resend with the same key is folded by the provider, so that an ambiguous recipient may be sent to again */
  readonly foldsResends: boolean

  /** true when the provider sends delivery reports later: whom its ids stand for is then kept for them */
  readonly givesReports?: boolean

  /** true while the provider tells up to which of its messages somebody has read: which ones they have not is then kept for that */
  readonly tellsRead?: boolean

  /** true when a message carries an address by which its recipient ends such messages with one click */
  readonly offersOneClick?: boolean

  /** how people are asked to confirm a message: by a button or a link that carries a token, or by a number in the text; absent where they cannot be */
  readonly asksBy?: 'button' | 'link' | 'number' | undefined

  /** true when it sends to programs: each item has an envelope then */
  readonly wantsEnvelopes?: true

  /** whether it can send now: while it cannot, the runner claims nothing, and another process of the channel has the work */
  readonly readiness: Readiness

  /** Connects and logs in; resolves when it is ready for the first time. Reconnects by itself ever after. */
  start(signal: AbortSignal): Promise<void>
  /** One outcome for each item, in order. Never rejects; bounded in time by the adapter's own deadlines (≤ 20 s). */
  send(items: readonly Item[], signal: AbortSignal): Promise<Outcome[]>
  /**
   * Changes messages that people have, where the channel can: one outcome for each, in order, as of send(). Done again it changes nothing, and says `sent`. What cannot be
   * edited any more is `rejected` as `refused`.
   */
  edit?(edits: readonly Edit[], signal: AbortSignal): Promise<Outcome[]>
  /**
   * Deletes messages that people have, at theirs, where the channel can; their new text is not looked at. Outcomes are as of edit(): what cannot be deleted any more is
   * `rejected` as `refused`, and what is gone already is `sent`.
   */
  recall?(messages: readonly Edit[], signal: AbortSignal): Promise<Outcome[]>
  /** Closes everything; may be called twice and before start(). */
  stop(): Promise<void>
}
