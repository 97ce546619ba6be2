/** Who is online, as systems that know it say: what waits for that goes out. */
import { onlineBody, onlineView } from '@courier-fleet/api-types'
import { reportOnline } from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'

export function presenceRoutes(app: App, { redis, directory, settings }: RouteDeps): void {
  app.post(
    '/people::online',
    {
      schema: {
        tags: ['people'],
        operationId: 'reportOnline',
        summary: 'These people are online now',
        description:
          'For a key with the role `presence`, for inbound processes, and for operators. Of the messages that wait until somebody is online (`whenOnline`) ' +
          'the one that was due first goes out, one a report, and none within `onlineIntervalSeconds` of the last. A report that finds ' +
          'nothing counts for a minute, for what falls due meanwhile. Whom the directory does not know is passed over, and named in `unknown`. ' +
          'Quiet hours, exams and caps hold as ever. The answer says nothing of who waits for what.',
        body: onlineBody,
        response: answers({ 202: onlineView.describe('it was noted, and what waited for them goes out') }),
      },
    },
    async ({ body: { people } }, reply) => {
      const named = [...new Set(people)]
      const names = await directory.namesOf(named)
      const known = named.filter((_, index) => names[index] !== undefined)
      const unknown = named.filter((_, index) => names[index] === undefined)
      await reportOnline(redis, known, settings.current().onlineIntervalSeconds * 1000)
      reply.code(202)
      return { people: known.length, ...(unknown.length > 0 ? { unknown } : {}) }
    },
  )
}
