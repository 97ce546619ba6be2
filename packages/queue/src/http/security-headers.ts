/** What every answer tells a browser about itself; a route may say otherwise. Written once: no request changes a word of it. */
import { createHash } from 'node:crypto'
import { docsScript, docsStyle } from '../pages/docs-assets.ts'
import { plainStyleHash } from '../pages/plain-page.ts'
import type { App } from './fastify-app.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What a page of this origin may load: its own scripts, and of those inline only that of the reference, and the style of a sheet that it shows, so that a name with markup in it stays a name. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(docsScript)}`,
  `style-src 'self' ${hashOf(docsStyle)} ${plainStyleHash}`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';')

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

export function addSecurityHeaders(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders)
    done()
  })
}
