/** What is spent of the budgets that hold now: a hash for each day of a sender, and for each month of the fleet. */
import {
  type Budget,
  type BudgetPeriod,
  type Budgets,
  type BudgetView,
  budgetViewOf,
  limitOf,
  unitOf,
} from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

const dateForms = new Map<string, Intl.DateTimeFormat>()

/** `2026-09-01`, on the calendar of a zone. */
function dateOf(nowMs: number, timeZone: string): string {
  const form =
    dateForms.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  dateForms.set(timeZone, form)
  return form.format(nowMs)
}

export interface BudgetMoment {
  readonly nowMs: number
  /** of the fleet: whose midnight ends the day, and the month */
  readonly timeZone: string
}

/** @param sender whose day it is */
export function budgetKey({ of, limit }: Budget, sender: string, { nowMs, timeZone }: BudgetMoment): string {
  const day = dateOf(nowMs, timeZone)
  const unit = unitOf(limit)
  return keys.budget(of === 'day' ? `${sender}:day:${day}:${unit}` : `*:month:${day.slice(0, 7)}:${unit}`)
}

/** So long a hash is kept after it was written last, s: until nobody reserves or ends anything in it any more, and of a month a while to look at. */
export const budgetKeptS: Readonly<Record<BudgetPeriod, number>> = { day: 3 * 86_400, month: 70 * 86_400 }

/** In their order. */
export async function readBudgets(
  redis: Redis,
  budgets: readonly Budget[],
  sender: string,
  moment: BudgetMoment,
): Promise<BudgetView[]> {
  return Promise.all(
    budgets.map(async (budget) => {
      const spent = await redis.hget(budgetKey(budget, sender, moment), 'spent')
      return budgetViewOf(budget, Number(spent ?? 0))
    }),
  )
}

export interface MonthBudget extends BudgetView {
  /** somebody was refused for it, and it was not raised since */
  readonly isGone: boolean
}

/** The fleet's; undefined where none is set. */
export async function readMonthBudget(
  redis: Redis,
  { month }: Budgets,
  moment: BudgetMoment,
): Promise<MonthBudget | undefined> {
  if (!month) return undefined
  const budget: Budget = { of: 'month', limit: month }
  const [spent, refused] = await redis.hmget(budgetKey(budget, '', moment), 'spent', 'refused')
  const isGone = refused != null && Number(refused) >= limitOf(month)
  return { ...budgetViewOf(budget, Number(spent ?? 0)), isGone }
}
