/** What a page of this origin may load: its own scripts, and of those inline only that of the reference, and the style of a sheet that it shows, so that a name with markup in it stays a name. */
import { createHash } from 'node:crypto'
import { docsScript, docsStyle } from '../pages/docs-assets.ts'
import { plainStyleHash } from '../pages/plain-page.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const contentSecurityPolicy = {
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
