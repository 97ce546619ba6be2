/** Links of files. Nobody signs in: the link is signed, for one file and until one moment. What it gives is never shown as a page of ours. */
import { languageOf } from '@courier-fleet/words'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { StoredFile } from '../files/file-folder.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, content, streamed } from '../openapi/openapi.ts'
import { filePage } from '../pages/file-page.ts'
import { plainPageHeaders } from '../pages/plain-page.ts'

const linkParams = z.strictObject({
  id: z
    .string()
    .describe('id of the file')
    .meta({ examples: ['V1StGXR8Z5jd'] }),
})
const linkQuery = z.object({
  e: z
    .string()
    .default('')
    .describe('until when it is good')
    .meta({ examples: ['tln5c0'] }),
  s: z
    .string()
    .default('')
    .describe('by which the link is known to be ours')
    .meta({ examples: ['q1w2e3r4t5y6u7i8'] }),
})
const page = content('text/html', 'page', z.string())
const statuses = { gone: 410, unknown: 404 } as const

export function fileLinkRoutes(app: App, { files }: RouteDeps): void {
  app.get(
    '/:id',
    {
      exposeHeadRoute: true,
      schema: {
        tags: ['messages'],
        security: [],
        operationId: 'readFile',
        summary: 'The file that a link of a message leads to',
        description: 'To be saved, not shown. Where it is not kept any more, a page says so.',
        params: linkParams,
        querystring: linkQuery,
        response: answers({ 200: content('application/octet-stream', 'file', streamed), 404: page, 410: page }),
      },
    },
    async ({ params: { id }, query: { e: end, s: signature }, headers }, reply) => {
      const found = await files.follow({ id, end, signature })
      if (typeof found !== 'string') return reply.headers(headersOf(found.file)).send(found.bytes)
      const language = languageOf(headers['accept-language'] ?? '')
      return reply.code(statuses[found]).headers(plainPageHeaders).send(filePage(language, found))
    },
  )
}

const headersOf = ({ name, type, size }: StoredFile) => ({
  'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
  'content-length': size,
  'content-disposition': `attachment; filename*=UTF-8''${quoted(name)}`,
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
})

/** As RFC 8187 has it. */
const quoted = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
