import type { WishesInput, WishesView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useWords } from '../../stores.ts'
import { Field } from '../field.tsx'

interface Props {
  readonly wishes: WishesView
  readonly onChange: (change: (before: WishesView) => WishesInput, said: string) => void
}

const choices = ['fleet', 'own', 'never'] as const
type Choice = (typeof choices)[number]

const choiceOf = ({ quiet }: WishesView): Choice =>
  quiet === undefined ? 'fleet' : quiet === 'never' ? 'never' : 'own'

/** When somebody does not want to be written to. */
export function OwnQuietHours({ wishes, onChange }: Props) {
  const { wishes: said, message } = useWords()
  const choice = useSignal(choiceOf(wishes))
  const span = useSignal(typeof wishes.quiet === 'object' ? wishes.quiet : { from: '23:00', to: '07:00' })
  const wanted = choice.value
  function save() {
    const quiet = wanted === 'own' ? span.value : wanted === 'never' ? wanted : undefined
    onChange(({ off }) => ({ off: [...off], ...(quiet === undefined ? {} : { quiet }) }), said.saved)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <fieldset class="choices">
        <legend>{said.quiet}</legend>
        {choices.map((each) => (
          <label key={each}>
            <input type="radio" name="quiet" checked={wanted === each} onChange={() => (choice.value = each)} />
            {said.quietChoices[each]}
          </label>
        ))}
      </fieldset>
      {wanted === 'own' && (
        <div class="pair">
          {(['from', 'to'] as const).map((end) => (
            <Field key={end} id={`quiet-${end}`} label={said.quietEnds[end]}>
              {(ids) => (
                <input
                  {...ids}
                  type="time"
                  required
                  value={span.value[end]}
                  onInput={(event) => (span.value = { ...span.value, [end]: event.currentTarget.value })}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      <button type="submit">{message.save}</button>
    </form>
  )
}
