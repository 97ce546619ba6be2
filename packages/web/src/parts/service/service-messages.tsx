import type { HistoriesPage } from '@courier-fleet/api-types'
import { messagesInTrouble, troubledAmong } from '@courier-fleet/words/message-troubles'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useServiceWords } from '../../texts/service.ts'
import { Anchor } from '../anchor.tsx'
import { Failure } from '../failure.tsx'
import { HistoryActions } from '../message/history-actions.tsx'
import { useAsync } from '../use-async.ts'

const everyMs = 10_000

/** Messages of anybody that an operator should look at, with what can be done about each. */
export function ServiceMessages() {
  const { api, language } = useStores()
  const words = useWords()
  const said = useServiceWords()
  const pages = useSignal<readonly HistoriesPage[] | undefined>(undefined)
  const loading = useAsync(async () => {
    pages.value = await Promise.all(troubledAmong.map(api.histories))
  })
  useEffect(() => {
    const look = () => {
      if (!document.hidden) loading.run()
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [])
  const found = messagesInTrouble(language.code.value, pages.value ?? [], Date.now())
  return (
    <section aria-labelledby="in-trouble">
      <h2 id="in-trouble">{said.messages}</h2>
      <Failure error={loading.error.value} retry={loading.run} />
      {pages.value && found.length === 0 && <p class="hint">{said.noMessages}</p>}
      <ul class="groups">
        {found.map(({ history, why }) => (
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

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] as string
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
