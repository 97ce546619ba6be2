import type { SubscriptionView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { EndpointList } from '../parts/integrations/endpoint-list.tsx'
import { NewSubscription } from '../parts/integrations/new-subscription.tsx'
import { SubscriptionDialog } from '../parts/integrations/subscription-dialog.tsx'
import { Title } from '../parts/title.tsx'
import { useAsync } from '../parts/use-async.ts'
import { useStores, useWords } from '../stores.ts'
import { useIntegrationWords } from '../texts/integrations.ts'

/** Which systems are told of changes, which addresses messages are posted to, and whether they take it. */
export function Integrations() {
  const { api, session } = useStores()
  const words = useWords()
  const said = useIntegrationWords()
  const all = useSignal(false)
  const list = useSignal<readonly SubscriptionView[] | undefined>(undefined)
  const open = useSignal<SubscriptionView | 'new' | undefined>(undefined)
  const loading = useAsync(async () => {
    list.value = (await api.subscriptions(all.value ? '*' : undefined)).subscriptions
  })
  useEffect(() => {
    loading.run()
  }, [all.value])
  const close = () => {
    open.value = undefined
    loading.run()
  }
  return (
    <>
      <Title>{said.title}</Title>
      <p>{said.intro}</p>
      {session.may('operator') && (
        <label>
          <input type="checkbox" checked={all.value} onChange={(event) => (all.value = event.currentTarget.checked)} />{' '}
          {said.ofOthers}
        </label>
      )}
      <Failure error={loading.error.value} retry={loading.run} />
      {!list.value && loading.running.value && <p>{words.loading}</p>}
      {list.value?.length === 0 && <p>{said.none}</p>}
      <ul class="groups">
        {list.value?.map((each) => (
          <Row key={each.id} subscription={each} onOpen={() => (open.value = each)} />
        ))}
      </ul>
      <button type="button" onClick={() => (open.value = 'new')}>
        {said.add}
      </button>
      <EndpointList all={all.value} />
      {open.value === 'new' && <NewSubscription onClose={close} />}
      {typeof open.value === 'object' && <SubscriptionDialog subscription={open.value} onClose={close} />}
    </>
  )
}

function Row({ subscription, onOpen }: { subscription: SubscriptionView; onOpen: () => void }) {
  const { session } = useStores()
  const said = useIntegrationWords()
  const { url, resource, resource_id: id, state, owner } = subscription
  return (
    <li>
      <button type="button" class="link" aria-label={said.open(url)} onClick={onOpen}>
        {url}
      </button>
      <span class="hint">
        {said.resources[resource]}: {id ?? said.all}
        {owner !== session.current.value?.owner && `, ${said.of(owner)}`}
      </span>
      <span class={state === 'active' ? 'badge' : 'badge unknown'}>{said.states[state]}</span>
    </li>
  )
}
