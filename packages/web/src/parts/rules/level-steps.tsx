import type { FleetSettings } from '@courier-fleet/api-types'
import { useRulesWords } from '../../texts/rules.ts'
import { CountInput } from './count-input.tsx'
import { LevelSelect } from './level-select.tsx'

type Levels = FleetSettings['levels']

interface Props {
  readonly levels: Levels
  readonly onChange: (levels: Levels) => void
}

const maxSteps = 2

/** After how many messages in a day only important ones go out, and how important. */
export function LevelSteps({ levels, onChange }: Props) {
  const rules = useRulesWords()
  const change = (index: number, changes: Partial<Levels[number]>) =>
    onChange(levels.map((step, at) => (at === index ? { ...step, ...changes } : step)))
  return (
    <fieldset class="choices">
      <legend>{rules.levels}</legend>
      {levels.length === 0 && <p class="hint">{rules.noLevels}</p>}
      {levels.map((step, index) => (
        <div key={index} class="rule-row">
          <span>{rules.after}</span>
          <CountInput
            label={rules.after}
            max={1000}
            value={step.after}
            onChange={(after) => change(index, { after })}
          />
          <LevelSelect label={rules.least} value={step.least} onChange={(least) => change(index, { least })} />
          <button type="button" onClick={() => onChange(levels.filter((_, at) => at !== index))}>
            {rules.remove}
          </button>
        </div>
      ))}
      {levels.length < maxSteps && (
        <button type="button" onClick={() => onChange([...levels, { after: 5 * (levels.length + 1), least: 4 }])}>
          {rules.addLevel}
        </button>
      )}
    </fieldset>
  )
}
