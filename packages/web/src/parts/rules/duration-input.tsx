import { durationMs } from '@courier-fleet/api-types/duration'
import { useSignal } from '@preact/signals'
import { useRulesWords } from '../../texts/rules.ts'
import { CountInput } from './count-input.tsx'

interface Props {
  readonly id: string
  /** ISO 8601 */
  readonly value: string
  readonly onChange: (value: string) => void
}

const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const
type Unit = keyof typeof units

const written: Record<Unit, (count: number) => string> = {
  minutes: (count) => `PT${count}M`,
  hours: (count) => `PT${count}H`,
  days: (count) => `P${count}D`,
}

/** The largest that it is a multiple of. */
const unitOf = (value: string): Unit =>
  (['days', 'hours'] as const).find((each) => durationMs(value) % units[each] === 0) ?? 'minutes'

/** A length of time: how many, and of what. */
export function DurationInput({ id, value, onChange }: Props) {
  const rules = useRulesWords()
  // who types 60 minutes goes on in minutes
  const said = useSignal<{ of: string; unit: Unit } | undefined>(undefined)
  const unit = said.value?.of === value ? said.value.unit : unitOf(value)
  const count = durationMs(value) / units[unit]
  const say = (wanted: number, of: Unit) => {
    const next = written[of](wanted)
    said.value = { of: next, unit: of }
    onChange(next)
  }
  return (
    <span class="duration">
      <CountInput id={id} label={rules.howMany} max={9999} value={count} onChange={(wanted) => say(wanted, unit)} />
      <select
        aria-label={rules.unit}
        value={unit}
        onChange={(event) => say(Math.max(1, Math.round(count)), event.currentTarget.value as Unit)}
      >
        {(Object.keys(units) as Unit[]).map((each) => (
          <option key={each} value={each}>
            {rules.units[each]}
          </option>
        ))}
      </select>
    </span>
  )
}
