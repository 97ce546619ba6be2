import { DurationInput } from './duration-input.tsx'

interface Props {
  readonly id: string
  readonly label: string
  /** ISO 8601; undefined: there is none */
  readonly value: string | undefined
  /** what it begins with when it is switched on */
  readonly first: string
  readonly onChange: (value: string | undefined) => void
}

/** A rule that may be off, and otherwise has a length of time. */
export function OptionalDuration({ id, label, value, first, onChange }: Props) {
  return (
    <div class="optional">
      <label class="choice">
        <input
          type="checkbox"
          checked={value !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked ? first : undefined)}
        />
        {label}
      </label>
      {value !== undefined && <DurationInput id={id} value={value} onChange={onChange} />}
    </div>
  )
}
