/** Whom one message is for, once its tokens are read. */
import type { Problem } from '@courier-fleet/api-types'
import type { PackedAudience } from '@courier-fleet/store'

export interface Addressees {
  /** those the message names; where it only narrows, those of the message that it goes out about again */
  readonly named: readonly string[]
  /** as it is kept: what the message says, and `named` where it only narrows, so that one sees later whom it was for */
  readonly written: readonly string[]
  /** where it is for URLs, which are all it is for: no directory is asked then */
  readonly urls?: PackedAudience
  /** Of a problem with one of `named`, the same in the words of the message; absent where these are the same. */
  readonly told?: (problem: Problem) => Problem
  /** Absent where all of them are left. @throws Problem 422 `too-much-to-read` */
  readonly narrow?: (audience: PackedAudience) => Promise<PackedAudience>
}

export const asNamed = (to: readonly string[]): Addressees => ({ named: to, written: to })
