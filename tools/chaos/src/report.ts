import type { Channel } from './expectations.ts'

/** What a run of the fault suite has found; printed with `--json`. */
export interface Violation {
  readonly kind: 'lost' | 'told-falsely' | 'duplicated' | 'imbalance'
  /** history key */
  readonly message: string
  readonly channel?: string
  readonly person?: string
  /** one sentence: what was said, and what was seen */
  readonly what: string
}

/** in a line */
export const violationText = ({ kind, message, channel, person, what }: Violation): string =>
  [`${kind}:`, message, channel, person, what].filter(Boolean).join(' ')

/** `GET /calls` of the sandbox */
export interface Calls {
  readonly came: number
  readonly repeated: number
  readonly changed: number
}

/** What became of the messages in steps, to be confirmed, corrected, withdrawn, merged and personal ones that have settled. */
export interface ShapedCounts {
  readonly messages: number
  readonly inSteps: number
  /** people who were not sent the next step, for they were reached */
  readonly spared: number
  readonly confirmed: number
  /** of them those who were told so */
  readonly noted: number
  readonly corrections: number
  readonly edited: number
  /** of them those who were told by a message of its own, too */
  readonly alsoTold: number
  readonly followedUp: number
  /** who is listed as having, or perhaps having, the older text alone */
  readonly uncorrected: number
  readonly recalls: number
  readonly deleted: number
  /** who is listed as still having it */
  readonly remaining: number
  /** messages that went out with another as one, each channel counted */
  readonly joined: number
  readonly personal: number
}

/** What the oracle knows: from the stand-ins' logs of what they accepted and from the public API, nothing else. */
export interface Verdict {
  readonly messages: number
  /** recipients of those messages, each counted once a channel it was meant for */
  readonly recipients: number
  readonly lost: number
  readonly toldFalsely: number
  /** people shown the same message more than once; a resend the provider folds is none */
  readonly duplicated: Readonly<Record<Channel, number>>
  /** told as `unknown`, each of them listed in its history */
  readonly unknown: Readonly<Record<Channel, number>>
  /** how often a message went on to somebody's next phone when the first had failed, and how many of them have it */
  readonly nextPhones: { readonly wentOn: number; readonly reached: number }
  /** of URLs: how many came, how many of them again, and how many of those were another than the one they repeat, the time and the signature apart */
  readonly calls: Calls
  readonly ledgerImbalances: number
  readonly shaped: ShapedCounts
  /** start − due of every message that started, ms; null when none did */
  readonly startLatenessMs: { readonly p50: number; readonly p99: number; readonly max: number } | null
  /** in the order they were found; the command prints the first hundred in words, and has all in a file */
  readonly violations: readonly Violation[]
}
