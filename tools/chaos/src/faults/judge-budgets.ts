/** What budgets of a day and of a month allow, by what the SMS centre has taken: never more, and less only where nobody knows what became of an SMS. */

/** Of one sender, since their day and the month began; each SMS has one part. */
export interface Spent {
  readonly sender: string
  /** SMS that the centre has taken */
  readonly taken: number
  /** of those it has not taken: whose receipt says that it may have, or that an attempt failed */
  readonly doubtful: number
}

export interface BudgetLimits {
  /** of each sender */
  readonly day: number
  readonly month: number
}

/** More was asked for, when nothing else went wrong, than is left of both. @returns what is wrong, in words */
export function judgeBudgets(spent: readonly Spent[], { day, month }: BudgetLimits): string[] {
  const taken = spent.reduce((sum, each) => sum + each.taken, 0)
  const accounted = spent.reduce(
    (sum, each) => sum + Math.max(each.taken, Math.min(each.taken + each.doubtful, day)),
    0,
  )
  const most = Math.min(month, spent.length * day)
  return [
    ...spent
      .filter((each) => each.taken > day)
      .map((each) => `budgets: ${each.taken} SMS of ${each.sender} were taken in a day that has ${day}`),
    ...(taken > month ? [`budgets: ${taken} SMS were taken in a month that has ${month}`] : []),
    ...(accounted < most
      ? [
          `budgets: ${taken} SMS were taken of ${most}; of ${accounted - taken} more nobody knows, and the rest was refused`,
        ]
      : []),
  ]
}
