import type { SubscriptionDelivery } from '@courier-fleet/api-types'
import { useIntegrationWords } from '../../texts/integrations.ts'
import { useMoment } from '../use-moment.ts'

/** so many are shown; the command line and the API have all */
const shown = 50

/** What was sent to a subscriber, the newest first. */
export function DeliveryList({ deliveries }: { deliveries: readonly SubscriptionDelivery[] }) {
  const said = useIntegrationWords()
  const moment = useMoment()
  if (deliveries.length === 0) return <p class="hint">{said.noDeliveries}</p>
  return (
    <ul class="sessions">
      {deliveries.slice(0, shown).map((each) => (
        <li key={`${each.id} ${each.attempt}`}>
          <span>
            {moment(each.at)} · {each.resource_id ?? said.aTest} {said.attempt(each.attempt)}
          </span>
          <DeliveryOutcome delivery={each} />
          {each.next && <span class="hint">{said.next(moment(each.next))}</span>}
          <details>
            <summary>{said.body}</summary>
            <code>{each.body}</code>
          </details>
        </li>
      ))}
    </ul>
  )
}

type Outcome = Pick<SubscriptionDelivery, 'delivered' | 'status' | 'why' | 'ms'>

/** What came of it in words, and beside them what the fleet says to those who write programs. */
export function DeliveryOutcome({ delivery: { delivered, status, why, ms } }: { delivery: Outcome }) {
  const said = useIntegrationWords()
  if (delivered) return <span class="hint">{said.taken(status ?? 0, ms)}</span>
  if (status !== undefined) return <span class="hint">{said.refused(status)}</span>
  return (
    <span class="hint">
      {said.noAnswer} <span lang="en">{why}</span>
    </span>
  )
}
