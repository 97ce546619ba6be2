import type { MessageType, MessageTypeInput } from '@courier-fleet/api-types'
import { roles } from '@courier-fleet/api-types/roles'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useRulesWords } from '../../texts/rules.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useRoleNames } from '../use-role-names.ts'
import { CapsField } from './caps-field.tsx'
import { Concerns } from './concerns.tsx'
import { LevelSelect } from './level-select.tsx'
import { OptionalDuration } from './optional-duration.tsx'
import { StepsField } from './steps-field.tsx'
import { useForeseen } from './use-foreseen.ts'

interface Props {
  /** undefined: a new one */
  readonly type: MessageType | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

type Draft = Omit<MessageType, 'number'>
const blank: Draft = {
  id: '',
  name: { ru: '', en: '' },
  level: 3,
  optOut: 'allowed',
  caps: [],
  quiet: 'respect',
  senders: [],
}

/** What a type is called, and the rules that messages of it go by. */
export function TypeDialog({ type, onClose, onDone }: Props) {
  const { api, notices } = useStores()
  const { message } = useWords()
  const rules = useRulesWords()
  const draft = useSignal<Draft>(type ?? blank)
  const change = (changes: Partial<Draft>) => (draft.value = { ...draft.value, ...changes })
  const saving = useForeseen<Draft>({
    foresee: ({ id, ...body }) => api.putType(id, bodyOf(body), { dryRun: true }),
    async make({ id, ...body }) {
      await api.putType(id, bodyOf(body))
      notices.announce(rules.typeSaved)
      onDone()
    },
  })
  const removing = useForeseen<string>({
    foresee: (id) => api.foreseeTypeRemoval(id),
    async make(id) {
      await api.deleteType(id)
      notices.announce(rules.typeRemoved)
      onDone()
    },
  })
  const said = draft.value
  const concerns = saving.concernsOf(said)
  const ofRemoval = removing.concernsOf(said.id)
  return (
    <Dialog title={type ? rules.typeOf(type.id) : rules.newType} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.press(said)
        }}
      >
        {!type && (
          <Field id="type-id" label={rules.id} hint={rules.idHint}>
            {(ids) => (
              <input
                {...ids}
                required
                pattern={'[A-Za-z0-9_\\-]{1,64}'}
                value={said.id}
                onInput={(event) => change({ id: event.currentTarget.value })}
              />
            )}
          </Field>
        )}
        {(['ru', 'en'] as const).map((language) => (
          <Field key={language} id={`type-${language}`} label={rules.nameIn[language]}>
            {(ids) => (
              <input
                {...ids}
                required
                maxLength={60}
                value={said.name[language]}
                onInput={(event) => change({ name: { ...said.name, [language]: event.currentTarget.value } })}
              />
            )}
          </Field>
        ))}
        <TypeRules draft={said} onChange={change} />
        <Failure error={saving.error.value ?? removing.error.value} />
        <Concerns concerns={concerns ?? ofRemoval} />
        <div class="actions">
          <button type="submit" class="primary">
            {concerns ? rules.saveYes : message.save}
          </button>
          {type && (
            <button type="button" class="danger" onClick={() => removing.press(said.id)}>
              {ofRemoval ? rules.removeTypeYes : rules.removeType}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

interface RulesProps {
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
}

function TypeRules({ draft, onChange }: RulesProps) {
  const { nameOf, made, load } = useRoleNames()
  useEffect(() => void load().catch(() => {}), [])
  const rules = useRulesWords()
  return (
    <>
      <Field id="type-level" label={rules.level}>
        {({ id }) => (
          <LevelSelect id={id} label={rules.level} value={draft.level} onChange={(level) => onChange({ level })} />
        )}
      </Field>
      <TypeSwitch
        label={rules.mandatory}
        checked={draft.optOut === 'mandatory'}
        onChange={(on) => onChange({ optOut: on ? 'mandatory' : 'allowed' })}
      />
      <TypeSwitch
        label={rules.ignoresQuiet}
        checked={draft.quiet === 'ignore'}
        onChange={(on) => onChange({ quiet: on ? 'ignore' : 'respect' })}
      />
      <OptionalDuration
        id="type-duplicates"
        label={rules.duplicates}
        value={draft.duplicates?.window}
        first="PT24H"
        onChange={(window) => onChange({ duplicates: window === undefined ? undefined : { window } })}
      />
      <CapsField id="type-caps" caps={draft.caps} onChange={(caps) => onChange({ caps })} />
      <OptionalDuration
        id="type-interval"
        label={rules.typeInterval}
        value={draft.interval}
        first="PT30M"
        onChange={(interval) => onChange({ interval })}
      />
      <OptionalDuration
        id="type-deadline"
        label={rules.typeDeadline}
        value={draft.deadline}
        first="PT30M"
        onChange={(deadline) => onChange({ deadline })}
      />
      <OptionalDuration
        id="type-merge"
        label={rules.merge}
        value={draft.merge}
        first="PT1M"
        onChange={(merge) => onChange({ merge })}
      />
      <StepsField id="type-steps" steps={draft.steps} onChange={(steps) => onChange({ steps })} />
      <fieldset class="choices">
        <legend>{rules.senders}</legend>
        {[...roles.filter((role) => role !== 'student'), ...made.map(({ id }) => id)].map((role) => (
          <TypeSwitch
            key={role}
            label={nameOf(role)}
            checked={draft.senders.includes(role)}
            onChange={(on) =>
              onChange({ senders: on ? [...draft.senders, role] : draft.senders.filter((each) => each !== role) })
            }
          />
        ))}
        <p class="hint">{rules.sendersHint}</p>
      </fieldset>
    </>
  )
}

/** What is undefined is left out, as JSON does. */
const bodyOf = ({ number: _, ...body }: Omit<Draft, 'id'> & { number?: number }): MessageTypeInput => body

interface SwitchProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}

function TypeSwitch({ label, checked, onChange }: SwitchProps) {
  return (
    <label class="choice">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
