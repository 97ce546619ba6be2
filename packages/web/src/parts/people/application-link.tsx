import type { ApplicationLinkView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useStores } from '../../stores.ts'
import { useApplicationLinkWords } from '../../texts/application-link.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'

/** A link, and its picture to be shown or printed, by which people apply to be put into a group. */
export function ApplicationLink({ group }: { group: string }) {
  const { api } = useStores()
  const said = useApplicationLinkWords()
  const moment = useMoment()
  const days = useSignal('14')
  const made = useSignal<ApplicationLinkView | undefined>(undefined)
  const making = useAsync(async () => {
    made.value = await api.makeApplicationLink(group, { days: Number(days.value) })
  })
  return (
    <details>
      <summary>{said.title}</summary>
      <p class="hint">{said.intro}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          making.run()
        }}
      >
        <Field id="application-days" label={said.days}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              required
              min={1}
              max={60}
              value={days.value}
              onInput={(event) => (days.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <Failure error={making.error.value} />
        <button type="submit" aria-disabled={making.running.value}>
          {said.make}
        </button>
      </form>
      {made.value && (
        <div class="note good" role="status">
          <p class="link">
            <a href={made.value.url}>{made.value.url}</a>
          </p>
          <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(made.value.qr)}`} alt={said.qr} />
          <p class="hint">{said.until(moment(made.value.until))}</p>
        </div>
      )}
    </details>
  )
}
