import type { SettingsView } from '@courier-fleet/api-types'
import { channelNames, findChannel, mayTellRead } from '@courier-fleet/channels'
import { differenceWords } from '@courier-fleet/words/setting-words'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { useMoreSettingsWords } from '../../texts/more-settings.ts'
import { useSettingsChangeWords } from '../../texts/settings-change.ts'
import { Field, type FieldIds } from '../field.tsx'
import { PricesField } from './prices-field.tsx'
import { SettingsChange } from './settings-change.tsx'
import { isWrong, limits, patchOf, type TypedName, type TypedSettings, typedOf } from './typed-settings.ts'

interface Props {
  readonly view: SettingsView
  /** Reads the settings again. */
  readonly read: () => Promise<void>
}

/** What operators set of the fleet besides rules, channels and budgets: how long it is kept, who may be written to, what an SMS costs … */
export function MoreSettings({ view, read }: Props) {
  const said = useMoreSettingsWords()
  // the fields that were not touched follow the settings
  const touched = useSignal<Partial<TypedSettings>>({})
  const typed = { ...typedOf(view.settings), ...touched.value }
  const change = (changes: Partial<TypedSettings>) => (touched.value = { ...touched.value, ...changes })
  return (
    <section class="card" aria-labelledby="more-settings">
      <h2 id="more-settings">{said.title}</h2>
      <SettingsChange
        label={said.title}
        version={view.version}
        patch={patchOf(typed, view.settings)}
        read={read}
        onChanged={() => (touched.value = {})}
      >
        <Choices view={view} typed={typed} onChange={change} />
        <TellRead view={view} typed={typed} onChange={change} />
        <Lengths view={view} typed={typed} onChange={change} />
        <Weights view={view} typed={typed} onChange={change} />
        <PricesField
          tariffs={typed.tariffs}
          error={isWrong('tariffs', typed) ? said.wrongPrices : undefined}
          onChange={(tariffs) => change({ tariffs })}
        />
      </SettingsChange>
    </section>
  )
}

interface PartProps {
  readonly view: SettingsView
  readonly typed: TypedSettings
  readonly onChange: (changes: Partial<TypedSettings>) => void
}

/** What the environment says of a setting where what was set live is another. */
function useEnvironment({ differs }: SettingsView): (name: TypedName) => string | undefined {
  const { language } = useStores()
  const said = useSettingsChangeWords()
  return (name) => {
    const found = differs.find(({ setting }) => setting === name)
    if (!found) return undefined
    const { environment: before, live: after } = found
    return said.environment(differenceWords(language.code.value, { setting: name, before, after }).before)
  }
}

const joined = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(' ') || undefined

function Choices({ view, typed, onChange }: PartProps) {
  const said = useMoreSettingsWords()
  const environment = useEnvironment(view)
  return (
    <>
      <Field id="more-consent" label={said.consent} hint={environment('consent')}>
        {(ids) => (
          <select
            {...ids}
            value={typed.consent}
            onChange={(event) => onChange({ consent: event.currentTarget.value as TypedSettings['consent'] })}
          >
            {(['import-is-enough', 'required'] as const).map((consent) => (
              <option key={consent} value={consent}>
                {said.consents[consent]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        id="more-language"
        label={said.language}
        hint={joined(said.languageHint, environment('language'))}
        error={isWrong('language', typed) ? said.wrongLanguage : undefined}
      >
        {(ids) => <TextInput ids={ids} value={typed.language} onInput={(language) => onChange({ language })} />}
      </Field>
      <Field
        id="more-hosts"
        label={said.recheckHosts}
        hint={joined(said.recheckHint, environment('recheckHosts'))}
        error={isWrong('recheckHosts', typed) ? said.wrongHost : undefined}
      >
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            value={typed.recheckHosts}
            onInput={(event) => onChange({ recheckHosts: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}

function TellRead({ view, typed, onChange }: PartProps) {
  const { language } = useStores()
  const said = useMoreSettingsWords()
  const hint = joined(said.tellReadHint, useEnvironment(view)('tellRead'))
  return (
    <fieldset>
      <legend>{said.tellRead}</legend>
      {channelNames.filter(mayTellRead).map((channel) => (
        <label key={channel} class="choice">
          <input
            type="checkbox"
            checked={typed.tellRead.includes(channel)}
            onChange={(event) => {
              const others = typed.tellRead.filter((name) => name !== channel)
              onChange({ tellRead: event.currentTarget.checked ? [...others, channel] : others })
            }}
          />
          {findChannel(channel)?.words[language.code.value].name}
        </label>
      ))}
      <p class="hint">{hint}</p>
    </fieldset>
  )
}

function Lengths({ view, typed, onChange }: PartProps) {
  const words = useWords()
  const said = useMoreSettingsWords()
  const environment = useEnvironment(view)
  const seconds = said.whole('0', words.number(limits.seconds))
  const fields = [
    ['retentionDays', said.retentionHint, said.positive(words.number(limits.retentionDays))],
    ['quietJitterSeconds', said.jitterHint, seconds],
    ['onlineIntervalSeconds', said.onlineHint, seconds],
  ] as const
  return (
    <>
      {fields.map(([name, hint, wrong]) => (
        <Field
          key={name}
          id={`more-${name}`}
          label={said[name]}
          hint={joined(hint, environment(name))}
          error={isWrong(name, typed) ? wrong : undefined}
        >
          {(ids) => <TextInput ids={ids} decimal value={typed[name]} onInput={(text) => onChange({ [name]: text })} />}
        </Field>
      ))}
    </>
  )
}

function Weights({ view, typed, onChange }: PartProps) {
  const words = useWords()
  const said = useMoreSettingsWords()
  const hint = useEnvironment(view)('weights')
  return (
    <fieldset>
      <legend>{said.weights}</legend>
      <div class="pair">
        {(['urgent', 'normal', 'bulk'] as const).map((cls) => (
          <Field key={cls} id={`more-${cls}`} label={said.classes[cls]}>
            {(ids) => (
              <TextInput
                ids={ids}
                decimal
                value={typed.weights[cls]}
                onInput={(text) => onChange({ weights: { ...typed.weights, [cls]: text } })}
              />
            )}
          </Field>
        ))}
      </div>
      {isWrong('weights', typed) && (
        <p class="error" role="alert">
          {said.whole('1', words.number(limits.weight))}
        </p>
      )}
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  )
}

interface InputProps {
  readonly ids: FieldIds
  readonly decimal?: boolean
  readonly value: string
  readonly onInput: (text: string) => void
}

function TextInput({ ids, decimal, value, onInput }: InputProps) {
  return (
    <input
      {...ids}
      inputMode={decimal ? 'decimal' : 'text'}
      autocomplete="off"
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  )
}
