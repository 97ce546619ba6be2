import type { GroupView, TopicView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { matches } from '../matches.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { later } from '../parts/later.tsx'
import { PeopleBrowser } from '../parts/people/people-browser.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import type { Recipient } from '../stores/draft.ts'
import { useStores, useWords } from '../stores.ts'

const TopicDialog = later(async () => (await import('../parts/people/group-parts.ts')).TopicDialog)
const GroupInvitations = later(async () => (await import('../parts/people/group-parts.ts')).GroupInvitations)

export function Groups() {
  const { directory } = useStores()
  const words = useWords()
  const wanted = useSignal('')
  const opened = useSignal<GroupView | undefined>(undefined)
  const loading = useAsync(directory.load)
  useEffect(() => {
    loading.run()
  }, [])
  const groups = (directory.groups.value ?? []).filter(({ id, name }) => matches(wanted.value, name, id))
  const cohorts = (directory.cohorts.value ?? []).filter(({ id, name }) => matches(wanted.value, name, id))
  return (
    <>
      <Title>{words.groupsPage.title}</Title>
      <SearchField label={words.groupsPage.search} text={wanted} />
      <Failure error={loading.error.value} retry={loading.run} />
      {directory.groups.value === undefined && loading.running.value && <p>{words.loading}</p>}
      {directory.groups.value?.length === 0 && directory.cohorts.value?.length === 0 && (
        <p>{words.groupsPage.noneOwned}</p>
      )}
      <h2>{words.compose.groups}</h2>
      <ul class="groups">
        {groups.map((group) => (
          <li key={group.id}>
            <button
              type="button"
              class="link"
              aria-label={words.groupsPage.show(group.name)}
              onClick={() => (opened.value = group)}
            >
              {group.name}
            </button>
            <span class="hint">
              {group.name === group.id ? '' : `${group.id}, `}
              {words.groupsPage.members(group.size)}
            </span>
            <WriteButton token={`group:${group.id}`} label={group.name} />
          </li>
        ))}
      </ul>
      <h2>{words.compose.cohorts}</h2>
      <ul class="groups">
        {cohorts.map(({ id, name, groups: within }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span class="hint">
              {name === id ? '' : `${id}, `}
              {words.compose.groupCount(within.length)}
            </span>
            <WriteButton token={`cohort:${id}`} label={name} />
          </li>
        ))}
      </ul>
      <Topics wanted={wanted.value} />
      {opened.value && (
        <Dialog title={opened.value.name} onClose={() => (opened.value = undefined)}>
          <GroupInvitations group={opened.value.id} />
          <PeopleBrowser label={words.groupsPage.show(opened.value.name)} group={opened.value.id} />
        </Dialog>
      )}
    </>
  )
}

/** All there are; operators make, change and remove them. */
function Topics({ wanted }: { wanted: string }) {
  const { api, directory, language, session } = useStores()
  const words = useWords()
  const { topics: said } = words
  const edited = useSignal<TopicView | 'new' | undefined>(undefined)
  // as it is now: what is saved is all of it, and somebody may have changed it since the list was read
  const opening = useAsync(async (id: string) => {
    edited.value = await api.topic(id)
  })
  const found = (directory.topics.value ?? []).filter(({ id, name }) => matches(wanted, name.ru, name.en, id))
  const close = () => (edited.value = undefined)
  return (
    <>
      <h2>{said.title}</h2>
      <ul class="groups">
        {found.map((topic) => {
          const label = topic.name[language.code.value]
          return (
            <li key={topic.id}>
              <strong>{label}</strong>
              <span class="hint">
                {topic.id}
                {topic.size === undefined ? '' : `, ${words.people(topic.size)}`}
              </span>
              {topic.mayWrite && <WriteButton token={`topic:${topic.id}`} label={label} />}
              {session.may('operator') && (
                <button type="button" aria-label={said.edit(label)} onClick={() => opening.run(topic.id)}>
                  {said.editShort}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      <Failure error={opening.error.value} />
      {session.may('operator') && (
        <div class="actions">
          <button type="button" onClick={() => (edited.value = 'new')}>
            {said.add}
          </button>
        </div>
      )}
      {edited.value && (
        <TopicDialog
          topic={edited.value === 'new' ? undefined : edited.value}
          onClose={close}
          onChanged={() => {
            close()
            directory.load()
          }}
        />
      )}
    </>
  )
}

/** Begins a message to this group, cohort or topic. */
function WriteButton(recipient: Recipient) {
  const { draft, router } = useStores()
  const { groupsPage, nav } = useWords()
  const write = () => {
    draft.change({ to: [recipient] })
    router.go({ view: 'compose' })
  }
  return (
    <button type="button" aria-label={groupsPage.write(recipient.label)} onClick={write}>
      {nav.compose}
    </button>
  )
}
