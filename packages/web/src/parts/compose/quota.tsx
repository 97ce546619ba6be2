import { useStores, useWords } from '../../stores.ts'
import { useMoment } from '../use-moment.ts'

/** What is left of the day's messages. */
export function Quota() {
  const { session } = useStores()
  const { compose } = useWords()
  const moment = useMoment()
  const limits = session.current.value?.limits
  if (!limits) return null
  const { left, limit, resetsAt } = limits
  if (left === null || limit === null) return <p class="hint">{compose.unlimited}</p>
  if (left === 0 && resetsAt) return <p class="hint warn">{compose.quotaGone(moment(resetsAt))}</p>
  return <p class="hint">{compose.quota(left, limit)}</p>
}
