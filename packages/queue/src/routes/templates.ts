/** Stored texts: who sends reads them, staff change them. What was accepted with one keeps the text it had. */
import {
  findType,
  Problem,
  type TemplateBody,
  type TemplateView,
  templateBody,
  templateList,
  templateOutcome,
  templateVersions,
  templateView,
} from '@courier-fleet/api-types'
import type { StoredTemplate, TemplateContent, Templates } from '@courier-fleet/store'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { writtenOf } from '../acceptance/written-text.ts'
import { byCaller } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import { canonicalJson } from '../http/canonical-json.ts'
import type { App } from '../http/fastify-app.ts'
import { tagOfVersion, versionMeant, versionNamed } from '../http/if-match.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { templateParams } from './parameters.ts'

const tags = ['templates']
const maxTemplates = 500

export function templateRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addEditing(app, deps)
  addArchiving(app, deps)
}

const viewOf = ({ id, version, by, atMs, content }: StoredTemplate): TemplateView => ({
  id,
  version,
  at: new Date(atMs).toISOString(),
  by,
  ...content,
})

const listQuery = z.strictObject({
  archived: z.literal('true').optional().describe('those, too, that nothing is sent with any more'),
})

function addReading(app: App, { templates }: RouteDeps): void {
  app.get(
    '/templates',
    {
      schema: {
        tags,
        operationId: 'listTemplates',
        summary: 'Stored texts that a message may name',
        description:
          'Each in its newest version. `fields` are those the sender is asked for; all other fields of the text are of each person.',
        querystring: listQuery,
        response: answers({ 200: templateList }),
      },
    },
    async ({ query }) => {
      const all = await templates.list()
      const wanted = query.archived ? all : all.filter(({ content }) => !content.archived)
      return { templates: wanted.map(viewOf) }
    },
  )
  app.get(
    '/templates/:id',
    {
      config: { problems: ['404 unknown-template'] },
      schema: {
        tags,
        operationId: 'readTemplate',
        summary: 'A template, in its newest version',
        description: 'Also one that is archived. Its `version` is what a change names in `If-Match`, as `ETag` has it.',
        params: templateParams,
        response: answers({ 200: templateView }),
      },
    },
    async ({ params: { id } }, reply) => {
      const found = (await templates.newest(id)) ?? unknown('template', id)
      reply.header('etag', tagOfVersion(found.version))
      return viewOf(found)
    },
  )
  app.get(
    '/templates/:id/versions',
    {
      config: { problems: ['404 unknown-template'] },
      schema: {
        tags,
        operationId: 'listTemplateVersions',
        summary: 'What a template was before, and who made it so',
        description: 'Versions do not change; a hundred are kept.',
        params: templateParams,
        response: answers({ 200: templateVersions }),
      },
    },
    async ({ params: { id } }) => {
      const versions = await templates.versions(id)
      if (versions.length === 0) unknown('template', id)
      return { versions: versions.map(viewOf) }
    },
  )
}

/** @throws Problem 422 `unknown-type` `which-language` `fields-differ` */
function contentOf(body: TemplateBody, { settings }: Pick<RouteDeps, 'settings'>): TemplateContent {
  const { types, language: ofFleet } = settings.current()
  if (body.type !== undefined && !findType(types, body.type)) {
    throw new Problem(422, 'unknown-type', `there is no type "${body.type}"; GET /v1/types lists them`, 'type')
  }
  const { personal } = writtenOf({ text: body.text, language: body.language, fields: {} }, { language: ofFleet })
  // as it is now: another language of the fleet changes no template
  return { ...body, ...(personal?.language === undefined ? {} : { language: personal.language }) }
}

const stale = (id: string, meant: number, now: number) =>
  new Problem(
    412,
    'stale-version',
    `the template "${id}" is at version ${now}, not ${meant}: read it again, then change it`,
    'if-match',
  )

/** Of one that is there the version is named. @throws Problem 412 · 428 */
function requireVersion(request: FastifyRequest, id: string, now: number): void {
  const meant = now === 0 ? versionNamed(request) : versionMeant(request)
  if (meant !== undefined && meant !== now) throw stale(id, meant, now)
}

async function write(
  { templates, audit }: { templates: Templates; audit: RouteDeps['audit'] },
  { principal: caller }: FastifyRequest,
  change: { id: string; before: StoredTemplate | undefined; content: TemplateContent },
): Promise<number> {
  const { id, before, content } = change
  const expected = before?.version ?? 0
  const version = await templates.write(id, { expected, content, by: caller.owner })
  if (version === undefined) throw stale(id, expected, (await templates.newest(id))?.version ?? 0)
  await audit.write({
    action: content.archived ? 'template.archived' : 'template.changed',
    ...byCaller(caller),
    detail: `template:${id} version ${version}`,
  })
  return version
}

function addEditing(app: App, deps: RouteDeps): void {
  const { templates } = deps
  app.put(
    '/templates/:id',
    {
      config: {
        problems: [
          '409 too-many-templates',
          '412 stale-version',
          '422 fields-differ',
          '422 unknown-type',
          '422 which-language',
          '428 version-needed',
        ],
      },
      schema: {
        tags,
        operationId: 'putTemplate',
        summary: 'Make a template, or its next version, with the version you have read in If-Match',
        description:
          'As a whole; one that was archived is in use again. Messages that were accepted with it keep the text they had, those that are scheduled, too. A new one needs no If-Match.',
        params: templateParams,
        body: templateBody,
        response: answers({ 200: templateOutcome, 201: templateOutcome }),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const content = contentOf(request.body, deps)
      const before = await templates.newest(id)
      if (before && canonicalJson(before.content) === canonicalJson(content))
        return { id, outcome: 'unchanged' as const, version: before.version }
      requireVersion(request, id, before?.version ?? 0)
      if (!before && (await templates.count()) >= maxTemplates) {
        const detail = `there are ${maxTemplates} templates, archived ones too: make one of those anew`
        throw new Problem(409, 'too-many-templates', detail, 'id')
      }
      const version = await write(deps, request, { id, before, content })
      reply.code(before ? 200 : 201).header('etag', tagOfVersion(version))
      return { id, outcome: before ? ('updated' as const) : ('created' as const), version }
    },
  )
}

function addArchiving(app: App, deps: RouteDeps): void {
  const { templates } = deps
  app.delete(
    '/templates/:id',
    {
      config: { problems: ['404 unknown-template', '412 stale-version', '428 version-needed'] },
      schema: {
        tags,
        operationId: 'archiveTemplate',
        summary: 'Nothing more is sent with a template; with the version you have read in If-Match',
        description:
          'What was accepted with it goes out. Its versions stay, and putting it again brings it back. Fine when it is archived already.',
        params: templateParams,
        response: answers({ 204: done }),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const before = (await templates.newest(id)) ?? unknown('template', id)
      if (!before.content.archived) {
        requireVersion(request, id, before.version)
        await write(deps, request, { id, before, content: { ...before.content, archived: true } })
      }
      return reply.code(204).send(null)
    },
  )
}
