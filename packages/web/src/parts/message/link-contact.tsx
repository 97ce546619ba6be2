import type { PersonDetails } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useWaysLeftWords } from '../../texts/ways-left.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { ContactList } from '../people/contact-list.tsx'
import { useAsync } from '../use-async.ts'

/** For operators: somebody who was not reached gets a code and its picture, and is linked by it before one's eyes. */
export function LinkContact({ person, name }: { person: string; name: string }) {
  const { api } = useStores()
  const { loading } = useWords()
  const { link } = useWaysLeftWords()
  const open = useSignal(false)
  const details = useSignal<PersonDetails | undefined>(undefined)
  const looking = useAsync(async () => {
    details.value = await api.person(person)
  })
  useEffect(() => {
    if (open.value) looking.run()
  }, [open.value])
  return (
    <>
      <button type="button" class="of-row" aria-label={`${link}: ${name}`} onClick={() => (open.value = true)}>
        {link}
      </button>
      {open.value && (
        <Dialog title={name} onClose={() => (open.value = false)}>
          <Failure error={looking.error.value} retry={looking.run} />
          {details.value ? (
            <ContactList person={details.value} editable onChanged={looking.run} />
          ) : (
            !looking.error.value && <p>{loading}</p>
          )}
        </Dialog>
      )}
    </>
  )
}
