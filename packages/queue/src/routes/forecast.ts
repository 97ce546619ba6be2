import { forecastReport } from '@courier-fleet/api-types'
import type { RouteDeps } from '../app-deps.ts'
import { snapshotOf } from '../histories/prefetch.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { forecastReportOf } from '../plan/actual.ts'
import { keyParams } from './parameters.ts'

export function forecastRoutes(app: App, deps: RouteDeps): void {
  app.get(
    '/histories/:key/forecast',
    {
      config: { reads: 'history' },
      schema: {
        tags: ['histories'],
        operationId: 'readForecast',
        summary: 'What was expected of it, beside what has become of it so far',
        description:
          'How many people on each channel, what its SMS cost, and when it ended: as it was foretold when it was accepted or moved (`forecast` of the message), and as it was.',
        params: keyParams,
        response: answers({ 200: forecastReport }),
      },
    },
    async (request) => forecastReportOf(deps, await snapshotOf(request, deps.histories)),
  )
}
