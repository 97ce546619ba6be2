import { useSignal } from '@preact/signals'

interface Props {
  readonly id?: string | undefined
  readonly label: string
  readonly max: number
  readonly value: number
  readonly onChange: (value: number) => void
}

/** How many, from 1 on. What is typed stays there, also while it is no such number yet: the form is not sent then. */
export function CountInput({ id, label, max, value, onChange }: Props) {
  const typed = useSignal<{ of: number; text: string } | undefined>(undefined)
  return (
    <input
      id={id}
      type="number"
      min={1}
      max={max}
      required
      aria-label={label}
      value={typed.value?.of === value ? typed.value.text : value}
      onInput={({ currentTarget: { value: text, valueAsNumber: wanted } }) => {
        const isCount = Number.isInteger(wanted) && wanted > 0
        typed.value = { of: isCount ? wanted : value, text }
        if (isCount) onChange(wanted)
      }}
    />
  )
}
