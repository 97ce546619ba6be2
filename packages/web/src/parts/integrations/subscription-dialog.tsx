import type { SubscriptionDelivery, SubscriptionTest, SubscriptionView } from '@courier-fleet/api-types'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { useIntegrationWords } from '../../texts/integrations.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'
import { DeliveryList, DeliveryOutcome } from './delivery-list.tsx'
import { ShownSecret } from './shown-secret.tsx'

const dayMs = 86_400_000

interface Props {
  readonly subscription: SubscriptionView
  readonly onClose: () => void
}

/** How a subscription goes, what was sent to it, and what can be done; of another's only the way to remove it. */
export function SubscriptionDialog({ subscription, onClose }: Props) {
  const { session } = useStores()
  const said = useIntegrationWords()
  const now = useSignal(subscription)
  const { url, resource, resource_id: id, owner } = now.value
  return (
    <Dialog title={url} onClose={onClose}>
      <p>
        {said.resources[resource]}: {id ?? said.all}
      </p>
      <State subscription={now.value} />
      {owner === session.current.value?.owner ? <Own now={now} /> : <p class="note">{said.notYours(owner)}</p>}
      <Remove subscription={subscription} onDone={onClose} />
    </Dialog>
  )
}

function State({ subscription: { state, failing, disabled } }: { subscription: SubscriptionView }) {
  const said = useIntegrationWords()
  const moment = useMoment()
  return (
    <>
      <p>
        <span class={state === 'active' ? 'badge' : 'badge unknown'}>{said.states[state]}</span>
      </p>
      {disabled && (
        <p class="warn">
          {said.disabled[disabled.reason]} {said.since(moment(disabled.since))} <span lang="en">{disabled.why}</span>
        </p>
      )}
      {failing && (
        <p class="warn">
          {said.since(moment(failing.since))} {said.next(moment(failing.next))} <span lang="en">{failing.why}</span>
        </p>
      )}
    </>
  )
}

function Own({ now }: { now: Signal<SubscriptionView> }) {
  const { api } = useStores()
  const said = useIntegrationWords()
  const { id } = now.value
  const deliveries = useSignal<readonly SubscriptionDelivery[] | undefined>(undefined)
  const test = useSignal<SubscriptionTest | undefined>(undefined)
  const secret = useSignal<string | undefined>(undefined)
  const replayed = useSignal(false)
  const loading = useAsync(async () => {
    const [view, sent] = await Promise.all([api.subscription(id), api.deliveries(id)])
    now.value = view
    deliveries.value = sent.deliveries
  })
  useEffect(() => {
    loading.run()
  }, [id])
  const testing = useAsync(async () => {
    test.value = await api.testSubscription(id)
    await loading.run()
  })
  const rotating = useAsync(async () => {
    secret.value = (await api.rotateSubscription(id)).secret
  })
  const replaying = useAsync(async () => {
    await api.replaySubscription(id, new Date(Date.now() - dayMs).toISOString())
    replayed.value = true
    await loading.run()
  })
  return (
    <>
      <div class="actions">
        <button type="button" aria-disabled={testing.running.value} onClick={() => testing.run()}>
          {said.test}
        </button>
        <button type="button" aria-disabled={rotating.running.value} onClick={() => rotating.run()}>
          {said.rotate}
        </button>
        <button type="button" aria-disabled={replaying.running.value} onClick={() => replaying.run()}>
          {said.replay}
        </button>
      </div>
      <div role="status">
        {test.value && (
          <p>
            <DeliveryOutcome delivery={test.value} />
          </p>
        )}
        {replayed.value && <p>{said.replayed}</p>}
      </div>
      {secret.value && <ShownSecret secret={secret.value} replaces />}
      {[loading, testing, rotating, replaying].map(({ error }, index) => (
        <Failure key={index} error={error.value} />
      ))}
      <h3>{said.deliveries}</h3>
      {deliveries.value && <DeliveryList deliveries={deliveries.value} />}
    </>
  )
}

/** Asks once more: the secret goes with it. */
function Remove({ subscription, onDone }: { subscription: SubscriptionView; onDone: () => void }) {
  const { api, notices } = useStores()
  const said = useIntegrationWords()
  const asking = useSignal(false)
  const removing = useAsync(async () => {
    await api.unsubscribe(subscription.id)
    notices.announce(said.removed)
    onDone()
  })
  return (
    <>
      {asking.value && <p class="warn">{said.removeSure}</p>}
      <Failure error={removing.error.value} />
      <div class="actions">
        {asking.value ? (
          <>
            <button type="button" class="danger" onClick={() => removing.run()}>
              {said.removeYes}
            </button>
            <button type="button" onClick={() => (asking.value = false)}>
              {said.keep}
            </button>
          </>
        ) : (
          <button type="button" class="danger" onClick={() => (asking.value = true)}>
            {said.remove}
          </button>
        )}
      </div>
    </>
  )
}
