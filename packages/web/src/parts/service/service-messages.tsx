import type { HistoryView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { everybody } from '../../stores/history-list.ts'
import { useStores, useWords } from '../../stores.ts'
import { type ServiceWords, useServiceWords } from '../../texts/service.ts'
import { Anchor } from '../anchor.tsx'
import { Failure } from '../failure.tsx'
import { HistoryActions } from '../message/history-actions.tsx'
import { useAsync } from '../use-async.ts'

const everyMs = 10_000
/** of the latest messages so many are looked at, and so many are shown */
const looked = 100
const shown = 20
/** A message that runs for longer is looked at. */
const lateMs = 60_000
/** so large a part of its people did not get it */
const failedShare = 0.1

/** Messages of anybody that an operator should look at, with what can be done about each. */
export function ServiceMessages() {
  const { api } = useStores()
  const words = useWords()
  const said = useServiceWords()
  const list = useSignal<readonly HistoryView[] | undefined>(undefined)
  const loading = useAsync(async () => {
    const read = (page: { state?: 'held' | 'running' }) => api.histories({ sender: everybody, limit: looked, ...page })
    const pages = await Promise.all([read({ state: 'held' }), read({ state: 'running' }), read({})])
    const all = new Map(pages.flatMap(({ histories }) => histories).map((history) => [history.key, history]))
    list.value = [...all.values()]
  })
  useEffect(() => {
    const look = () => {
      if (!document.hidden) loading.run()
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [])
  const found = (list.value ?? []).flatMap((history) => {
    const why = whyIn(history, said, words.number)
    return why === undefined ? [] : [{ history, why }]
  })
  return (
    <section aria-labelledby="in-trouble">
      <h2 id="in-trouble">{said.messages}</h2>
      <Failure error={loading.error.value} retry={loading.run} />
      {list.value && found.length === 0 && <p class="hint">{said.noMessages}</p>}
      <ul class="groups">
        {found.slice(0, shown).map(({ history, why }) => (
          <li key={history.key}>
            <Anchor to={{ view: 'message', key: history.key }}>
              {firstLine(history.text ?? words.known.textGone)}
            </Anchor>
            <span class="hint">
              {history.senderName ?? history.sender}: {why}
            </span>
            <HistoryActions history={history} onChanged={loading.run} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Undefined where all is well with it. */
function whyIn(history: HistoryView, said: ServiceWords, number: (count: number) => string): string | undefined {
  const { heldSince, state, startedAt, people, audience } = history
  if (heldSince) return said.isHeld
  const forMs = Date.now() - Date.parse(startedAt ?? '')
  if (state === 'running' && forMs > lateMs) return said.isLate(said.span(forMs))
  const failed = (people?.notDelivered ?? 0) + (people?.unknown ?? 0)
  const of = audience?.size ?? 0
  return failed > 0 && failed >= of * failedShare ? said.hasFailed(number(failed), number(of)) : undefined
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] as string
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
