/** What the SMS of many messages may come to together: those of one sender in a day, and those of the whole fleet in a month. */
import { z } from 'zod'
import { type Ceiling, ceiling, ceilingView, limitOf } from './ceiling.ts'
import { count, roleId, typeId } from './fields.ts'
import { defaultType, serviceType } from './message-rules.ts'
import { isBuiltInRole } from './roles.ts'

const ofMonth = 'what the SMS of the whole fleet may come to in a calendar month; null: as much as there is'
const ofDay = 'what the SMS of one sender may come to in a day, by their role; whose role is absent has no such budget'

/** As operators set it. Days and months are those of the fleet's time zone. */
export const budgets = z
  .strictObject({
    month: ceiling.nullable().default(null).describe(ofMonth),
    day: z
      .record(roleId, ceiling)
      .default({})
      .describe(ofDay)
      .meta({ examples: [{ trainer: { parts: 200 } }] }),
    exempt: z
      .array(typeId)
      .max(200)
      .default([])
      .describe('types whose messages no budget holds for, and none counts: alarms, say. `service` is one always')
      .meta({ examples: [['alarm']] }),
  })
  .meta({
    examples: [
      { month: { millionths: 10_000_000_000, currency: 'RUB' }, day: { trainer: { parts: 200 } }, exempt: ['alarm'] },
    ],
  })
export type Budgets = z.infer<typeof budgets>

/** In the order in which they are reserved. */
export const budgetPeriods = ['day', 'month'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

export const budgetView = ceilingView
  .omit({ spent: true })
  .extend({
    of: z.enum(budgetPeriods).describe('`day`: of the sender, today; `month`: of the whole fleet, this month'),
    spent: count.describe('what of it is spent or reserved, likewise'),
    left: count.describe('what is left of it, likewise'),
  })
  .describe('a budget that holds now')
export type BudgetView = z.infer<typeof budgetView>

export interface Budget {
  readonly of: BudgetPeriod
  readonly limit: Ceiling
}

interface Budgeted {
  /** of the sender; undefined where no day of theirs is limited */
  readonly role: string | undefined
  readonly type?: string | undefined
}

/** Of this role; undefined where it has none. An id may be a name that every object has, such as `constructor`. */
export const dayBudgetOf = ({ day }: Pick<Budgets, 'day'>, role: string): Ceiling | undefined =>
  Object.hasOwn(day, role) ? day[role] : undefined

/** Those that hold for the SMS of a message; none for the fleet's own words. */
export function budgetsFor(budgets: Budgets, { role, type = defaultType }: Budgeted): Budget[] {
  const { month, exempt } = budgets
  if (type === serviceType || exempt.includes(type)) return []
  const ofSender = role && dayBudgetOf(budgets, role)
  return [
    ...(ofSender ? [{ of: 'day' as const, limit: ofSender }] : []),
    ...(month ? [{ of: 'month' as const, limit: month }] : []),
  ]
}

/** What counts under them is told apart by this: of a budget in another unit nothing is spent yet. */
export const unitOf = (limit: Ceiling): string => ('parts' in limit ? 'parts' : limit.currency)

export const budgetViewOf = ({ of, limit }: Budget, spent: number): BudgetView => ({
  of,
  ...limit,
  spent,
  left: Math.max(0, limitOf(limit) - spent),
})

interface Known {
  readonly currency: string | undefined
  readonly types: readonly string[]
  readonly roles: readonly string[]
}

/** Why they cannot hold as they are: prices in another currency, or a type or role that nobody knows. @returns path and words of each */
export function faultsOf(
  { month, day, exempt }: Budgets,
  { currency, types, roles }: Known,
): { readonly path: (string | number)[]; readonly message: string }[] {
  const limits: [path: string[], limit: Ceiling][] = [
    ...(month ? [[['month'], month] as [string[], Ceiling]] : []),
    ...Object.entries(day).map(([role, limit]): [string[], Ceiling] => [['day', role], limit]),
  ]
  const unpriced = limits.flatMap(([path, limit]) => {
    if ('parts' in limit || limit.currency === currency) return []
    const how = currency ? `say it in ${currency} or in parts` : 'set the prices first (`tariffs`), or say it in parts'
    return [{ path: [...path, 'currency'], message: `no SMS has a price in ${limit.currency}: ${how}` }]
  })
  const unknown = exempt.flatMap((type, at) =>
    type === defaultType || types.includes(type)
      ? []
      : [{ path: ['exempt', at], message: `there is no type "${type}": take it out of \`budgets.exempt\`` }],
  )
  const nobody = Object.keys(day).flatMap((role) =>
    isBuiltInRole(role) || roles.includes(role)
      ? []
      : [{ path: ['day', role], message: `there is no role "${role}": take it out of \`budgets.day\`` }],
  )
  return [...unpriced, ...unknown, ...nobody]
}
