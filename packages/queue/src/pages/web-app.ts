/** The web app as vite built it, at the same origin as the API it calls. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@courier-fleet/process'
import fastifyStatic from '@fastify/static'
import type { App } from '../http/fastify-app.ts'

export interface WebApp {
  /** what vite built */
  readonly dir: string
  /** where browsers find what the sandbox was sent; absent when messages are real */
  readonly phonesPageUrl?: string
}

export function builtWebApp(phonesPageUrl: string | undefined): WebApp {
  // as far from src/ as from dist/
  const dir = join(import.meta.dirname, '../../../web/dist')
  return { dir, ...(phonesPageUrl ? { phonesPageUrl } : {}) }
}

/**
 * Serves the page at every path without a route, when the request accepts HTML: the page shows a view for each path. Other
 * requests get 404 as before. Without a build only the API is served.
 */
export async function serveWebApp(
  app: Pick<App, 'get' | 'register'>,
  log: Log,
  { dir, phonesPageUrl }: WebApp,
): Promise<void> {
  const page = join(dir, 'index.html')
  if (!existsSync(page)) {
    log.warn('the web app is not built (npm run build -w @courier-fleet/web): serving the API alone')
    return
  }
  await app.register(fastifyStatic, {
    root: join(dir, 'assets'),
    prefix: '/assets/',
    // their names are hashes of what is in them
    immutable: true,
    maxAge: '365d',
    index: false,
    decorateReply: false,
    preCompressed: true,
  })
  // its name is the same for ever, and it may see to the pages of all paths
  app.get('/push-worker.js', { schema: { hide: true } }, async (_request, reply) => {
    const worker = await readFile(join(dir, 'push-worker.js'), 'utf8').catch(() => undefined)
    if (worker === undefined) return reply.callNotFound()
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(worker)
  })
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const isApi = request.url.startsWith('/v1/')
    if (isApi || !request.headers.accept?.includes('text/html')) return reply.callNotFound()
    // read each time: a new build has other names in it
    const html = withPhonesPage(await readFile(page, 'utf8'), phonesPageUrl)
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
  })
}

/** Puts the address of the sandbox's page into the page. */
function withPhonesPage(html: string, url: string | undefined): string {
  if (!url) return html
  const meta = `<meta name="phones-page" content="${url.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}">`
  return html.replace('</head>', () => `${meta}\n</head>`)
}
