import type { EndpointsView } from '@courier-fleet/api-types'
import { endpointsWords, endpointWords, moreEndpointsWords } from '@courier-fleet/words/endpoint-words'
import { useStores } from '../../stores.ts'
import { useTime } from '../use-time.ts'

/** The URLs of a channel that are not called now: since when, in whose words why, and when they are tried again. */
export function ServiceEndpoints({ endpoints, asOf }: { endpoints: EndpointsView; asOf: string }) {
  const { language } = useStores()
  const time = useTime()
  const code = language.code.value
  const more = moreEndpointsWords(code, endpoints)
  return (
    <>
      <p>{endpointsWords(code, endpoints)}</p>
      <ul>
        {endpoints.first.map((each) => (
          <li key={`${each.host} ${each.since}`}>
            <strong>{each.host}</strong>
            <span class="hint"> · {endpointWords(code, each, asOf, time)}</span>
            {each.said && <span lang="en"> · {each.said}</span>}
          </li>
        ))}
        {more && <li>{more}</li>}
      </ul>
    </>
  )
}
