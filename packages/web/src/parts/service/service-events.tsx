import type { AuditLine } from '@courier-fleet/api-types'
import type { Seen } from '@courier-fleet/words/troubles'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useServiceWords } from '../../texts/service.ts'
import { Anchor } from '../anchor.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'

/** lines of the audit that are looked through, and events that are shown */
const looked = 500
const shown = 30

/** Starts of processes, what was taken over from those that fell silent, and what people have changed that may explain them. */
export function ServiceEvents({ seen: { service } }: { seen: Seen }) {
  const { api } = useStores()
  const { channelName } = useWords()
  const said = useServiceWords()
  const moment = useMoment()
  const lines = useSignal<readonly AuditLine[]>([])
  const loading = useAsync(async () => {
    lines.value = (await api.audit({ limit: looked })).lines
  })
  useEffect(() => {
    loading.run()
  }, [])
  const changes = lines.value.filter(({ action }) => said.actions[action] !== undefined)
  const events = [
    ...changes.map((line) => ({ at: line.at, key: line.id, what: <Change line={line} /> })),
    ...service.processes.map(({ name, startedAt: at }) => ({
      at,
      key: name + at,
      what: <span>{said.started(name)}</span>,
    })),
    ...service.takenOver.map(({ at, channel, people }) => ({
      at,
      key: channel + at,
      what: <span>{said.takenOver(channelName(channel), people)}</span>,
    })),
  ]
  const newest = events.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, shown)
  return (
    <section aria-labelledby="events">
      <h2 id="events">{said.events}</h2>
      <p class="hint">{said.eventsHint}</p>
      <Failure error={loading.error.value} retry={loading.run} />
      <ul class="sessions events">
        {newest.map(({ at, key, what }) => (
          <li key={key}>
            <span class="hint">{moment(at)}</span>
            {what}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Change({ line: { action, by, channel, history, person, detail, before, after } }: { line: AuditLine }) {
  const words = useWords()
  const said = useServiceWords()
  const more = detail && said.details(detail)
  const whom = [channel && words.channelName(channel), person !== by && person, more].filter(Boolean).join(', ')
  const change = before && after ? ` (${before} → ${after})` : ''
  return (
    <span>
      {by}: {said.actions[action]}
      {whom && `, ${whom}`}
      {change} {history && <Anchor to={{ view: 'message', key: history }}>{history}</Anchor>}
    </span>
  )
}
