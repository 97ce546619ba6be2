import type { SessionList as Sessions } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'

/** The browsers in which a person is signed in, each to be ended; of the one that shows this, the way out is in the header. */
export function SessionList({ person }: { person: string }) {
  const { api, notices } = useStores()
  const words = useWords()
  const { sessions: said } = words
  const moment = useMoment()
  const list = useSignal<Sessions['sessions'] | undefined>(undefined)
  const loading = useAsync(async () => {
    list.value = (await api.sessions(person)).sessions
  })
  const ending = useAsync(async (ids: readonly string[]) => {
    for (const id of ids) await api.endSession(id)
    notices.announce(said.ended(ids.length))
    await loading.run()
  })
  useEffect(() => {
    loading.run()
  }, [person])

  const others = (list.value ?? []).filter(({ current }) => !current).map(({ id }) => id)
  return (
    <section aria-label={said.title}>
      <Failure error={loading.error.value} retry={loading.run} />
      <Failure error={ending.error.value} />
      <ul class="sessions">
        {list.value?.map(({ id, openedAt, expiresAt, current }) => (
          <li key={id}>
            <span>
              {said.opened(moment(openedAt))}
              {current && <strong> · {said.current}</strong>}
            </span>
            <span class="hint">{said.until(moment(expiresAt))}</span>
            {!current && (
              <button type="button" aria-label={said.endOf(moment(openedAt))} onClick={() => ending.run([id])}>
                {said.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {list.value?.length === 0 && <p class="hint">{said.none}</p>}
      {others.length > 1 && (
        <button type="button" class="danger" onClick={() => ending.run(others)}>
          {said.endOthers}
        </button>
      )}
    </section>
  )
}
