import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { matches } from '../matches.ts'
import type { Recipient } from '../stores/draft.ts'
import { useStores, useWords } from '../stores.ts'
import { Failure } from './failure.tsx'
import { Field } from './field.tsx'
import { FoundPeople } from './found-people.tsx'
import { useAsync } from './use-async.ts'

interface Choice extends Recipient {
  readonly id: string
  readonly detail?: string
}

/** Groups, cohorts, topics, roles and people to tick; what is ticked stands above as a list of its own. */
export function AudiencePicker({ error }: { error: string | undefined }) {
  const { directory, draft } = useStores()
  const words = useWords()
  const { compose } = words
  const wanted = useSignal('')
  const loading = useAsync(directory.load)
  useEffect(() => {
    loading.run()
  }, [])

  const { to } = draft.content.value
  const chosen = new Set(to.map(({ token }) => token))
  const toggle = ({ token, label }: Recipient) =>
    draft.change({
      to: chosen.has(token) ? to.filter((each) => each.token !== token) : [...to, { token, label }],
    })

  return (
    <fieldset class="audience">
      <legend>{compose.to}</legend>
      <Chosen recipients={to} onRemove={toggle} />
      <Field id="find" label={compose.find} hint={compose.findHint} error={error}>
        {(ids) => (
          <input
            {...ids}
            type="search"
            autocomplete="off"
            value={wanted.value}
            onInput={(event) => (wanted.value = event.currentTarget.value)}
            // Enter in a search field must not send the message
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
      </Field>
      <Failure error={loading.error.value} retry={loading.run} />
      {loading.running.value && directory.groups.value === undefined && <p>{words.loading}</p>}
      <div class="choices-box">
        <Choices wanted={wanted.value} chosen={chosen} onToggle={toggle} />
        <FoundPeople wanted={wanted.value} chosen={chosen} onToggle={toggle} />
      </div>
    </fieldset>
  )
}

interface ChoicesProps {
  readonly wanted: string
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (recipient: Recipient) => void
}

/** Groups, cohorts, topics and roles whose name fits what is searched for. */
function Choices({ wanted, chosen, onToggle }: ChoicesProps) {
  return (
    <>
      {useChoices().map(([title, choices]) => {
        const found = choices.filter(({ id, label }) => matches(wanted, label, id))
        if (found.length === 0) return null
        return (
          <fieldset key={title} class="choices">
            <legend>{title}</legend>
            {found.map((choice) => (
              <label key={choice.token}>
                <input type="checkbox" checked={chosen.has(choice.token)} onChange={() => onToggle(choice)} />
                <span>{choice.label}</span>
                <span class="hint">{choice.detail}</span>
              </label>
            ))}
          </fieldset>
        )
      })}
    </>
  )
}

function useChoices(): readonly (readonly [title: string, choices: readonly Choice[]])[] {
  const { session, directory, language } = useStores()
  const words = useWords()
  const { compose } = words
  const groups = (directory.groups.value ?? []).map(({ id, name, size }) => ({
    id,
    token: `group:${id}`,
    label: name,
    detail: words.people(size),
  }))
  const cohorts = (directory.cohorts.value ?? []).map(({ id, name, groups }) => ({
    id,
    token: `cohort:${id}`,
    label: name,
    detail: compose.groupCount(groups.length),
  }))
  const topics = (directory.topics.value ?? [])
    .filter(({ mayWrite }) => mayWrite)
    .map(({ id, name, size = 0 }) => ({
      id,
      token: `topic:${id}`,
      label: name[language.code.value],
      detail: words.people(size),
    }))
  const roles = session.may('staff')
    ? Object.entries(words.everyRole).map(([role, label]) => ({ id: role, token: `role:${role}`, label }))
    : []
  return [
    [compose.groups, groups],
    [compose.cohorts, cohorts],
    [words.topics.title, topics],
    [compose.roles, roles],
  ]
}

function Chosen({ recipients, onRemove }: { recipients: readonly Recipient[]; onRemove: (each: Recipient) => void }) {
  const { compose } = useWords()
  if (recipients.length === 0) return <p class="hint">{compose.nobodyChosen}</p>
  return (
    <ul class="chips" aria-label={compose.chosen}>
      {recipients.map((each) => (
        <li key={each.token}>
          <span>{each.label}</span>
          <button type="button" class="quiet" aria-label={compose.remove(each.label)} onClick={() => onRemove(each)}>
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
