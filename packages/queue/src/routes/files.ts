/** A file for a message, streamed in: raw, so that nothing of it is parsed before it lies on the disk. */
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type FileView, fileView, Problem } from '@courier-fleet/api-types'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { callOf, idempotencyKeyOf } from '../http/idempotency-hooks.ts'
import { answers, streamed } from '../openapi/openapi.ts'

const query = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(255)
    .describe('what it is called; kept without what no file may be called, and with an ending that its content has')
    .meta({ examples: ['plan.pdf'] }),
})

type UploadRequest = FastifyRequest<{ Querystring: z.infer<typeof query>; Body: Readable }>

export async function fileRoutes(app: App, deps: RouteDeps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    scope.post(
      '/files',
      {
        config: {
          problems: [
            '411 length-required',
            '422 empty-file',
            '422 unsupported-file',
            '429 too-many-files',
            '503 files-full',
            '503 no-files',
          ],
          idempotency: 'own',
        },
        schema: {
          tags: ['messages'],
          operationId: 'uploadFile',
          summary: 'Upload a file that messages of yours may name',
          description:
            'The body is the file itself, at most 20 MB, with a `Content-Length`. Documents (PDF, Office, OpenDocument, RTF, text, CSV) and images are taken, by their content. ' +
            'It is kept for a day, and by a message that names it in `files` for as many days after that as the fleet keeps files.',
          consumes: ['application/octet-stream'],
          querystring: query,
          body: streamed,
          response: answers({ 201: fileView }),
        },
      },
      async (request, reply) => {
        const file = await uploadOnce(deps, request, (replayed) => reply.header('idempotency-replayed', replayed))
        reply.code(201)
        return file
      },
    )
  })
}

/** @param onReplay where it was uploaded before under the same Idempotency-Key */
async function uploadOnce(
  { files, idempotency }: RouteDeps,
  request: UploadRequest,
  onReplay: (replayed: 'true') => void,
): Promise<FileView> {
  const { body, query, principal: by } = request
  const length = request.headers['content-length']
  if (length === undefined) throw new Problem(411, 'length-required', 'say with Content-Length how many bytes it has')
  const key = idempotencyKeyOf(request)
  const begun = key === undefined ? undefined : await idempotency.begin(callOf(request, key))
  const hash = createHash('sha256').update(`${query.name}\n`)
  if (begun?.kind === 'repeat') {
    for await (const chunk of body) hash.update(chunk as Buffer)
    const { body: answer } = begun.answerTo(hash.digest('hex'))
    onReplay('true')
    return JSON.parse(answer) as FileView
  }
  try {
    await files.admit(Number(length), by)
    const file = await files.upload(Readable.from(hashed(body, hash), { objectMode: false }), query.name, by)
    await begun?.finish(hash.digest('hex'), { status: 201, type: 'application/json', body: JSON.stringify(file) })
    return file
  } catch (error) {
    await begun?.release()
    throw error
  }
}

async function* hashed(body: Readable, hash: Hash): AsyncGenerator<Uint8Array> {
  // the socket must survive a file that is refused: its answer goes out on it
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
}
