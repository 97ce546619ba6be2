import type { SettingsPatchInput, SettingsView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { useRulesWords } from '../../texts/rules.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { CapsField } from './caps-field.tsx'
import { Concerns } from './concerns.tsx'
import { ExamsField } from './exams-field.tsx'
import { LevelSteps } from './level-steps.tsx'
import { OptionalDuration } from './optional-duration.tsx'
import { useForeseen } from './use-foreseen.ts'

interface Props {
  readonly view: SettingsView
  readonly onChanged: () => void
}

const night = { from: '22:00', to: '08:00' }

/** The rules that hold for messages of every type. */
export function FleetRules({ view, onChanged }: Props) {
  const { api, notices } = useStores()
  const { message } = useWords()
  const rules = useRulesWords()
  const { quiet, exams, caps, interval, levels } = view.settings
  const wanted = useSignal({ quiet, exams, caps, interval, levels })
  const change = (changes: Partial<typeof wanted.value>) => (wanted.value = { ...wanted.value, ...changes })
  const saving = useForeseen<SettingsPatchInput>({
    foresee: (patch) => api.changeSettings(view.version, patch, { dryRun: true }),
    async make(patch) {
      const { version } = await api.changeSettings(view.version, patch)
      notices.announce(rules.saved(version))
      onChanged()
    },
  })
  const said = wanted.value
  const patch = changedIn(view.settings, said)
  const concerns = saving.concernsOf(patch)
  return (
    <form
      class="card"
      aria-label={rules.forAll}
      onSubmit={(event) => {
        event.preventDefault()
        saving.press(patch)
      }}
    >
      <h2>{rules.forAll}</h2>
      <label class="choice">
        <input
          type="checkbox"
          checked={said.quiet !== null}
          onChange={(event) => change({ quiet: event.currentTarget.checked ? night : null })}
        />
        {rules.quiet}
      </label>
      {said.quiet && <QuietFields quiet={said.quiet} onChange={(next) => change({ quiet: next })} />}
      <ExamsField exams={said.exams} onChange={(next) => change({ exams: next })} />
      <CapsField id="fleet-caps" caps={said.caps} onChange={(next) => change({ caps: next })} />
      <OptionalDuration
        id="fleet-interval"
        label={rules.interval}
        value={said.interval ?? undefined}
        first="PT30M"
        onChange={(next) => change({ interval: next ?? null })}
      />
      <LevelSteps levels={said.levels} onChange={(next) => change({ levels: next })} />
      <Failure error={saving.error.value} />
      <p class="hint">{rules.whoWaits}</p>
      <Concerns concerns={concerns} />
      <button type="submit" class="primary">
        {concerns ? rules.saveYes : message.save}
      </button>
    </form>
  )
}

/** What was not touched stays as the environment says, where nobody has set it. */
function changedIn(before: SettingsView['settings'], wanted: SettingsPatchInput): SettingsPatchInput {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  )
  return Object.fromEntries(changed)
}

type Quiet = NonNullable<SettingsView['settings']['quiet']>

interface QuietProps {
  readonly quiet: Quiet
  readonly onChange: (quiet: Quiet) => void
}

function QuietFields({ quiet, onChange }: QuietProps) {
  const { wishes } = useWords()
  const rules = useRulesWords()
  return (
    <>
      <div class="pair">
        {(['from', 'to'] as const).map((end) => (
          <Field key={end} id={`fleet-quiet-${end}`} label={wishes.quietEnds[end]}>
            {(ids) => (
              <input
                {...ids}
                type="time"
                required
                value={quiet[end]}
                onInput={(event) => onChange({ ...quiet, [end]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <QuietDays quiet={quiet} onChange={onChange} />
      <p class="hint">{rules.quietHint}</p>
    </>
  )
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The days on which they begin; every day where none is left out, and at least one. */
function QuietDays({ quiet, onChange }: QuietProps) {
  const { from, to } = quiet
  const days: readonly (typeof weekdays)[number][] = quiet.days ?? weekdays
  const { language } = useStores()
  const rules = useRulesWords()
  const name = new Intl.DateTimeFormat(language.code.value, { weekday: 'short', timeZone: 'UTC' })
  const choose = (chosen: readonly (typeof weekdays)[number][]) =>
    onChange(chosen.length === weekdays.length ? { from, to } : { from, to, days: [...chosen] })
  return (
    <fieldset class="choices">
      <legend>{rules.quietDays}</legend>
      <div class="pair">
        {weekdays.map((day, index) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={days.includes(day)}
              disabled={days.length === 1 && days.includes(day)}
              onChange={(event) => {
                const { checked } = event.currentTarget
                choose(weekdays.filter((each) => (each === day ? checked : days.includes(each))))
              }}
            />
            {/* 1 January 2024 was a Monday */}
            {name.format(Date.UTC(2024, 0, 1 + index))}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
