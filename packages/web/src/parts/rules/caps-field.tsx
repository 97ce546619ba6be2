import type { FleetSettings } from '@courier-fleet/api-types'
import { useRulesWords } from '../../texts/rules.ts'
import { CountInput } from './count-input.tsx'
import { DurationInput } from './duration-input.tsx'

type Caps = FleetSettings['caps']
type Cap = Caps[number]

interface Props {
  readonly id: string
  readonly caps: readonly Cap[]
  readonly onChange: (caps: Caps) => void
}

const maxCaps = 4
const first: Cap = { n: 3, per: 'day', over: 'drop' }

/** How many messages somebody gets, in which time, and what becomes of one more. */
export function CapsField({ id, caps, onChange }: Props) {
  const rules = useRulesWords()
  const change = (index: number, changes: Partial<Cap>) =>
    onChange(caps.map((cap, at) => (at === index ? { ...cap, ...changes } : cap)))
  return (
    <fieldset class="choices">
      <legend>{rules.caps}</legend>
      {caps.length === 0 && <p class="hint">{rules.noCaps}</p>}
      {caps.map((cap, index) => (
        <div key={index} class="rule-row">
          <CountInput label={rules.atMost} max={1000} value={cap.n} onChange={(n) => change(index, { n })} />
          <select
            aria-label={rules.per}
            value={cap.per === 'day' ? 'day' : 'time'}
            onChange={(event) => change(index, { per: event.currentTarget.value === 'day' ? 'day' : 'PT1H' })}
          >
            <option value="day">{rules.perDay}</option>
            <option value="time">{rules.perTime}</option>
          </select>
          {cap.per !== 'day' && (
            <DurationInput id={`${id}-${index}`} value={cap.per} onChange={(per) => change(index, { per })} />
          )}
          <select
            aria-label={rules.over}
            value={cap.over}
            onChange={(event) => change(index, { over: event.currentTarget.value as Cap['over'] })}
          >
            <option value="drop">{rules.overs.drop}</option>
            <option value="wait">{rules.overs.wait}</option>
          </select>
          <button type="button" onClick={() => onChange(caps.filter((_, at) => at !== index))}>
            {rules.remove}
          </button>
        </div>
      ))}
      {caps.length < maxCaps && (
        <button type="button" onClick={() => onChange([...caps, first])}>
          {rules.addCap}
        </button>
      )}
    </fieldset>
  )
}
