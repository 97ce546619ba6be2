/** Somebody is erased: nothing is left of them but counts. */
import { erasureBody, erasureList, erasureView, Problem } from '@courier-fleet/api-types'
import { byCaller } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { personParams } from './parameters.ts'

const tags = ['people']

export function erasureRoutes(app: App, { directory, erasures, audit }: RouteDeps): void {
  /** Who was removed by an import is kept for a week. */
  async function keptPerson(id: string) {
    const known = await directory.knownOfImports(id)
    return known && { id, name: known.name }
  }

  app.post(
    '/people/:id(^[\\s\\S]+$)::erase',
    {
      config: { problems: ['403 own-erasure', '404 unknown-person'] },
      schema: {
        tags,
        operationId: 'erasePerson',
        summary: 'Erase a person: nothing is left of them but counts',
        description:
          'For admins, of anybody but themselves. The person is removed, and taken out of everything that is kept; messages they have sent are stopped and removed, whoever they were for. ' +
          'It goes on by itself, and is done once `/v1/erasures` does not list it any more, 20 s later at the earliest. It cannot be taken back. Asked again meanwhile, it is the same.',
        params: personParams,
        body: erasureBody,
        response: answers({ 202: erasureView }),
      },
    },
    async ({ params: { id }, body: { reason }, principal: caller }, reply) => {
      if (id === caller.owner) throw new Problem(403, 'own-erasure', 'another admin has to erase you', 'id')
      const underWay = (await erasures.list()).find(({ person }) => person === id)
      const person = (await directory.findPerson(id)) ?? (await keptPerson(id))
      if (!person && !underWay) unknown('person', id)
      reply.code(202)
      if (!person) return underWay as NonNullable<typeof underWay>
      const said = byCaller(caller)
      await audit.write({ action: 'person.erasure-asked', ...said, person: id, detail: reason })
      return erasures.begin(person, { reason, ...said })
    },
  )

  app.get(
    '/erasures',
    {
      schema: {
        tags,
        operationId: 'listErasures',
        summary: 'Erasures that are under way',
        description: 'For admins. The audit says `person.erased` of one that is done, and not of whom.',
        response: answers({ 200: erasureList }),
      },
    },
    async () => ({ erasures: await erasures.list() }),
  )
}
