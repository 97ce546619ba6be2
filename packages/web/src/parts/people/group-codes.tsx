import { channelNames } from '@courier-fleet/channels'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useGroupCodesWords } from '../../texts/group-codes.ts'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'

const maxDays = 30

/** Makes a code for each person of a group, on a sheet to be printed. */
export function GroupCodes({ group }: { group: string }) {
  const { api, session } = useStores()
  const words = useWords()
  const said = useGroupCodesWords()
  const linkable = channelNames.filter((channel) => words.channels[channel]?.link)
  const channel = useSignal<string>('telegram')
  const days = useSignal('7')
  const again = useSignal(false)
  /** the sheet as this page holds it: the codes are shown this once */
  const sheet = useSignal<string | undefined>(undefined)
  const forget = () => {
    if (sheet.value !== undefined) URL.revokeObjectURL(sheet.value)
    sheet.value = undefined
  }
  useEffect(() => forget, [])
  const making = useAsync(async () => {
    const asked = { channel: channel.value, days: Number(days.value), again: again.value }
    const html = await api.groupCodesSheet(group, asked)
    forget()
    sheet.value = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  })
  return (
    <details>
      <summary>{said.title}</summary>
      <p class="hint">{said.intro}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          making.run()
        }}
      >
        <Field id="codes-channel" label={said.channel}>
          {(ids) => (
            <select {...ids} value={channel.value} onChange={(event) => (channel.value = event.currentTarget.value)}>
              {linkable.map((each) => (
                <option key={each} value={each}>
                  {words.channelName(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field id="codes-days" label={said.days}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              required
              min={1}
              max={maxDays}
              value={days.value}
              onInput={(event) => (days.value = event.currentTarget.value)}
            />
          )}
        </Field>
        {session.may('operator') && (
          <label>
            <input
              type="checkbox"
              checked={again.value}
              onChange={(event) => (again.value = event.currentTarget.checked)}
            />{' '}
            {said.again}
          </label>
        )}
        <Failure error={making.error.value} />
        <button type="submit" aria-disabled={making.running.value}>
          {said.make}
        </button>
      </form>
      {sheet.value && (
        <p class="note good" role="status">
          {said.voids}{' '}
          <a href={sheet.value} target="_blank" rel="noopener">
            {said.open}
          </a>
        </p>
      )}
    </details>
  )
}
