/** The URLs that are not called now, of each channel that has any. */
import type { ServiceView } from '@courier-fleet/api-types'
import { endpointsWords, endpointWords, moreEndpointsWords } from '@courier-fleet/words'
import type { Look } from './style.ts'
import { plain } from './table.ts'

export function endpointLines({ asOf, endpoints = [] }: ServiceView, { moment }: Look): string[] {
  return endpoints.flatMap((each) => {
    const more = moreEndpointsWords('en', each)
    const lines = each.first.map((endpoint) => {
      const said = endpoint.said === undefined ? '' : `: ${endpoint.said}`
      return plain(`  ${endpoint.host} ${endpointWords('en', endpoint, asOf, moment)}${said}`)
    })
    return ['', `${each.channel}, ${endpointsWords('en', each)}`, ...lines, ...(more ? [`  ${more}`] : [])]
  })
}
