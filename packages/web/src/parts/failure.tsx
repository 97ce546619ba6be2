import { problemText } from '../problem-text.ts'
import { useWords } from '../stores.ts'

export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const words = useWords()
  if (error === undefined) return null
  return (
    <div class="failure" role="alert">
      <p>{problemText(words, error)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          {words.retry}
        </button>
      )}
    </div>
  )
}
