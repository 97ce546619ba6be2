import { useWords } from '../../stores.ts'
import { useImportWords } from '../../texts/import.ts'

/** so many are read; of more one sees that they are too many */
const shown = 500

/** Nothing where there is nobody. */
export function ImportNames(props: { title: string; names: readonly string[]; isOpen?: boolean }) {
  const { title, names, isOpen = false } = props
  const { number } = useWords()
  const { more } = useImportWords()
  if (names.length === 0) return null
  return (
    <details open={isOpen}>
      <summary>
        {title}: {number(names.length)}
      </summary>
      <p>
        {names.slice(0, shown).join(', ')}
        {names.length > shown && ` ${more(number(names.length - shown))}`}
      </p>
    </details>
  )
}
