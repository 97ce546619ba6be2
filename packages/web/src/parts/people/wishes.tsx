import type { PersonDetails, WishesInput, WishesView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { OwnQuietHours } from './own-quiet-hours.tsx'
import { TypeSwitches } from './type-switches.tsx'

/** What somebody wants to get, and when: their own, or, for operators, anybody's. */
export function Wishes({ person }: { person: PersonDetails }) {
  const { api, notices } = useStores()
  const { wishes: words } = useWords()
  const wishes = useSignal<WishesView | undefined>(undefined)
  const loading = useAsync(async () => {
    wishes.value = await api.wishes(person.id)
  })
  const saving = useAsync(async (change: (before: WishesView) => WishesInput, said: string) => {
    try {
      wishes.value = await api.changeWishes(person.id, change)
      notices.announce(said)
    } catch (error) {
      // what is shown is what is kept
      if (wishes.value) wishes.value = { ...wishes.value }
      throw error
    }
  })
  useEffect(() => {
    loading.run()
  }, [person.id])
  return (
    <section aria-labelledby="wishes">
      <h2 id="wishes">{words.title}</h2>
      <Failure error={loading.error.value} retry={loading.run} />
      <Failure error={saving.error.value} />
      {wishes.value && (
        <>
          <p>{words.intro}</p>
          <TypeSwitches wishes={wishes.value} channels={Object.keys(person.contacts)} onChange={saving.run} />
          <OwnQuietHours wishes={wishes.value} onChange={saving.run} />
        </>
      )}
    </section>
  )
}
