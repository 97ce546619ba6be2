import type { ChannelView } from '@courier-fleet/api-types'
import { useEffect, useMemo } from 'preact/hooks'
import { createPauses } from '../../stores/pauses.ts'
import { useStores, useWords } from '../../stores.ts'
import { useRulesWords } from '../../texts/rules.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

/** The channels, each to be paused and resumed by an operator. */
export function ChannelSwitches() {
  const { api } = useStores()
  const rules = useRulesWords()
  const pauses = useMemo(() => createPauses(api), [api])
  useEffect(() => {
    pauses.start()
    return pauses.stop
  }, [pauses])
  const switching = useAsync(async ({ channel, paused }: ChannelView) => {
    await (paused ? api.resumeChannel(channel) : api.pauseChannel(channel))
    await pauses.again()
  })
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">{rules.channels}</h2>
      <p class="hint">{rules.channelsHint}</p>
      <Failure error={switching.error.value} />
      <ul class="notes" aria-live="polite">
        {pauses.moving.value.map(({ slot, from, to, shards }) => (
          <li key={slot}>
            {shards.length > 0 ? rules.moving(from, to, shards.join(', ')) : rules.movingPeople(from, to)}
          </li>
        ))}
      </ul>
      <ul class="groups">
        {pauses.channels.value.map((view) => (
          <Channel key={view.channel} view={view} onSwitch={() => switching.run(view)} />
        ))}
      </ul>
    </section>
  )
}

function Channel({ view: { channel, paused }, onSwitch }: { view: ChannelView; onSwitch: () => void }) {
  const words = useWords()
  const rules = useRulesWords()
  const name = words.channelName(channel)
  return (
    <li>
      <strong>{name}</strong>
      <span class="hint">{paused ? rules.pausedBy(paused.pausedBy) : ''}</span>
      <button
        type="button"
        aria-label={paused ? rules.resumeChannel(name) : rules.pauseChannel(name)}
        onClick={onSwitch}
      >
        {paused ? rules.resume : rules.pause}
      </button>
    </li>
  )
}
