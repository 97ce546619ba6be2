import type { Budgets, RoleView, SettingsChanged, SettingsView } from '@courier-fleet/api-types'
import { moneyWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useBudgetTexts } from '../../texts/budgets.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'
import { useRoleNames } from '../use-role-names.ts'
import { type Amount, amountOf, amountOfDay, ceilingIn } from './budget-amount.ts'

interface Known {
  readonly view: SettingsView
  /** of those who send: a student cannot */
  readonly roles: readonly RoleView[]
}

/** What SMS may come to: set for the fleet and by role, each beside what it was, and undone again. */
export function BudgetsDialog({ onClose }: { onClose: () => void }) {
  const { api, messageTypes } = useStores()
  const words = useWords()
  const said = useBudgetTexts()
  const known = useSignal<Known | undefined>(undefined)
  const loading = useAsync(async () => {
    const [view, { roles }] = await Promise.all([api.settings(), api.roles(), messageTypes.load()])
    known.value = { view, roles: roles.filter(({ rights }) => rights !== 'student') }
  })
  useEffect(() => {
    loading.run()
  }, [])
  return (
    <Dialog title={said.title} onClose={onClose}>
      <p>{said.intro}</p>
      <Failure error={loading.error.value} retry={loading.run} />
      {known.value ? <BudgetsForm known={known.value} /> : loading.running.value && <p>{words.loading}</p>}
    </Dialog>
  )
}

function BudgetsForm({ known: { view, roles } }: { known: Known }) {
  const { api } = useStores()
  const roleNames = useRoleNames()
  const senders = roles.map(({ id }) => id)
  const said = useBudgetTexts()
  const before = useSignal<Pick<SettingsView, 'version' | 'settings'>>(view)
  const { budgets, tariffs } = before.value.settings
  const month = useSignal(amountOf(budgets.month))
  const day = useSignal(Object.fromEntries(senders.map((role) => [role, amountOfDay(budgets.day, role)])))
  const exempt = useSignal<readonly string[]>(budgets.exempt)
  const done = useSignal<{ said: string; undo?: number } | undefined>(undefined)
  const units = ['parts', ...(tariffs ? [tariffs.currency] : [])]

  function show(now: SettingsChanged, text: (version: number) => string, undo?: number) {
    before.value = now
    month.value = amountOf(now.settings.budgets.month)
    day.value = Object.fromEntries(senders.map((role) => [role, amountOfDay(now.settings.budgets.day, role)]))
    exempt.value = now.settings.budgets.exempt
    done.value = { said: text(now.version), ...(undo !== undefined && { undo }) }
  }
  const saving = useAsync(async () => {
    done.value = undefined
    const wanted = budgetsIn({ month: month.value, day: day.value, exempt: [...exempt.value] }, senders, budgets)
    if (!wanted) return
    const { version } = before.value
    const changed = await api.changeSettings(version, { budgets: wanted })
    if (changed.changes.length === 0) done.value = { said: said.unchanged }
    else show(changed, said.saved, version)
  })
  const undoing = useAsync(async (version: number) => {
    show(await api.restoreSettings(before.value.version, version), said.undone)
  })
  const undo = done.value?.undo
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.run()
      }}
    >
      <AmountField
        id="month"
        label={said.month}
        units={units}
        was={amountOf(budgets.month)}
        amount={month.value}
        onChange={(amount) => (month.value = amount)}
      />
      {roles.map(({ id: role, people }) => (
        <AmountField
          key={role}
          id={`day-${role}`}
          label={`${said.day(roleNames.nameOf(role))} (${said.people(people)})`}
          units={units}
          was={amountOfDay(budgets.day, role)}
          amount={day.value[role] as Amount}
          onChange={(amount) => (day.value = { ...day.value, [role]: amount })}
        />
      ))}
      {!tariffs && <p class="hint">{said.noPrices}</p>}
      <Exempt exempt={exempt.value} onChange={(types) => (exempt.value = types)} />
      <Failure error={saving.error.value ?? undoing.error.value} />
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={saving.running.value}>
          {said.save}
        </button>
        {undo !== undefined && (
          <button type="button" aria-disabled={undoing.running.value} onClick={() => undoing.run(undo)}>
            {said.undo}
          </button>
        )}
      </p>
      <p role="status">{done.value?.said}</p>
    </form>
  )
}

interface Wanted {
  readonly month: Amount
  readonly day: Readonly<Record<string, Amount>>
  readonly exempt: string[]
}

/** Of a role that does not send it stays as it is. @returns undefined where something is no amount */
function budgetsIn({ month, day, exempt }: Wanted, senders: readonly string[], before: Budgets): Budgets | undefined {
  const fleet = ceilingIn(month)
  const ofRoles = { ...before.day }
  for (const role of senders) {
    const each = ceilingIn(day[role] as Amount)
    if (each === undefined) return undefined
    if (each) ofRoles[role] = each
    else delete ofRoles[role]
  }
  return fleet === undefined ? undefined : { month: fleet, day: ofRoles, exempt }
}

interface AmountProps {
  readonly id: string
  readonly label: string
  readonly units: readonly string[]
  readonly was: Amount
  readonly amount: Amount
  readonly onChange: (amount: Amount) => void
}

/** How much of what, beside what it was where that is another. */
function AmountField({ id, label, units, was, amount, onChange }: AmountProps) {
  const { language } = useStores()
  const said = useBudgetTexts()
  const isChanged = was.text !== amount.text || (was.text !== '' && was.unit !== amount.unit)
  const words = ({ text, unit }: Amount) => {
    if (text === '') return said.none
    return unit === 'parts' ? `${text} ${said.parts}` : moneyWords(language.code.value, Number(text) * 1_000_000, unit)
  }
  return (
    <Field
      id={id}
      label={label}
      hint={isChanged ? said.was(words(was)) : undefined}
      error={ceilingIn(amount) === undefined ? said.wrong : undefined}
    >
      {(ids) => (
        <span class="duration">
          <input
            {...ids}
            inputMode="decimal"
            autocomplete="off"
            value={amount.text}
            onInput={(event) => onChange({ ...amount, text: event.currentTarget.value })}
          />
          <select
            aria-label={said.unit(label)}
            value={amount.unit}
            onChange={(event) => onChange({ ...amount, unit: event.currentTarget.value })}
          >
            {[...new Set([...units, was.unit])].map((unit) => (
              <option key={unit} value={unit}>
                {unit === 'parts' ? said.parts : unit}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  )
}

function Exempt(props: { exempt: readonly string[]; onChange: (types: readonly string[]) => void }) {
  const { exempt, onChange } = props
  const { messageTypes, language } = useStores()
  const said = useBudgetTexts()
  const types = (messageTypes.all.value ?? []).filter(({ id }) => id !== 'service')
  return (
    <fieldset>
      <legend>{said.exempt}</legend>
      {types.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={exempt.includes(id)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...exempt, id] : exempt.filter((each) => each !== id))
            }
          />{' '}
          {name[language.code.value]}
        </label>
      ))}
    </fieldset>
  )
}
