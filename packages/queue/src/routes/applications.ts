/** The office and people who ask to be put into the list: who they are, and what becomes of them. */
import {
  acceptBody,
  acceptedView,
  applicationLinkBody,
  applicationLinkView,
  applicationList,
  refuseBody,
} from '@courier-fleet/api-types'
import { shownAddress } from '@courier-fleet/channels'
import { z } from 'zod'
import { viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, done } from '../openapi/openapi.ts'
import { signGroupLink } from '../people/application-links.ts'
import { accept, refuse, type Waiting, waiting } from '../people/applications.ts'
import { qrOf } from '../people/enrolment-way.ts'
import { readableGroup } from '../people/readable-group.ts'
import { groupParams } from './parameters.ts'

const tags = ['people']
const dayMs = 86_400_000
const iso = (ms: number) => new Date(ms).toISOString()
const params = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{12}$/, 'the id of an application')
    .describe('id of an application')
    .meta({ examples: ['5f3a9c0e12ab'] }),
})

export function applicationRoutes(app: App, deps: RouteDeps): void {
  addLink(app, deps)
  addList(app, deps)
  addDecisions(app, deps)
}

function addLink(app: App, { redis, directory, rules, audit, clock }: RouteDeps): void {
  app.post(
    '/groups/:id/application-link',
    {
      config: { problems: ['404 unknown-group'] },
      schema: {
        tags,
        operationId: 'makeApplicationLink',
        summary: 'A link to the page where people apply to be put into a group',
        description:
          'For everybody to whom it is given, without signing in. It names the group and nobody who is in it; nothing is kept for it, and it cannot be taken back before its end.',
        params: groupParams,
        body: applicationLinkBody,
        response: answers({ 201: applicationLinkView }),
      },
    },
    async ({ principal: caller, params: { id }, body: { days }, protocol, host }, reply) => {
      await readableGroup(directory, caller, id)
      const untilMs = clock.now() + days * dayMs
      const origin = rules.publicUrl ?? `${protocol}://${host}`
      const url = `${origin}/a/${await signGroupLink(redis, { group: id, untilMs })}`
      await audit.write({
        action: 'application.link-made',
        by: caller.owner,
        via: viaOf(caller),
        detail: `group:${id}`,
      })
      reply.code(201)
      return { group: id, url, qr: qrOf(url), until: iso(untilMs) }
    },
  )
}

function addList(app: App, deps: RouteDeps): void {
  app.get(
    '/applications',
    {
      schema: {
        tags,
        operationId: 'listApplications',
        summary: 'People who ask to be put into the list, and have proved their contact',
        description: 'Those that wait to be decided, the oldest first, for whoever may load lists of people.',
        response: answers({ 200: applicationList }),
      },
    },
    async () => ({ applications: await Promise.all((await waiting(deps)).map((each) => viewOf(deps, each))) }),
  )
}

async function viewOf({ directory }: RouteDeps, { id, untilMs, state, applicant }: Waiting) {
  const { name, group, wish, channel, address, atMs } = applicant
  const linkedTo = await directory.personOf(channel, address)
  return {
    id,
    name,
    ...(group === '' ? { wish } : { group }),
    channel,
    address: shownAddress(channel, address),
    ...(linkedTo === undefined || state === 'accepting' ? {} : { linkedTo }),
    at: iso(atMs),
    until: iso(untilMs),
    ...(state === 'accepting' ? { accepting: true as const } : {}),
  }
}

function addDecisions(app: App, deps: RouteDeps): void {
  app.post(
    '/applications/:id(^[\\s\\S]+$)::accept',
    {
      config: {
        problems: ['404 unknown-application', '404 unknown-group', '409 address-taken', '409 application-decided'],
      },
      schema: {
        tags,
        operationId: 'acceptApplication',
        summary: 'Put an applicant into the list, into a group, with the contact that they have proved',
        description:
          'A student with that contact, who has agreed to be written to there as they applied. May be repeated until it is done.',
        params,
        body: acceptBody,
        response: answers({ 200: acceptedView }),
      },
    },
    async ({ principal: caller, params: { id }, body: { group } }) => ({
      person: await accept(deps, caller, id, group),
    }),
  )

  app.post(
    '/applications/:id(^[\\s\\S]+$)::refuse',
    {
      config: { problems: ['404 unknown-application', '409 application-decided'] },
      schema: {
        tags,
        operationId: 'refuseApplication',
        summary: 'Refuse an application, and say why',
        description:
          'The applicant reads the answer on the page by which they applied. Name and contact are removed at once.',
        params,
        body: refuseBody,
        response: answers({ 204: done }),
      },
    },
    async ({ principal: caller, params: { id }, body: { answer } }, reply) => {
      await refuse(deps, caller, id, answer)
      return reply.code(204).send(null)
    },
  )
}
