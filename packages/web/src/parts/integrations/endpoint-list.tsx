import { ApiError, type Client, namedEndpoints } from '@courier-fleet/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { useEndpointWords } from '../../texts/endpoints.ts'
import { useIntegrationWords } from '../../texts/integrations.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { EndpointDialog, type ShownEndpoint } from './endpoint-dialog.tsx'

/** of the latest messages so many are read, and of the addresses they name so many are shown */
const maxMessages = 100
const maxShown = 20

/** Where messages are posted to, and how those addresses take it; for operators those of everybody. */
export function EndpointList({ all }: { all: boolean }) {
  const { api, session } = useStores()
  const said = useEndpointWords()
  const list = useSignal<readonly ShownEndpoint[] | undefined>(undefined)
  const open = useSignal<string | undefined>(undefined)
  const loading = useAsync(async () => {
    const me = session.current.value?.owner
    const own = me === undefined ? undefined : await ownOf(api, me)
    list.value = [...(own ? [own] : []), ...(await namedOf(api, all))]
  })
  useEffect(() => {
    loading.run()
  }, [all])
  const close = () => {
    open.value = undefined
    loading.run()
  }
  const shown = list.value?.find((each) => keyOf(each) === open.value)
  return (
    <section aria-labelledby="endpoints">
      <h2 id="endpoints">{said.title}</h2>
      <p class="hint">{said.intro}</p>
      <Failure error={loading.error.value} retry={loading.run} />
      {list.value?.length === 0 && <p>{said.none}</p>}
      <ul class="groups">
        {list.value?.map((each) => (
          <Row key={keyOf(each)} endpoint={each} onOpen={() => (open.value = keyOf(each))} />
        ))}
      </ul>
      {shown && <EndpointDialog endpoint={shown} reload={loading.run} onClose={close} />}
    </section>
  )
}

const keyOf = ({ which }: ShownEndpoint) => JSON.stringify(which)

async function namedOf(api: Client, all: boolean): Promise<ShownEndpoint[]> {
  const { histories } = await api.histories({ limit: maxMessages, ...(all ? { sender: '*' } : {}) })
  const named = namedEndpoints(histories).slice(0, maxShown)
  return Promise.all(
    named.map(async ({ url, sender, messages }) => {
      const which = { url, sender }
      return { which, messages, view: await api.endpoint(which) }
    }),
  )
}

/** That of their own contact, where they have one. */
async function ownOf(api: Client, person: string): Promise<ShownEndpoint | undefined> {
  try {
    return { which: { person }, messages: [], view: await api.endpoint({ person }) }
  } catch (error) {
    if (error instanceof ApiError && error.problem.status === 404) return undefined
    throw error
  }
}

function Row({ endpoint: { which, view }, onOpen }: { endpoint: ShownEndpoint; onOpen: () => void }) {
  const { session } = useStores()
  const said = useEndpointWords()
  const integrations = useIntegrationWords()
  const isNamed = 'url' in which
  const name = isNamed ? which.url : said.yours(view.host)
  return (
    <li>
      <button type="button" class="link" aria-label={said.open(name)} onClick={onOpen}>
        {name}
      </button>
      {isNamed && which.sender !== session.current.value?.owner && (
        <span class="hint">{integrations.of(which.sender)}</span>
      )}
      <span class={view.state === 'called' ? 'badge' : 'badge unknown'}>{said.states[view.state]}</span>
    </li>
  )
}
