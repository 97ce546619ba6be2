/** The phones page: own files only, nothing inline, nothing from elsewhere. */
import { readFile } from 'node:fs/promises'
import { Problem } from '@courier-fleet/api-types'
import type { FastifyInstance } from 'fastify'

/** beside src/ and dist/ alike */
const folder = new URL('../../page/', import.meta.url)
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

export function servePage(app: FastifyInstance): void {
  const page = async (name: string) => {
    const type = types[name.split('.').at(-1) as string]
    const content = type && (await readFile(new URL(name, folder)).catch(() => undefined))
    if (!content) throw new Problem(404, 'no-such-route', `there is no ${name}`)
    return { type, content }
  }
  app.get('/', async (_, reply) => {
    const { type, content } = await page('index.html')
    return reply.headers(headers).type(type).send(content)
  })
  app.get<{ Params: { file: string } }>(
    '/page/:file',
    {
      schema: {
        params: { type: 'object', properties: { file: { type: 'string', pattern: '^[a-z-]{1,40}\\.[a-z]{2,4}$' } } },
      },
    },
    async ({ params }, reply) => {
      const { type, content } = await page(params.file)
      return reply.headers(headers).type(type).send(content)
    },
  )
}
