/** What counts of the messages somebody was sent: for themselves, and for operators. */
import { diaryView } from '@courier-fleet/api-types'
import { personFor } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { personDiary } from '../people/person-diary.ts'
import { personParams } from './parameters.ts'

export function diaryRoutes(app: App, { redis, directory, settings }: RouteDeps): void {
  app.get(
    '/people/:id/diary',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags: ['people'],
        operationId: 'readDiary',
        summary: 'What counts of the messages a person was sent, what room the rules leave, and when there is more',
        description: 'For the person and for operators. Messages that no rule counts are not in it.',
        params: personParams,
        response: answers({ 200: diaryView }),
      },
    },
    async ({ principal: caller, params }) => {
      const person = await personFor(directory, caller, params.id)
      return personDiary(redis, settings.current(), person, caller)
    },
  )
}
