import type { AuditLine, ServiceView } from '@courier-fleet/api-types'
import type { Seen } from '@courier-fleet/words/troubles'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useEventsWords } from '../../texts/service-events.ts'
import { Anchor } from '../anchor.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment, usePreciseMoment } from '../use-moment.ts'

/** lines of the audit that are looked through, and events that are shown */
const looked = 500
const shown = 30

/** Starts and ends of processes, what was taken over, what was wrong and is over, and what people have changed that may explain it. */
export function ServiceEvents({ seen: { service } }: { seen: Seen }) {
  const { api } = useStores()
  const { channelName } = useWords()
  const said = useEventsWords()
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
    ...(service.happened ?? []).map((each) => ({
      at: each.at,
      key: each.what + each.of + each.at,
      what: <Happened happened={each} />,
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

function Happened({ happened: { what, of, since } }: { happened: NonNullable<ServiceView['happened']>[number] }) {
  const { channelName } = useWords()
  const said = useEventsWords()
  const time = usePreciseMoment()(since)
  if (what !== 'alarm-over')
    return <span>{said.happened[what](what === 'slow-down-over' ? channelName(of) : of, time)}</span>
  const [kind = '', ...ofWhat] = of.split(':')
  return <span>{said.alarmOver(said.alarms[kind] ?? kind, ofWhat.join(':'), time)}</span>
}

function Change({ line: { action, by, channel, history, person, detail, before, after } }: { line: AuditLine }) {
  const words = useWords()
  const said = useEventsWords()
  const more = detail && said.details(detail)
  const whom = [channel && words.channelName(channel), person !== by && person, more].filter(Boolean).join(', ')
  // the states of a message are words for programs
  const change = before && after && !history ? ` (${before} → ${after})` : ''
  return (
    <span>
      {by}: {said.actions[action]}
      {whom && `, ${whom}`}
      {change} {history && <Anchor to={{ view: 'message', key: history }}>{history}</Anchor>}
    </span>
  )
}
