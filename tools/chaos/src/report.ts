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

/** What the oracle knows: from the stand-ins' logs of what they accepted and from the public API, nothing else. */
export interface Verdict {
  readonly messages: number
  /** recipients of those messages, each counted once a channel it was meant for */
  readonly recipients: number
  readonly lost: number
  readonly toldFalsely: number
  /** people shown the same message more than once; a resend the provider folds is none */
  readonly duplicated: { readonly telegram: number; readonly vk: number; readonly sms: number }
  /** told as `unknown`, each of them listed in its history */
  readonly unknown: { readonly telegram: number; readonly vk: number; readonly sms: number }
  readonly ledgerImbalances: number
  /** start − due of every message that started, ms; null when none did */
  readonly startLatenessMs: { readonly p50: number; readonly p99: number; readonly max: number } | null
  /** the first hundred, in the order they were found */
  readonly violations: readonly Violation[]
}
