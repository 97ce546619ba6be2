/** What is left of the budgets that somebody's SMS count under. */
import { type Budget, type BudgetView, budgetsFor, dayBudgetOf } from '@courier-fleet/api-types'
import type { Principal } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import { type LiveSettings, type MonthBudget, type Redis, readBudgets, readMonthBudget } from '@courier-fleet/store'
import { isPaid } from '../plan/paid-count.ts'
import type { Rules } from './rules.ts'

interface AskedOf {
  readonly type?: string | undefined
  /** undefined: those in use */
  readonly channels?: readonly string[] | undefined
}

export interface BudgetViews {
  /** Whether any holds for a message of this sender. */
  hold(by: Principal, asked?: AskedOf): boolean
  /** Those that hold for a message of this sender; none where it goes by no channel that is paid by the part. */
  of(by: Principal, asked?: AskedOf): Promise<BudgetView[]>
  /** By which role a day of theirs is limited, their own where it has a budget: that is kept with the message. */
  roleIn(by: Pick<Principal, 'role' | 'ownRole'>): string | undefined
  /** The fleet's; undefined where none is set. */
  month(): Promise<MonthBudget | undefined>
}

interface BudgetViewsDeps {
  readonly redis: Redis
  readonly settings: Pick<LiveSettings, 'current'>
  readonly clock: Clock
  readonly rules: Pick<Rules, 'timeZone'>
}

export function createBudgetViews({ redis, settings, clock, rules }: BudgetViewsDeps): BudgetViews {
  const moment = () => ({ nowMs: clock.now(), timeZone: rules.timeZone })
  function roleIn({ role, ownRole = role }: Pick<Principal, 'role' | 'ownRole'>): string | undefined {
    const { budgets } = settings.current()
    return [ownRole, role].find((each) => dayBudgetOf(budgets, each))
  }
  function held(by: Principal, { type, channels }: AskedOf = {}): Budget[] {
    if (channels && !channels.some(isPaid)) return []
    return budgetsFor(settings.current().budgets, { role: roleIn(by), type })
  }
  return {
    hold: (by, asked) => held(by, asked).length > 0,
    async of(by, asked) {
      const budgets = held(by, asked)
      return budgets.length === 0 ? [] : readBudgets(redis, budgets, by.owner, moment())
    },
    roleIn,
    month: () => readMonthBudget(redis, settings.current().budgets, moment()),
  }
}
