import type { SubscriptionResource } from '@courier-fleet/api-types'
import { subscriptionResources } from '@courier-fleet/api-types/subscription-resources'
import { useSignal } from '@preact/signals'
import { useStores } from '../../stores.ts'
import { useIntegrationWords } from '../../texts/integrations.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { Field } from '../field.tsx'
import { useAsync } from '../use-async.ts'
import { ShownSecret } from './shown-secret.tsx'

/** An address is subscribed to something; its secret is shown this once. */
export function NewSubscription({ onClose }: { onClose: () => void }) {
  const { api } = useStores()
  const said = useIntegrationWords()
  const url = useSignal('')
  const resource = useSignal<SubscriptionResource>('history')
  const id = useSignal('')
  const secret = useSignal<string | undefined>(undefined)
  const subscribing = useAsync(async () => {
    const which = id.value.trim()
    const made = await api.subscribe({
      url: url.value,
      resource: resource.value,
      ...(which === '' ? {} : { resource_id: which }),
    })
    secret.value = made.secret
  })
  return (
    <Dialog title={said.add} onClose={onClose}>
      {secret.value ? (
        <ShownSecret secret={secret.value} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            subscribing.run()
          }}
        >
          <Field id="subscription-url" label={said.url} hint={said.urlHint}>
            {(ids) => (
              <input
                {...ids}
                type="url"
                autocomplete="off"
                required
                value={url.value}
                onInput={(event) => (url.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <Field id="subscription-resource" label={said.resource}>
            {(ids) => (
              <select
                {...ids}
                value={resource.value}
                onChange={(event) => (resource.value = event.currentTarget.value as SubscriptionResource)}
              >
                {subscriptionResources.map((each) => (
                  <option key={each} value={each}>
                    {said.resources[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field id="subscription-which" label={said.which} hint={said.whichHint[resource.value]}>
            {(ids) => (
              <input
                {...ids}
                autocomplete="off"
                value={id.value}
                onInput={(event) => (id.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <Failure error={subscribing.error.value} />
          <div class="actions">
            <button type="submit" class="primary" aria-disabled={subscribing.running.value}>
              {said.subscribe}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
