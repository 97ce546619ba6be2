import type { ChannelView, ServiceView, StreamList } from '@courier-fleet/api-types'
import type { Seen } from '@courier-fleet/words/troubles'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { type ProcessWords, useProcessWords } from '../../texts/process.ts'
import { useServiceWords } from '../../texts/service.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useTime } from '../use-time.ts'

type Courier = ChannelView['couriers'][number]
type PaceName = keyof ProcessWords['pace']

interface Props {
  readonly name: string
  /** as it is now, also while the dialog is open */
  readonly seen: Seen
  readonly onClose: () => void
}

/** All that is known of one process: since when it runs, by which settings, what it works on, and what it last said. */
export function ProcessDialog({ name, seen: { service, channels }, onClose }: Props) {
  const said = useProcessWords()
  const process = service.processes.find((each) => each.name === name)
  const courier = channels.channels.flatMap(({ couriers }) => couriers).find((each) => each.name === name)
  return (
    <Dialog title={name} onClose={onClose}>
      {process ? (
        <dl>
          <OfProcess process={process} newest={channels.settings.version} />
          {courier && <OfCourier courier={courier} />}
        </dl>
      ) : (
        <p>{said.gone}</p>
      )}
      {courier && <Claims name={name} asOf={service.asOf} />}
    </Dialog>
  )
}

interface ProcessProps {
  readonly process: ServiceView['processes'][number]
  readonly newest: number
}

function OfProcess({ process: { version, startedAt, seenAt, settings, busy }, newest }: ProcessProps) {
  const { language } = useStores()
  const said = useProcessWords()
  const time = useTime()
  const share = new Intl.NumberFormat(language.code.value, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <>
      <Fact name={said.fleetVersion} value={version} />
      <Fact name={said.started} value={time(startedAt)} />
      <Fact name={said.seen} value={seenAt && time(seenAt)} />
      <Fact name={said.settings} value={settings === undefined ? undefined : said.version(settings, newest)} />
      <Fact name={said.busy} value={busy === undefined ? undefined : said.core(share.format(busy))} />
    </>
  )
}

function OfCourier({ courier }: { courier: Courier }) {
  const said = useProcessWords()
  const { number } = useWords()
  const { target } = useServiceWords()
  const time = useTime()
  const { notReady, lately, inFlight, pid } = courier
  const slowDown = lately?.slowDown
  return (
    <>
      <Fact name={said.pid} value={String(pid)} />
      <Fact name={said.target} value={courier.target && (target[courier.target] ?? courier.target)} />
      <Fact name={said.inFlight} value={inFlight === undefined ? undefined : said.claims(inFlight)} />
      {[notReady, slowDown].map(
        (told) =>
          told && (
            <Fact
              key={told.why}
              name={said.lastWords}
              value={
                <>
                  {time(told.since)}: <q lang="en">{told.why}</q>
                </>
              }
            />
          ),
      )}
      {(Object.keys(said.pace) as PaceName[]).map((name) => (
        <Fact key={name} name={said.pace[name]} value={paceWords(said, number, courier, name)} />
      ))}
    </>
  )
}

/** What it works by, and what it was started with where that is another; of a window where there is one alone. */
function paceWords(
  said: ProcessWords,
  number: (count: number) => string,
  { pace, startedWith }: Courier,
  name: PaceName,
): string | undefined {
  const words = (value: number | undefined) => (value === undefined ? said.noLimit : number(value))
  if (!pace || (pace[name] === undefined && name !== 'perSecond')) return undefined
  const isOther = startedWith && startedWith[name] !== pace[name]
  return `${words(pace[name])}${isOther ? ` (${said.startedWith(words(startedWith[name]))})` : ''}`
}

function Fact({ name, value }: { name: string; value: ComponentChildren }) {
  if (value === undefined) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

interface Claim {
  /** under what name it has claimed */
  readonly consumer: string
  readonly channel: string
  readonly class: string
  readonly pending: number
  /** since something of it was last claimed or renewed; undefined where it never was */
  readonly idleMs: number | undefined
}

/** What it has claimed and not finished, read again whenever the page is. */
function Claims({ name, asOf }: { name: string; asOf: string }) {
  const { api } = useStores()
  const { channelName } = useWords()
  const said = useProcessWords()
  const { span } = useServiceWords()
  const list = useSignal<StreamList | undefined>(undefined)
  const reading = useAsync(async () => {
    list.value = await api.streams()
  })
  useEffect(() => {
    reading.run()
  }, [asOf])
  const claims = claimsOf(name, list.value?.streams ?? [])
  return (
    <>
      <h3>{said.holds}</h3>
      <p class="hint">{said.holdsHint}</p>
      <Failure error={reading.error.value} />
      {list.value && claims.length === 0 && <p>{said.nothing}</p>}
      <ul>
        {claims.map((claim) => (
          <li key={claim.consumer + claim.channel + claim.class}>
            {claim.consumer}:{' '}
            {said.held(
              channelName(claim.channel),
              said.classes[claim.class] ?? claim.class,
              claim.pending,
              claim.idleMs === undefined ? undefined : span(claim.idleMs),
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Of each start, channel and class, whatever shard it is in. */
function claimsOf(name: string, streams: StreamList['streams']): Claim[] {
  const found = new Map<string, Claim>()
  for (const { channel, class: cls, group } of streams) {
    for (const { name: consumer, pending, idleMs } of group?.consumers ?? []) {
      if (pending === 0 || !isStartOf(name, consumer)) continue
      const key = [consumer, channel, cls].join()
      const before = found.get(key)
      const idle = [before?.idleMs, idleMs].filter((ms) => ms !== undefined)
      found.set(key, {
        consumer,
        channel,
        class: cls,
        pending: (before?.pending ?? 0) + pending,
        idleMs: idle.length === 0 ? undefined : Math.min(...idle),
      })
    }
  }
  return [...found.values()]
}

/** Its name, eight characters of each start, and where a replica may take the place of its Redis what stands for the master. */
const isStartOf = (name: string, consumer: string) =>
  consumer.startsWith(`${name}-`) && /^[\w-]{8}(@.*)?$/.test(consumer.slice(name.length + 1))
