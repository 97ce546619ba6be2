import type { PersonDetails } from '@courier-fleet/api-types'
import { agreementText } from '@courier-fleet/api-types/agreement'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { later } from '../parts/later.tsx'
import { ContactList } from '../parts/people/contact-list.tsx'
import { ReceivedMessages } from '../parts/people/received-messages.tsx'
import { SessionList } from '../parts/people/session-list.tsx'
import { TopicList } from '../parts/people/topic-list.tsx'
import { Wishes } from '../parts/people/wishes.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import { useStores, useWords } from '../stores.ts'

const PushSwitch = later(async () => (await import('../parts/people/push-switch.tsx')).PushSwitch)

/** One's own contacts: which are linked, and which of them may be written to; and what one has joined. */
export function Me() {
  const { api, session, language } = useStores()
  const words = useWords()
  const person = useSignal<PersonDetails | undefined>(undefined)
  const who = session.current.value
  const loading = useAsync(async () => {
    if (who?.person) person.value = await api.person(who.owner)
  })
  useEffect(() => {
    loading.run()
  }, [who?.owner])
  const found = person.value
  return (
    <>
      <Title>{words.me.title}</Title>
      <Failure error={loading.error.value} retry={loading.run} />
      {who && !who.person && <p>{words.me.notInDirectory}</p>}
      {found && (
        <>
          <dl class="facts">
            <dt>{words.me.who}</dt>
            <dd>
              {found.name} ({found.id}), {who?.ownRole?.name[language.code.value] ?? words.roles[found.role]}
            </dd>
            <dt>{words.me.zone}</dt>
            <dd>{found.timeZone}</dd>
          </dl>
          <p>{words.me.intro}</p>
          <ContactList
            person={found}
            editable
            onChanged={loading.run}
            agreement={agreementText('page', language.code.value)}
          />
          <PushSwitch person={found} onChanged={loading.run} />
          <Wishes person={found} />
          <ReceivedMessages person={found.id} />
          <h2>{words.topics.title}</h2>
          <TopicList />
        </>
      )}
      {who && (
        <>
          <h2>{words.sessions.title}</h2>
          <SessionList person={who.owner} />
        </>
      )}
    </>
  )
}
