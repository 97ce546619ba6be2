/** Every field that a view of a resource may have, or have had: what is null for whoever is told again that it is gone. */
import {
  cohortView,
  groupView,
  historyView,
  messageType,
  personDetails,
  type SubscriptionResource,
} from '@courier-fleet/api-types'

export const fieldsOf: Readonly<Record<SubscriptionResource, readonly string[]>> = {
  history: Object.keys(historyView.shape),
  person: Object.keys(personDetails.shape),
  group: Object.keys(groupView.shape),
  cohort: Object.keys(cohortView.shape),
  ownership: ['owners'],
  channel: ['channel', 'tells', 'inUse', 'ready', 'paused'],
  type: Object.keys(messageType.shape),
}
