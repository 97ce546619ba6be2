import type { ChannelView, ServiceView } from '@courier-fleet/api-types'
import { isSilent, rateOf, type Seen } from '@courier-fleet/words/troubles'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { useServiceWords } from '../../texts/service.ts'
import { Failure } from '../failure.tsx'
import { later } from '../later.tsx'
import { useAsync } from '../use-async.ts'
import { ServiceClasses } from './service-classes.tsx'

// few look at them, and nobody before all the rest
const ChannelSettings = later(async () => (await import('./channel-settings.tsx')).ChannelSettings)
const RetireChannel = later(async () => (await import('./retire-channel.tsx')).RetireChannel)
const ServiceAccounts = later(async () => (await import('./service-accounts.tsx')).ServiceAccounts)
const ServiceEndpoints = later(async () => (await import('./service-endpoints.tsx')).ServiceEndpoints)

interface Props {
  readonly seen: Seen
  readonly onChanged: () => Promise<void>
}

/** Each channel: who waits for it, how fast it goes, what its provider says, who works for it. */
export function ServiceChannels({ seen: { channels, service }, onChanged }: Props) {
  const said = useServiceWords()
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">{said.channels}</h2>
      <div class="service-channels">
        {channels.channels.map((view) => (
          <Channel key={view.channel} view={view} service={service} onChanged={onChanged} />
        ))}
      </div>
      {channels.channels.some(({ backlog }) => backlog.waiting > 0) && <p class="hint">{said.waitingHint}</p>}
    </section>
  )
}

function Channel({ view, service, onChanged }: { view: ChannelView; service: ServiceView } & Pick<Props, 'onChanged'>) {
  const { api } = useStores()
  const words = useWords()
  const said = useServiceWords()
  const { channel, couriers, paused } = view
  const name = words.channelName(channel)
  const state = stateOf(view)
  const endpoints = service.endpoints?.find((each) => each.channel === channel)
  const switching = useAsync(async () => {
    await (paused ? api.resumeChannel(channel) : api.pauseChannel(channel))
    await onChanged()
  })
  const open = useSignal<'settings' | 'retire' | undefined>(undefined)
  const close = () => (open.value = undefined)
  const retired = () => {
    close()
    onChanged()
  }
  const silent = couriers.filter((courier) => courier.silent).length
  const ready = couriers.filter((courier) => courier.ready && !courier.silent).length
  return (
    <article class="card" aria-label={name}>
      <h3>
        {name} <span class={`badge ${state === 'works' ? 'everyone' : 'some'}`}>{said.state[state]}</span>
      </h3>
      <dl>
        <dt>{said.waiting}</dt>
        <dd>
          <Waiting view={view} service={service} />
        </dd>
        <dt>{said.rate}</dt>
        <dd>
          <Rate couriers={couriers} />
        </dd>
        <dt>{said.answer}</dt>
        <dd>
          <Answers couriers={couriers} />
        </dd>
        <dt>{said.couriers}</dt>
        <dd>
          {said.readyOf(ready, couriers.length)}
          {silent > 0 && <span class="hint"> · {said.silentOf(silent)}</span>}
        </dd>
      </dl>
      <ServiceClasses classes={view.classes} />
      {view.accounts && <ServiceAccounts accounts={view.accounts} />}
      {endpoints && <ServiceEndpoints endpoints={endpoints} asOf={service.asOf} />}
      <Failure error={switching.error.value} />
      <p class="actions">
        <button type="button" aria-disabled={switching.running.value} onClick={() => switching.run()}>
          {paused ? said.resume(name) : said.pause(name)}
        </button>
        <button type="button" onClick={() => (open.value = 'settings')}>
          {said.settingsOf(name)}
        </button>
        {couriers.length === 0 && (
          <button type="button" onClick={() => (open.value = 'retire')}>
            {said.retire(name)}
          </button>
        )}
      </p>
      {open.value === 'settings' && <ChannelSettings channel={view} onClose={close} />}
      {open.value === 'retire' && <RetireChannel channel={view} onClose={close} onDone={retired} />}
    </article>
  )
}

function stateOf(view: ChannelView) {
  const { paused, ready, couriers, backlog } = view
  if (paused) return 'paused'
  if (backlog.stuck) return 'stuck'
  if (!ready) return 'away'
  if (isSilent(view)) return 'silent'
  return backlog.pausedForMs > 0 || couriers.some(({ lately }) => lately?.slowDown) ? 'slow' : 'works'
}

function Waiting({ view: { channel, backlog }, service }: { view: ChannelView; service: ServiceView }) {
  const words = useWords()
  const said = useServiceWords()
  if (backlog.waiting === 0) return <>{said.nobody}</>
  const work = service.work.filter((each) => each.channel === channel)
  const oldest = work.flatMap(({ oldestAt }) => oldestAt ?? []).sort()[0]
  const forMs = oldest === undefined ? undefined : Date.parse(service.asOf) - Date.parse(oldest)
  return (
    <>
      <strong>{words.people(backlog.waiting)}</strong>
      {forMs !== undefined && <span class="hint"> · {said.oldest(said.span(forMs))}</span>}
    </>
  )
}

function Rate({ couriers }: Pick<ChannelView, 'couriers'>) {
  const words = useWords()
  const said = useServiceWords()
  const [first] = couriers
  const allowed = first?.pace?.perSecond
  return (
    <>
      {said.perSecond(words.number(Math.round(rateOf(couriers) * 10) / 10))}
      {first && (
        <span class="hint"> · {allowed === undefined ? said.noLimit : said.allowed(words.number(allowed))}</span>
      )}
    </>
  )
}

/** Of several couriers the slowest: it is what people notice. */
function Answers({ couriers }: Pick<ChannelView, 'couriers'>) {
  const said = useServiceWords()
  const words = useWords()
  const times = couriers.flatMap(({ lately }) => lately?.answerMs ?? [])
  if (times.length === 0) return <>{said.noAnswers}</>
  const ms = (value: number) => (value < 1000 ? `${words.number(value)} ${said.ms}` : said.span(value))
  return (
    <>
      {said.answers(ms(Math.max(...times.map((each) => each.median))), ms(Math.max(...times.map((each) => each.p99))))}
    </>
  )
}
