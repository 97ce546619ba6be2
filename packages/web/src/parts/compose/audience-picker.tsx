import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { matches } from '../../matches.ts'
import type { Recipient } from '../../stores/draft.ts'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'
import { useRoleNames } from '../use-role-names.ts'
import { Combobox, type Option, type OptionGroup } from './combobox.tsx'
import { useFoundPeople } from './use-found-people.ts'

interface Choice extends Recipient {
  readonly id: string
  readonly detail?: string
}

/** Groups, cohorts, topics, roles and people to choose; what is chosen stands above as a list of its own. */
export function AudiencePicker({ error }: { error: string | undefined }) {
  const { directory, draft, session } = useStores()
  const roleNames = useRoleNames()
  const words = useWords()
  const { compose } = words
  const wanted = useSignal('')
  const loading = useAsync(() => Promise.all([directory.load(), session.may('staff') && roleNames.load()]))
  useEffect(() => {
    loading.run()
  }, [])
  const found = useFoundPeople(wanted.value)
  const choices = useChoices()

  const { to } = draft.content.value
  const chosen = new Set(to.map(({ token }) => token))
  const toggle = (token: string, label: string) =>
    draft.change({ to: chosen.has(token) ? to.filter((each) => each.token !== token) : [...to, { token, label }] })
  const option = ({ token, label, detail }: Choice): Option => ({
    id: token,
    label,
    detail,
    isChosen: chosen.has(token),
  })
  const persons: readonly Choice[] = found.people.map(({ id, name, role }) => ({
    id,
    token: `user:${id}`,
    label: name,
    detail: `${id}, ${roleNames.nameOf(role)}`,
  }))
  const groups: OptionGroup[] = [
    ...choices.map(([title, all]) => ({
      title,
      options: all.filter(({ id, label }) => matches(wanted.value, label, id)).map(option),
    })),
    { title: compose.persons, options: persons.map(option) },
  ].filter(({ options }) => options.length > 0)
  const isNothing = groups.length === 0 && found.state !== 'looking' && directory.groups.value !== undefined

  return (
    <>
      <Field id="find" label={compose.to} error={error}>
        {(ids) => (
          <>
            <Chosen recipients={to} onRemove={({ token, label }) => toggle(token, label)} />
            <Combobox
              ids={ids}
              label={compose.to}
              placeholder={compose.find}
              groups={groups}
              text={wanted.value}
              onText={(text) => (wanted.value = text)}
              onToggle={({ id, label }) => {
                toggle(id, label)
                wanted.value = ''
              }}
              onDropLast={() => draft.change({ to: to.slice(0, -1) })}
            >
              <p class="hint" role="status">
                {found.state === 'looking' ? compose.looking : isNothing ? compose.nothingFound : ''}
              </p>
              <Failure error={found.error} />
            </Combobox>
          </>
        )}
      </Field>
      <Failure error={loading.error.value} retry={loading.run} />
    </>
  )
}

function useChoices(): readonly (readonly [title: string, choices: readonly Choice[]])[] {
  const { session, directory, language } = useStores()
  const roleNames = useRoleNames()
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
    ? [
        ...Object.entries(words.everyRole).map(([role, label]) => ({ id: role, token: `role:${role}`, label })),
        ...roleNames.made.map(({ id, name, people }) => ({
          id,
          token: `role:${id}`,
          label: name[language.code.value],
          detail: words.people(people),
        })),
      ]
    : []
  return [
    [compose.groups, groups],
    [compose.cohorts, cohorts],
    [words.topics.title, topics],
    [compose.roles, roles],
  ]
}

/** By keyboard they are taken away in the field: chosen again, or by Backspace; so none is a stop on the way to the text. */
function Chosen({ recipients, onRemove }: { recipients: readonly Recipient[]; onRemove: (each: Recipient) => void }) {
  const { compose } = useWords()
  if (recipients.length === 0) return null
  return (
    <ul class="chips" aria-label={compose.chosen}>
      {recipients.map((each) => (
        <li key={each.token}>
          <span>{each.label}</span>
          <button
            type="button"
            class="quiet"
            tabIndex={-1}
            aria-label={compose.remove(each.label)}
            onClick={() => onRemove(each)}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
