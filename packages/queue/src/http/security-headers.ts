/** What every answer tells a browser about itself; a route may say otherwise. Asked of helmet once: no request changes a word of it. */
import { createHash } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import { docsScript, docsStyle } from '../pages/docs-assets.ts'
import { plainStyleHash } from '../pages/plain-page.ts'
import type { App } from './fastify-app.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What a page of this origin may load: its own scripts, and of those inline only that of the reference, and the style of a sheet that it shows, so that a name with markup in it stays a name. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", hashOf(docsScript)],
    styleSrc: ["'self'", hashOf(docsStyle), plainStyleHash],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
}

function headersOfHelmet() {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet({ contentSecurityPolicy })(request, response, () => {})
  return response.getHeaders()
}

export function addSecurityHeaders(app: App): void {
  const headers = headersOfHelmet()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
