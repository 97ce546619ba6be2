import type { ChannelView } from '@courier-fleet/api-types'
import { tuningLimits } from '@courier-fleet/api-types/tuning-limits'
import { findChannel } from '@courier-fleet/channels'
import { useWords } from '../../stores.ts'
import { useChannelSettingsWords } from '../../texts/channel-settings.ts'
import { Field } from '../field.tsx'
import { isWhole, type TunedName, tunedIn, wordOf } from './tuned-value.ts'

interface Props {
  readonly name: TunedName
  readonly channel: ChannelView
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A number, nothing, or what a setting may be besides; with what the couriers were started with. */
export function TunedField({ name, channel, text, onChange }: Props) {
  const words = useWords()
  const said = useChannelSettingsWords()
  const word = wordOf[name]
  const isWord = word !== undefined && text === word
  return (
    <div>
      <Field
        id={`tuned-${name}`}
        label={said.names[name]}
        hint={useHint(name, channel)}
        error={
          tunedIn(name, text) === undefined ? said.wrong(words.number(tuningLimits[name]), isWhole(name)) : undefined
        }
      >
        {(ids) => (
          <input
            {...ids}
            inputMode="decimal"
            autocomplete="off"
            disabled={isWord}
            value={isWord ? '' : text}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </Field>
      {word && (
        <label class="choice">
          <input
            type="checkbox"
            checked={isWord}
            onChange={(event) => onChange(event.currentTarget.checked ? word : '')}
          />
          {said[word]}
        </label>
      )}
    </div>
  )
}

function useHint(name: TunedName, { channel, couriers }: ChannelView): string | undefined {
  const { number } = useWords()
  const said = useChannelSettingsWords()
  if (name === 'processes') return said.run(couriers.length)
  const known = couriers.filter(({ pace }) => pace)
  const values = (of: (courier: ChannelView['couriers'][number]) => number | undefined) =>
    [...new Set(known.map(of))].map((value) => (value === undefined ? said.noLimit : number(value))).join('; ')
  const started =
    known.length > 0
      ? said.started(
          values(({ startedWith, pace }) => (startedWith ?? pace)?.[name]),
          values(({ pace }) => pace?.[name]),
        )
      : undefined
  if (name !== 'perSecond') return started
  const isCalls = findChannel(channel)?.settings.countsCalls !== undefined
  return [said.counts[isCalls ? 'calls' : 'messages'], started].filter(Boolean).join(' ')
}
