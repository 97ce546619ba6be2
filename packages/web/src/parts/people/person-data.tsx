import type { ErasureReason, PersonData, PersonView } from '@courier-fleet/api-types'
import { erasureReasons } from '@courier-fleet/api-types/erasure-reasons'
import type { Client } from '@courier-fleet/client'
import { useSignal } from '@preact/signals'
import { useStores } from '../../stores.ts'
import { useLookUpWords } from '../../texts/look-up.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

/** What an administrator may do with all that is known of somebody: save it, and erase it. */
export function PersonDataActions({ person }: { person: PersonView }) {
  const { api, session } = useStores()
  const said = useLookUpWords()
  const asked = useSignal(false)
  const begun = useSignal(false)
  const saving = useAsync(async () => save(`${person.id}.json`, await allOf(api, person.id)))
  if (!session.may('admin')) return null
  if (begun.value) return <p role="status">{said.erasing}</p>
  return (
    <>
      <div class="actions">
        <button type="button" aria-disabled={saving.running.value} onClick={() => saving.run()}>
          {said.data}
        </button>
        {person.id !== session.current.value?.owner && (
          <button type="button" class="danger" onClick={() => (asked.value = true)}>
            {said.erase}
          </button>
        )}
      </div>
      <Failure error={saving.error.value} retry={saving.run} />
      {asked.value && (
        <EraseDialog
          person={person}
          onClose={() => (asked.value = false)}
          onDone={() => {
            asked.value = false
            begun.value = true
          }}
        />
      )}
    </>
  )
}

interface EraseProps {
  readonly person: PersonView
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Nothing is chosen beforehand. */
function EraseDialog({ person, onClose, onDone }: EraseProps) {
  const { api } = useStores()
  const said = useLookUpWords()
  const reason = useSignal<ErasureReason | undefined>(undefined)
  const erasing = useAsync(async (why: ErasureReason) => {
    await api.erase(person.id, { reason: why })
    onDone()
  })
  return (
    <Dialog title={said.eraseTitle(person.name)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.value) erasing.run(reason.value)
        }}
      >
        <p>{said.eraseText}</p>
        <fieldset class="choices">
          <legend>{said.eraseWhy}</legend>
          {erasureReasons.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="reason"
                checked={reason.value === each}
                onChange={() => (reason.value = each)}
              />
              {said.eraseReasons[each]}
            </label>
          ))}
        </fieldset>
        <Failure error={erasing.error.value} />
        <div class="actions">
          <button type="submit" class="danger" aria-disabled={reason.value === undefined}>
            {said.eraseYes}
          </button>
          <button type="button" onClick={onClose}>
            {said.eraseNo}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

async function allOf(api: Client, person: string): Promise<PersonData> {
  const { next: second, ...first } = await api.personData(person)
  const messages = [...first.messages]
  for (let to = second; to !== undefined; ) {
    const page = await api.personData(person, { to })
    messages.push(...page.messages)
    to = page.next
  }
  return { ...first, messages }
}

function save(name: string, data: PersonData): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
