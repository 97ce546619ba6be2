/** A page for whoever follows a link of a message: plain HTML, without scripts and without anything from elsewhere. */
import { createHash } from 'node:crypto'
import type { Language } from '@courier-fleet/words'

export interface PlainPage {
  readonly language: Language
  readonly title: string
  readonly lines: readonly string[]
  /** what it says, and what is posted where it is pressed */
  readonly button?: { readonly label: string; readonly name: string; readonly value: string } | undefined
}

const style = `body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}
input:not([type=radio]){font:inherit;width:100%;box-sizing:border-box;padding:.5rem}
.apply svg{width:12rem;height:12rem;background:#fff}
button{font:inherit;padding:.7rem 1.4rem;cursor:pointer}
.strip{display:flex;gap:1.5rem;align-items:center;border-bottom:1px dashed;padding:1rem 0;break-inside:avoid}
.strip svg{flex:none;width:9rem;height:9rem;background:#fff}
.strip h2{margin:0;font-size:1.2rem}
.strip p{margin:.3rem 0}
@media (max-width:32rem){.strip{flex-direction:column;align-items:start}}
@media print{body{margin:0;max-width:none;font-size:11pt;color:#000;background:#fff}.not-printed{display:none}}`
/** as a Content-Security-Policy allows it */
export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
export const plainStyleHash = hashOf(style)

/** of its answer */
export const plainPageHeaders = {
  'content-security-policy': `default-src 'none'; style-src ${plainStyleHash}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
} as const

/** what the button posts, as a browser does */
export const formType = 'application/x-www-form-urlencoded'

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export function plainPage({ language, title, lines, button }: PlainPage): string {
  const form = button
    ? `<form method="post"><input type="hidden" name="${button.name}" value="${button.value}"><button>${escapeHtml(button.label)}</button></form>`
    : ''
  return htmlPage({ language, title, body: `${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}\n${form}` })
}

export interface HtmlPage extends Pick<PlainPage, 'language' | 'title'> {
  /** HTML, with all that comes from elsewhere escaped */
  readonly body: string
  /** what its answer has to allow */
  readonly script?: string
}

export function htmlPage({ language, title, body, script }: HtmlPage): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}</main>${script === undefined ? '' : `<script>${script}</script>`}</body></html>
`
}
