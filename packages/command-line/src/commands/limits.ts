import { budgetSpentWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'

export const limits = defineCommand({
  name: 'limits',
  summary: 'How many messages you may still send today, and what your SMS may cost',
  options: {},
  exits: { 0: 'one or more, or no limit', 1: 'none' },
  async execute({ answer, client, look }) {
    const limits = await client().limits()
    const { limit, used, left, resetsAt, budgets = [] } = limits
    answer(limits, () =>
      [
        limit === null
          ? 'No limit.'
          : `${used} of ${limit} used; ${left} left until ${resetsAt && look.moment(resetsAt)}`,
        ...budgets.map((each) => `${budgetSpentWords('en', each)}.`),
      ].join('\n'),
    )
    return left === 0 ? 1 : 0
  },
})
