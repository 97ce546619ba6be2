import type { ChannelView, ServiceView } from '@courier-fleet/api-types'
import type { Seen } from '@courier-fleet/words/troubles'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { useServiceWords } from '../../texts/service.ts'
import { later } from '../later.tsx'
import { SettingsUse } from '../rules/settings-use.tsx'
import { useTime } from '../use-time.ts'

const ProcessDialog = later(async () => (await import('./process-dialog.tsx')).ProcessDialog)
const ServiceBudget = later(async () => (await import('./service-budget.tsx')).ServiceBudget)

/** Every process that is alive, who waits for a later time, the budget of the month, and the memory of Redis. */
export function ServiceProcesses({ seen }: { seen: Seen }) {
  const { channels, service } = seen
  const open = useSignal<string | undefined>(undefined)
  const said = useServiceWords()
  const { language } = useStores()
  const couriers = new Map(channels.channels.flatMap((each) => each.couriers).map((each) => [each.name, each]))
  const size = new Intl.NumberFormat(language.code.value, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })
  const bytes = (value: number) => size.format(value / 2 ** 20)
  const { usedBytes, maxBytes } = service.redis
  return (
    <section aria-labelledby="processes">
      <Held service={service} />
      <ServiceBudget service={service} />
      <h2 id="processes">{said.processes}</h2>
      <SettingsUse use={channels.settings} />
      <ul class="sessions">
        {service.processes.map((process) => (
          <Process
            key={process.name}
            process={process}
            courier={couriers.get(process.name)}
            asOf={service.asOf}
            onOpen={() => (open.value = process.name)}
          />
        ))}
      </ul>
      {open.value && <ProcessDialog name={open.value} seen={seen} onClose={() => (open.value = undefined)} />}
      <p>{said.memory(bytes(usedBytes), maxBytes > 0 ? bytes(maxBytes) : undefined)}</p>
    </section>
  )
}

interface ProcessProps {
  readonly process: ServiceView['processes'][number]
  readonly courier: ChannelView['couriers'][number] | undefined
  readonly asOf: string
  readonly onOpen: () => void
}

function Process({ process, courier, asOf, onOpen }: ProcessProps) {
  const { name, startedAt, seenAt, ready, silent, settings } = process
  const said = useServiceWords()
  const ago = (at: string) => said.span(Date.parse(asOf) - Date.parse(at))
  const state = silent ? 'silent' : ready ? 'ready' : 'notReady'
  const facts = [
    said.since(ago(startedAt)),
    ...(seenAt ? [said.seen(ago(seenAt))] : []),
    ...(courier?.target ? [said.target[courier.target] ?? courier.target] : []),
    ...(settings === undefined ? [] : [said.settings(settings)]),
  ]
  return (
    <li>
      <span>
        <button type="button" class="link" onClick={onOpen}>
          <strong>{name}</strong>
        </button>{' '}
        <span class={`badge ${state === 'ready' ? 'everyone' : 'some'}`}>{said[state]}</span>
      </span>
      <span class="hint">{facts.join(' · ')}</span>
      {courier?.notReady && <span lang="en">{courier.notReady.why}</span>}
    </li>
  )
}

function Held({ service: { held } }: { service: ServiceView }) {
  const words = useWords()
  const said = useServiceWords()
  const time = useTime()
  const causes = Object.entries(held.people)
  if (causes.length === 0) return null
  return (
    <>
      <h2>{said.held}</h2>
      <ul>
        {causes.map(([cause, people]) => (
          <li key={cause}>
            {words.known.causes[cause as keyof typeof words.known.causes]}: {held.atLeast ? '≥ ' : ''}
            {words.people(people)}
          </li>
        ))}
      </ul>
      {held.firstAt && <p class="hint">{said.heldUntil(time(held.firstAt))}</p>}
    </>
  )
}
