import { useStores, useWords } from '../../stores.ts'
import { instantOf, wallTimeOf } from '../../wall-time.ts'
import { Field } from '../field.tsx'
import { useWeekdayMoment } from '../use-moment.ts'

interface Props {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** A date and time of the person's own zone. */
export function WallTimeField({ value, error, onChange }: Props) {
  const { session } = useStores()
  const { compose } = useWords()
  const zone = session.timeZone.value
  const moment = useWeekdayMoment()
  const at = instantOf(zone, value)
  return (
    <Field id="at" label={compose.at} hint={`${at ? `${moment(at)}. ` : ''}${compose.zone(zone)}`} error={error}>
      {(ids) => (
        <input
          {...ids}
          type="datetime-local"
          required
          min={wallTimeOf(zone, Date.now())}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
