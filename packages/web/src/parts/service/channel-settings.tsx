import type { ChannelTuning, ChannelView, SettingsPatchInput, SettingsView } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { tuningWarnings } from '@courier-fleet/words/tuning-warnings'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useChannelSettingsWords } from '../../texts/channel-settings.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { FollowedSettingsUse } from '../rules/followed-settings-use.tsx'
import { SettingsChange } from '../rules/settings-change.tsx'
import { useAsync } from '../use-async.ts'
import { TunedField } from './tuned-field.tsx'
import { type TunedName, textOf, tunedIn } from './tuned-value.ts'

interface Props {
  /** as it is now, also while the dialog is open */
  readonly channel: ChannelView
  readonly onClose: () => void
}

type Typed = Readonly<Partial<Record<TunedName, string>>>

/** How fast a channel works: beside what its couriers were started with, and in which processes it holds already. */
export function ChannelSettings({ channel, onClose }: Props) {
  const { api } = useStores()
  const words = useWords()
  const said = useChannelSettingsWords()
  const view = useSignal<SettingsView | undefined>(undefined)
  const typed = useSignal<Typed>({})
  const loading = useAsync(async () => {
    view.value = await api.settings()
  })
  useEffect(() => {
    loading.run()
  }, [])
  return (
    <Dialog title={said.title(words.channelName(channel.channel))} onClose={onClose}>
      <p>{said.intro}</p>
      <Failure error={loading.error.value} retry={loading.run} />
      {!view.value && loading.running.value && <p>{words.loading}</p>}
      {view.value && (
        <>
          <Form
            channel={channel}
            view={view.value}
            typed={typed.value}
            onTyped={(next) => (typed.value = next)}
            read={loading.run}
          />
          <FollowedSettingsUse key={view.value.version} first={view.value.use} />
        </>
      )}
    </Dialog>
  )
}

interface FormProps extends Pick<Props, 'channel'> {
  readonly view: SettingsView
  /** what stands in the fields that were touched: the others follow the settings */
  readonly typed: Typed
  readonly onTyped: (typed: Typed) => void
  readonly read: () => Promise<void>
}

function Form({ channel, view, typed, onTyped, read }: FormProps) {
  const { language } = useStores()
  const words = useWords()
  const said = useChannelSettingsWords()
  const own = view.settings.channels[channel.channel] ?? {}
  const patch = patchIn(channel.channel, typed, own)
  return (
    <SettingsChange
      label={said.title(words.channelName(channel.channel))}
      version={view.version}
      patch={patch}
      warnings={tuningWarnings(language.code.value, channel, patch?.channels?.[channel.channel] ?? {})}
      concerned={said.concerned(channel.backlog.waiting)}
      read={read}
      onChanged={() => onTyped({})}
    >
      {namesOf(channel.channel).map((name) => (
        <TunedField
          key={name}
          name={name}
          channel={channel}
          text={typed[name] ?? textOf(own[name])}
          onChange={(text) => onTyped({ ...typed, [name]: text })}
        />
      ))}
    </SettingsChange>
  )
}

/** A window is where resends are not folded. */
const namesOf = (channel: string): TunedName[] => [
  'perSecond',
  'batchSize',
  'concurrency',
  ...(findChannel(channel)?.abilities.foldsResends ? [] : (['window'] as const)),
  'processes',
]

/** @returns undefined where something that was typed is no value */
function patchIn(channel: string, typed: Typed, before: ChannelTuning): SettingsPatchInput | undefined {
  const wanted = (Object.keys(typed) as TunedName[]).map((name) => [name, tunedIn(name, typed[name] ?? '')] as const)
  if (wanted.some(([, value]) => value === undefined)) return undefined
  const changed = wanted.filter(([name, value]) => value !== (before[name] ?? null))
  return changed.length === 0 ? {} : { channels: { [channel]: Object.fromEntries(changed) } }
}
