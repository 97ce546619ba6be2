import type { ServiceView } from '@courier-fleet/api-types'
import { budgetSpentWords } from '@courier-fleet/words/budget-spent-words'
import { useSignal } from '@preact/signals'
import { useStores } from '../../stores.ts'
import { useBudgetTexts } from '../../texts/budgets.ts'
import { BudgetsDialog } from './budgets-dialog.tsx'

const whatToDo = {
  ru: {
    'budget-low': 'Увеличьте бюджет или отправляйте меньше SMS.',
    'budget-gone': 'SMS людям не уходят. Увеличьте бюджет и попросите отправить ещё раз тем, до кого не дошло.',
  },
  en: {
    'budget-low': 'Raise the budget, or send less by SMS.',
    'budget-gone': 'People are sent no SMS. Raise the budget, and have messages sent again to whom they did not reach.',
  },
} as const

/** What is spent of the month, what to do where that is most of it, or all; and the dialog in which budgets are set. */
export function ServiceBudget({ service }: { service: ServiceView }) {
  const said = useBudgetTexts()
  const isOpen = useSignal(false)
  return (
    <>
      <Spent service={service} />
      <p class="actions">
        <button type="button" onClick={() => (isOpen.value = true)}>
          {said.open}
        </button>
      </p>
      {isOpen.value && <BudgetsDialog onClose={() => (isOpen.value = false)} />}
    </>
  )
}

function Spent({ service: { budget, alarms } }: { service: ServiceView }) {
  const language = useStores().language.code.value
  if (!budget) return null
  const alarm = (['budget-gone', 'budget-low'] as const).find((kind) => alarms.some((each) => each.alarm === kind))
  return (
    <p class={alarm ? 'warn' : undefined}>
      {budgetSpentWords(language, budget)}.{alarm && ` ${whatToDo[language][alarm]}`}
    </p>
  )
}
