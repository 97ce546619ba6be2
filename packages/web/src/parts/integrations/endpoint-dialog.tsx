import type { EndpointView, HistoryView } from '@courier-fleet/api-types'
import { outcomeWords } from '@courier-fleet/words'
import { type Signal, useSignal } from '@preact/signals'
import { useStores } from '../../stores.ts'
import { useEndpointWords } from '../../texts/endpoints.ts'
import { Anchor } from '../anchor.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'

const maxMessages = 20

export interface ShownEndpoint {
  readonly which: { readonly url: string; readonly sender: string } | { readonly person: string }
  readonly view: EndpointView
  readonly messages: readonly HistoryView[]
}

interface EndpointDialogProps {
  readonly endpoint: ShownEndpoint
  /** reads anew what is known of it */
  readonly reload: () => Promise<void>
  readonly onClose: () => void
}

/** How an address takes what is posted to it, having it called again or no more, and its messages: those that it took in no try can be sent again. */
export function EndpointDialog({ endpoint, reload, onClose }: EndpointDialogProps) {
  const { api } = useStores()
  const said = useEndpointWords()
  const done = useSignal<string | undefined>(undefined)
  const { which, view, messages } = endpoint
  const enabling = useAsync(async () => {
    await api.enableEndpoint(which)
    await reload()
    done.value = said.enabled
  })
  const disabling = useAsync(async () => {
    await api.disableEndpoint(which)
    await reload()
    done.value = said.disabled
  })
  return (
    <Dialog title={'url' in which ? which.url : said.yours(view.host)} onClose={onClose}>
      <State view={view} />
      <div class="actions">
        {view.state !== 'called' && (
          <button type="button" aria-disabled={enabling.running.value} onClick={() => enabling.run()}>
            {said.enable}
          </button>
        )}
        {'url' in which && view.state !== 'off' && (
          <button type="button" aria-disabled={disabling.running.value} onClick={() => disabling.run()}>
            {said.disable}
          </button>
        )}
      </div>
      <Failure error={enabling.error.value ?? disabling.error.value} />
      <p role="status">{done.value}</p>
      {messages.length > 0 && (
        <>
          <h3>{said.messages}</h3>
          <ul class="sessions">
            {messages.slice(0, maxMessages).map((history) => (
              <Message key={history.key} history={history} reload={reload} done={done} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

function State({ view: { state, said: answer, at, failingSince, nextTryAt, offSince } }: { view: EndpointView }) {
  const said = useEndpointWords()
  const moment = useMoment()
  return (
    <>
      <p>
        <span class={state === 'called' ? 'badge' : 'badge unknown'}>{said.states[state]}</span>
      </p>
      <p>{answer !== undefined && at ? said.said(answer, moment(at)) : said.silent}</p>
      {(failingSince || offSince || nextTryAt) && (
        <p class="warn">
          {failingSince && said.failingSince(moment(failingSince))} {offSince && said.offSince(moment(offSince))}{' '}
          {nextTryAt && said.next(moment(nextTryAt))}
        </p>
      )}
    </>
  )
}

/** Of one that has settled those are tried again whose endpoint took it in no try. */
const isUntaken = ({ state, people }: HistoryView) => state === 'settled' && (people?.why['not-taken'] ?? 0) > 0

interface MessageProps {
  readonly history: HistoryView
  readonly reload: () => Promise<void>
  readonly done: Signal<string | undefined>
}

function Message({ history, reload, done }: MessageProps) {
  const { api, language } = useStores()
  const said = useEndpointWords()
  const moment = useMoment()
  const retrying = useAsync(async () => {
    const { people } = await api.retry(history.key)
    await reload()
    done.value = said.retried(people)
  })
  const { key, at, text } = history
  return (
    <li>
      <Anchor to={{ view: 'message', key }}>{text}</Anchor>
      <span class="hint">
        {at && moment(at)} · {outcomeWords(language.code.value, history).short}
      </span>
      {isUntaken(history) && (
        <button type="button" aria-disabled={retrying.running.value} onClick={() => retrying.run()}>
          {said.retry}
        </button>
      )}
      <Failure error={retrying.error.value} />
    </li>
  )
}
