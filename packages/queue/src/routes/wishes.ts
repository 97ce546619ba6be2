/** What a person wishes: for themselves, and for operators. Nobody else sees it. */
import { wishes, wishesView } from '@courier-fleet/api-types'
import { byCaller } from '../access/audit.ts'
import { personFor } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { personParams } from './parameters.ts'

const tags = ['people']

export function wishesRoutes(app: App, { directory, personWishes }: RouteDeps): void {
  const schema = { tags, params: personParams, response: answers({ 200: wishesView }) }
  app.get(
    '/people/:id/wishes',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        ...schema,
        operationId: 'readWishes',
        summary: 'What a person has switched off, their own quiet hours, and which types there are',
        description:
          'For the person and for operators; a sender sees only `type-off` in a receipt. The `version` is in `ETag`, too.',
      },
    },
    async ({ principal: caller, params }, reply) => {
      const person = await personFor(directory, caller, params.id)
      const view = await personWishes.view(person.id)
      reply.header('etag', `"${view.version}"`)
      return view
    },
  )

  app.put(
    '/people/:id/wishes',
    {
      config: {
        problems: [
          '404 unknown-person',
          '412 stale-wishes',
          '422 unknown-type',
          '422 unknown-channel',
          '422 mandatory-type',
        ],
      },
      schema: {
        ...schema,
        operationId: 'putWishes',
        summary: 'Replaces them; with the version that was read in If-Match, only where nobody has changed them since',
        description:
          'All of them as a whole. Without `If-Match` whatever is there is replaced; with it 412 `stale-wishes` where somebody was faster.',
        body: wishes,
      },
    },
    async ({ principal: caller, params, body, headers }) => {
      const person = await personFor(directory, caller, params.id)
      const version = headers['if-match']?.replace(/^"(.*)"$/, '$1')
      return personWishes.put(person.id, body, version, byCaller(caller))
    },
  )
}
