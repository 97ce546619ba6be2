import type { WishesInput, WishesView } from '@courier-fleet/api-types'
import { useStores, useWords } from '../../stores.ts'

interface Props {
  readonly wishes: WishesView
  /** on which the person has a contact */
  readonly channels: readonly string[]
  readonly onChange: (change: (before: WishesView) => WishesInput, said: string) => void
}

/** Which types of message somebody gets, everywhere and on each channel. */
export function TypeSwitches({ wishes, channels, onChange }: Props) {
  const { language } = useStores()
  const { wishes: said, channelName } = useWords()
  const { off } = wishes
  const isOff = (type: string, channel: string) => off.includes(type) || off.includes(`${type}:${channel}`)

  function switchType(type: string, name: string, on: boolean) {
    onChange(
      (before) => ({ ...kept(before), off: [...without(before.off, type), ...(on ? [] : [type])] }),
      on ? said.on(name) : said.off(name),
    )
  }
  function switchChannel(type: string, name: string, channel: string, on: boolean) {
    onChange(
      (before) => {
        const others = channels.filter((each) => each !== channel)
        const stillOff = others.filter((each) => before.off.includes(type) || before.off.includes(`${type}:${each}`))
        const wanted = [...stillOff, ...(on ? [] : [channel])].map((each) => `${type}:${each}`)
        return { ...kept(before), off: [...without(before.off, type), ...wanted] }
      },
      on ? said.on(`${name}, ${channelName(channel)}`) : said.off(`${name}, ${channelName(channel)}`),
    )
  }
  return (
    <ul class="switches">
      {wishes.types.map(({ id, name, mandatory }) => {
        const label = name[language.code.value]
        return (
          <li key={id}>
            <label class="choice">
              <input
                type="checkbox"
                checked={mandatory || !off.includes(id)}
                disabled={mandatory}
                onChange={(event) => switchType(id, label, event.currentTarget.checked)}
              />
              {label}
            </label>
            {mandatory && <span class="hint">{said.mandatory}</span>}
            {!mandatory && channels.length > 0 && (
              <details>
                <summary>{said.byChannel(label)}</summary>
                {channels.map((channel) => (
                  <label key={channel} class="choice">
                    <input
                      type="checkbox"
                      checked={!isOff(id, channel)}
                      onChange={(event) => switchChannel(id, label, channel, event.currentTarget.checked)}
                    />
                    {channelName(channel)}
                  </label>
                ))}
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What was said of this type, everywhere or on a channel, is said anew. */
const without = (off: readonly string[], type: string) =>
  off.filter((each) => each !== type && !each.startsWith(`${type}:`))

const kept = ({ quiet }: WishesView): Pick<WishesInput, 'quiet'> => (quiet === undefined ? {} : { quiet })
