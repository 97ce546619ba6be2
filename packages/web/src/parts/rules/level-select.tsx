import { useRulesWords } from '../../texts/rules.ts'

interface Props {
  readonly id?: string
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

/** How important, 1 to 5. */
export function LevelSelect({ id, label, value, onChange }: Props) {
  const rules = useRulesWords()
  return (
    <select id={id} aria-label={label} value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
      {rules.levelNames.map((name, index) => (
        <option key={name} value={index + 1}>
          {index + 1}: {name}
        </option>
      ))}
    </select>
  )
}
