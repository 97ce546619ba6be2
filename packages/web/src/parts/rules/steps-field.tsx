import type { MessageSteps, ReachedLevel } from '@courier-fleet/api-types'
import { channelNames } from '@courier-fleet/channels'
import { useWords } from '../../stores.ts'
import { useRulesWords } from '../../texts/rules.ts'
import { DurationInput } from './duration-input.tsx'

type Step = MessageSteps[number]

interface Props {
  readonly id: string
  /** undefined: all channels at once */
  readonly steps: MessageSteps | undefined
  readonly onChange: (steps: MessageSteps | undefined) => void
}

const maxSteps = 4
const levels: readonly ReachedLevel[] = ['sent', 'delivered', 'read', 'confirmed']
const later = { after: 'PT10M', unless: 'sent' } as const
const first: MessageSteps = [{ channels: ['telegram', 'vk'] }, { channels: ['sms'], ...later }]

/** By which channels messages go first, and by which then, for those only who are not reached. */
export function StepsField({ id, steps, onChange }: Props) {
  const rules = useRulesWords()
  const change = (index: number, changes: Partial<Step>) =>
    onChange(steps?.map((step, at) => (at === index ? { ...step, ...changes } : step)))
  const without = (index: number) => {
    const rest = steps?.filter((_, at) => at !== index) ?? []
    onChange(rest.length > 1 ? rest : undefined)
  }
  return (
    <fieldset class="choices">
      <legend>{rules.steps}</legend>
      <p class="hint">{steps ? rules.stepsHint : rules.noSteps}</p>
      {steps?.map((step, index) => (
        <StepFields
          key={index}
          id={`${id}-${index}`}
          step={step}
          index={index}
          taken={steps.flatMap(({ channels }, at) => (at === index ? [] : channels))}
          onChange={(changes) => change(index, changes)}
          onRemove={() => without(index)}
        />
      ))}
      {(steps?.length ?? 0) < maxSteps && (
        <button type="button" onClick={() => onChange(steps ? [...steps, { channels: [], ...later }] : first)}>
          {steps ? rules.addStep : rules.goInSteps}
        </button>
      )}
    </fieldset>
  )
}

interface StepProps {
  readonly id: string
  readonly step: Step
  readonly index: number
  /** channels of other steps: each belongs to one */
  readonly taken: readonly string[]
  readonly onChange: (changes: Partial<Step>) => void
  readonly onRemove: () => void
}

function StepFields({ id, step, index, taken, onChange, onRemove }: StepProps) {
  const words = useWords()
  const rules = useRulesWords()
  const { channels, after, unless } = step
  return (
    <fieldset class="choices">
      <legend>{rules.step(index + 1)}</legend>
      {index > 0 && (
        <div class="rule-row">
          <span>{rules.stepAfter}</span>
          <DurationInput id={id} value={after ?? later.after} onChange={(changed) => onChange({ after: changed })} />
          <select
            aria-label={rules.stepUnless}
            value={unless}
            onChange={(event) => onChange({ unless: event.currentTarget.value as ReachedLevel })}
          >
            {levels.map((level) => (
              <option key={level} value={level}>
                {words.known.steps.unless[level]}
              </option>
            ))}
          </select>
          <button type="button" aria-label={rules.removeStep(index + 1)} onClick={onRemove}>
            {rules.remove}
          </button>
        </div>
      )}
      {channelNames
        .filter((channel) => !taken.includes(channel))
        .map((channel) => (
          <label key={channel}>
            <input
              type="checkbox"
              checked={channels.includes(channel)}
              onChange={(event) =>
                onChange({
                  channels: event.currentTarget.checked
                    ? [...channels, channel]
                    : channels.filter((each) => each !== channel),
                })
              }
            />
            {words.channelName(channel)}
          </label>
        ))}
    </fieldset>
  )
}
