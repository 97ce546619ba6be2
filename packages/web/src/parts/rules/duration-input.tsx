import { durationMs } from '@courier-fleet/api-types/duration'
import { useRulesWords } from '../../texts/rules.ts'

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

/** In the largest unit that fits without a remainder. */
function countIn(value: string): { count: number; unit: Unit } {
  const ms = durationMs(value)
  const unit = (['days', 'hours'] as const).find((each) => ms % units[each] === 0) ?? 'minutes'
  return { unit, count: ms / units[unit] }
}

/** A length of time: how many, and of what. */
export function DurationInput({ id, value, onChange }: Props) {
  const rules = useRulesWords()
  const { count, unit } = countIn(value)
  return (
    <span class="duration">
      <input
        id={id}
        type="number"
        min={1}
        max={9999}
        required
        aria-label={rules.howMany}
        value={count}
        onChange={(event) => {
          const wanted = event.currentTarget.valueAsNumber
          if (Number.isInteger(wanted) && wanted > 0) onChange(written[unit](wanted))
        }}
      />
      <select
        aria-label={rules.unit}
        value={unit}
        onChange={(event) => onChange(written[event.currentTarget.value as Unit](Math.max(1, Math.round(count))))}
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
