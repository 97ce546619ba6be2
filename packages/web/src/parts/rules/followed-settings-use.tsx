import type { SettingsUse as Use } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { SettingsUse } from './settings-use.tsx'

const everyMs = 2_000

/** As it is now, read again while somebody sees it: whoever has changed something reads when it holds everywhere. */
export function FollowedSettingsUse({ first }: { first: Use }) {
  const { api } = useStores()
  const use = useSignal(first)
  const reading = useAsync(async () => {
    use.value = (await api.settings()).use
  })
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reading.run(), everyMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <SettingsUse use={use.value} />
      <Failure error={reading.error.value} />
    </>
  )
}
