/** How an endpoint takes what is posted to it, switching it off and calling it again: for whoever names it, or whose it is. */
import { type EndpointQuery, type EndpointView, endpointQuery, endpointView, Problem } from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import { type BreakerView, endpointOf, forgetBreaker, ofPerson, readBreaker, switchOff } from '@courier-fleet/webhooks'
import { byCaller } from '../access/audit.ts'
import { personFor, requireRole } from '../access/auth.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'

const tags = ['webhooks']

interface Meant {
  readonly id: string
  readonly host: string
  /** whose it is */
  readonly person: string
  readonly isContact?: true
}

export function endpointRoutes(app: App, deps: RouteDeps): void {
  const { redis, audit } = deps

  app.get(
    '/endpoints',
    {
      config: { problems: ['404 unknown-person', '404 unknown-contact', '422 bad-address'] },
      schema: {
        tags,
        operationId: 'readEndpoint',
        summary: 'How a URL takes what is posted to it: what it said last, whether it is called, and when next',
        description:
          'Of a URL that you name in messages, or of your own contact; for operators also of other senders and people.',
        querystring: endpointQuery,
        response: answers({ 200: endpointView }),
      },
    },
    async ({ principal, query }) => {
      const { id, host } = await meantBy(deps, principal, query)
      return viewOf(host, await readBreaker(redis, id))
    },
  )

  app.post(
    '/endpoints::enable',
    {
      config: { problems: ['404 unknown-person', '404 unknown-contact', '422 bad-address'] },
      schema: {
        tags,
        operationId: 'enableEndpoint',
        summary: 'Call a URL again at once, that was left alone or switched off',
        description:
          'What has failed stays so. A contact that was deactivated is linked again (`PUT /v1/contacts/http/{person}`).',
        body: endpointQuery,
        response: answers({ 204: done }),
      },
    },
    async ({ principal, body }, reply) => {
      const meant = await meantBy(deps, principal, body)
      if (await forgetBreaker(redis, meant.id))
        await audit.write({ action: 'endpoint.enabled', ...byCaller(principal), ...auditedAs(meant) })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/endpoints::disable',
    {
      config: { problems: ['404 unknown-person', '404 unknown-contact', '422 bad-address'] },
      schema: {
        tags,
        operationId: 'disableEndpoint',
        summary: 'Call a URL no more, until it is enabled',
        description:
          'What waits for it fails when it would have been called, as after five days of failures. Whom it concerns is told, unless they did it themselves.',
        body: endpointQuery,
        response: answers({ 204: done }),
      },
    },
    async ({ principal, body }, reply) => {
      const meant = await meantBy(deps, principal, body)
      if (await switchOff(redis, meant.id, meant.host, meant.person === principal.owner))
        await audit.write({ action: 'endpoint.disabled', ...byCaller(principal), ...auditedAs(meant) })
      return reply.code(204).send(null)
    },
  )
}

const auditedAs = ({ host, person, isContact }: Meant) => ({
  person,
  ...(isContact ? { channel: http.name } : {}),
  detail: host,
})

async function meantBy({ directory }: RouteDeps, caller: Caller, asked: EndpointQuery): Promise<Meant> {
  const { url = '', sender = caller.owner, person } = asked
  if (person === undefined) {
    if (sender !== caller.owner) requireRole(caller, 'operator')
    const stored = http.address.normalise(url)
    if (stored === undefined) throw new Problem(422, 'bad-address', `this is not ${http.address.expected}`, 'url')
    return { id: endpointOf(sender, stored), host: new URL(stored).host, person: sender }
  }
  const { id } = await personFor(directory, caller, person)
  const [contact] = await directory.contactsOf(http.name, [id])
  if (!contact) unknown('contact', `${http.name} of ${id}`)
  return {
    id: endpointOf(ofPerson(id), contact.address),
    host: new URL(contact.address).host,
    person: id,
    isContact: true,
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

function viewOf(host: string, known: BreakerView | undefined): EndpointView {
  if (!known) return { host, state: 'called' }
  const { said, atMs, state, sinceMs, nextMs, failingSinceMs } = known
  const states = { closed: 'called', open: 'left-alone', off: 'off' } as const
  return {
    host,
    state: states[state],
    ...(said === undefined ? {} : { said }),
    ...(atMs === undefined ? {} : { at: iso(atMs) }),
    ...(nextMs === undefined ? {} : { nextTryAt: iso(nextMs) }),
    ...(failingSinceMs === undefined ? {} : { failingSince: iso(failingSinceMs) }),
    ...(sinceMs === undefined ? {} : { offSince: iso(sinceMs) }),
  }
}
