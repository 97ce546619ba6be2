/** Whom a message will be sent to, in words: whether it arrives, nobody knows yet. */
import type { RehearsalView } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { neverIn } from './plan-words.ts'
import { wordsIn } from './words-in.ts'

export interface ReachWords {
  /** `We will send it to 52 of 55 people · 3 people will not get it` */
  readonly sentence: string
  /** where somebody is in more than one of the groups */
  readonly overlap: string | undefined
}

/** People whom it is sent to, at some time. A plan of a sample says of shares, not of people; of URLs there is none. */
export const gettingIn = ({ plan, people, reachable }: RehearsalView): number =>
  plan && plan.sample === undefined ? people - neverIn(plan) : reachable

/** @param groups how many were chosen */
export function reachWords(language: Language, view: RehearsalView, groups: number): ReachWords {
  const { reach } = wordsIn(language)
  const { people, overlap } = view
  const getting = gettingIn(view)
  const twice = groups === 2 ? reach.inBoth : reach.overlap
  const never = getting < people ? [reach.never(people - getting)] : []
  return {
    sentence: getting === 0 ? reach.nobody(people) : [reach.sent(getting, people), ...never].join(' · '),
    overlap: overlap > 0 ? twice(overlap) : undefined,
  }
}
