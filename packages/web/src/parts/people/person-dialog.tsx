import type { PersonDetails } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useRecipientLabel } from '../message/use-recipient-label.ts'
import { useAsync } from '../use-async.ts'
import { useRoleNames } from '../use-role-names.ts'
import { ContactList } from './contact-list.tsx'
import { PersonRole } from './person-role.tsx'
import { SessionList } from './session-list.tsx'

/** A person's contacts and groups; operators link, stop and unlink for them. */
export function PersonDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { api, session } = useStores()
  const roleNames = useRoleNames()
  const labelOf = useRecipientLabel()
  const words = useWords()
  const person = useSignal<PersonDetails | undefined>(undefined)
  const loading = useAsync(async () => {
    person.value = await api.person(id)
  })
  useEffect(() => {
    loading.run()
  }, [id])
  const found = person.value
  return (
    <Dialog title={found?.name ?? words.loading} onClose={onClose}>
      <Failure error={loading.error.value} retry={loading.run} />
      {found && (
        <>
          <p class="hint">
            {found.id}, {roleNames.nameOf(found.role)}, {found.timeZone}
          </p>
          {session.may('admin') && <PersonRole person={found} onChanged={loading.run} />}
          <h3>{words.peoplePage.contacts}</h3>
          <ContactList person={found} editable={session.may('operator')} onChanged={loading.run} />
          <h3>{words.peoplePage.groups}</h3>
          <p>
            {found.groups.length > 0
              ? found.groups.map((group) => labelOf(`group:${group}`)).join(', ')
              : words.peoplePage.noGroups}
          </p>
          {session.may('operator') && (
            <>
              <h3>{words.sessions.ofPerson}</h3>
              <SessionList person={found.id} />
            </>
          )}
        </>
      )}
    </Dialog>
  )
}
