import type { Signal } from '@preact/signals'
import { Field } from './field.tsx'

/** The one search of a view. `text` is what stands in it, as it is typed. */
export function SearchField({ label, text }: { label: string; text: Signal<string> }) {
  return (
    <Field id="search" label={label}>
      {(ids) => (
        <input
          {...ids}
          type="search"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
