/** A roster as CSV, streamed in; with progress streamed out for those who ask for NDJSON. */
import { createHash, type Hash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { importReport, Problem } from '@courier-fleet/api-types'
import { type ImportReport, maxRosterBytes, type RoleChange } from '@courier-fleet/directory'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Audit, byCaller } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import type { Begun } from '../http/idempotency.ts'
import { callOf, idempotencyKeyOf } from '../http/idempotency-hooks.ts'
import { problemDocumentOf, toProblem } from '../http/problem-json.ts'
import { answers, streamed } from '../openapi/openapi.ts'
import { dryRunQuery } from './parameters.ts'

const ndjson = 'application/x-ndjson'

const query = dryRunQuery.extend({
  lines: z.enum(['rejected', 'all']).default('rejected').describe('which lines the report tells of'),
  leavers: z
    .literal('remove')
    .optional()
    .describe('who is of a role that is in the list, and is not in it, is removed; needs the version of a dry run'),
  leaversConfirmed: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('how many leavers there are: needed when they are more than half')
    .meta({ examples: [12] }),
})

type Event = { done: number } | { report: ImportReport }

export async function importRoutes(app: App, deps: RouteDeps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('text/csv', (request, payload, done) => {
      const large = Number(request.headers['content-length'] ?? 0) > maxRosterBytes
      if (large) done(new Problem(413, 'too-large', `a roster may have ${maxRosterBytes} bytes; import it in parts`))
      else done(null, payload)
    })
    scope.post(
      '/imports',
      {
        config: {
          problems: [
            '422 bad-csv',
            '409 last-admin',
            '412 stale-roster',
            '428 version-needed',
            '422 unclear-leavers',
            '409 too-many-leavers',
          ],
          idempotency: 'own',
        },
        schema: {
          tags: ['directory'],
          operationId: 'importRoster',
          summary: 'Import a roster, or say what importing it would change; may be repeated',
          description:
            'With `Accept: application/x-ndjson` the answer is `{"done": <lines so far>}` again and again, and ' +
            '`{"report": …}` or `{"problem": …}` at the end. With `dryRun=true` nothing is changed, and the report has a `version`: ' +
            'with it in `If-Match` exactly that is loaded, or 412 `stale-roster` says that the directory is another by now. ' +
            'By the `id` of what was loaded it can be taken back for a week.',
          consumes: ['text/csv'],
          querystring: query,
          body: streamed,
          response: answers({
            200: {
              description: 'the report, or progress and then the report',
              content: { 'application/json': { schema: importReport }, [ndjson]: { schema: streamed } },
            },
          }),
        },
      },
      (request, reply) => importRoster(deps, request, reply),
    )
  })
}

type ImportRequest = FastifyRequest<{ Querystring: z.infer<typeof query>; Body: Readable }>

async function importRoster(deps: RouteDeps, request: ImportRequest, reply: FastifyReply) {
  const { directory, sendingRights, removePerson, idempotency, audit } = deps
  const { lines, ...what } = request.query
  const version = request.headers['if-match']?.replace(/^"(.*)"$/, '$1')
  const dryRun = what.dryRun === 'true'
  const hash = createHash('sha256').update(`${[lines, what.leavers, what.leaversConfirmed, version].join(' ')}\n`)
  const csv = hashed(request.body, hash)
  // what changes nothing is done anew
  const idempotencyKey = dryRun ? undefined : idempotencyKeyOf(request)
  const begun = idempotencyKey ? await idempotency.begin(callOf(request, idempotencyKey)) : undefined

  if (begun?.kind === 'repeat') {
    for await (const _ of csv); // only to know whether it is the same roster
    reply.header('idempotency-replayed', 'true')
    const report = JSON.parse(begun.answerTo(hash.digest('hex')).body) as ImportReport
    return sendEvents(request, reply, Readable.from([{ report }]))
  }
  const { principal: caller } = request
  const roles: RoleChange[] = []
  const run = async (onProgress: (done: number) => void) => {
    const changeRoles = async (changes: readonly RoleChange[], write: () => Promise<void>) => {
      await sendingRights.change(
        changes.map(({ person, ...role }) => ({ sender: person, ...role })),
        write,
      )
      roles.push(...changes)
    }
    // also of an import that failed on its way: what it has written stays
    const work = directory.importCsv(csv, {
      allLines: lines === 'all',
      dryRun,
      version,
      leavers: what.leavers === 'remove',
      leaversConfirmed: what.leaversConfirmed,
      by: caller.owner,
      removePerson: (id) => removePerson(id, byCaller(caller)),
      onProgress,
      changeRoles,
    })
    const report = await work.finally(() => tellRoles(audit, caller, roles))
    if (dryRun) return report
    const { id, created, updated, removed, rejected } = report
    const detail = `${id === undefined ? '' : `${id}: `}created=${created}, updated=${updated}, removed=${removed}, rejected=${rejected}`
    await audit.write({ action: 'people.imported', ...byCaller(caller), detail })
    return report
  }
  return sendEvents(request, reply, importing(run, hash, begun))
}

export async function tellRoles(audit: Audit, caller: Caller, changes: readonly RoleChange[]): Promise<void> {
  for (const { person, before, after } of changes) {
    await audit.write({ action: before ? 'person.role' : 'person.created', ...byCaller(caller), person, before, after })
  }
}

/** Runs the import; what happens meanwhile is read from the stream, which fails when the import does. */
function importing(
  run: (onProgress: (done: number) => void) => Promise<ImportReport>,
  hash: Hash,
  first: Extract<Begun, { kind: 'first' }> | undefined,
): Readable {
  const events = new PassThrough({ objectMode: true })
  const work = async () => {
    const report = await run((done) => events.write({ done }))
    await first?.finish(hash.digest('hex'), { status: 200, type: 'application/json', body: JSON.stringify(report) })
    events.end({ report })
  }
  work().catch(async (error: Error) => {
    await first?.release()
    events.destroy(error)
  })
  return events
}

/** What failed before there was any progress has its own status; what fails later is the last line. */
async function sendEvents(request: FastifyRequest, reply: FastifyReply, source: Readable) {
  const events = source[Symbol.asyncIterator]() as AsyncIterator<Event>
  let event = await events.next()
  if (!request.headers.accept?.includes(ndjson)) {
    while ('done' in event.value) event = await events.next()
    return event.value.report
  }
  async function* lines() {
    try {
      for (; !event.done; event = await events.next()) yield `${JSON.stringify(event.value)}\n`
    } catch (error) {
      yield `${JSON.stringify({ problem: problemDocumentOf(toProblem(error)) })}\n`
    }
  }
  reply.type(ndjson)
  return Readable.from(lines(), { objectMode: false })
}

async function* hashed(body: Readable, hash: Hash): AsyncGenerator<Uint8Array> {
  // the socket must survive an import that stops reading: its answer goes out on it
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
}
