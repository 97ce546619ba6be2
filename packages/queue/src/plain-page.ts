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
button{font:inherit;padding:.7rem 1.4rem;cursor:pointer}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** of its answer */
export const plainPageHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
} as const

/** what the button posts, as a browser does */
export const formType = 'application/x-www-form-urlencoded'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export function plainPage({ language, title, lines, button }: PlainPage): string {
  const form = button
    ? `<form method="post"><input type="hidden" name="${button.name}" value="${button.value}"><button>${escapeHtml(button.label)}</button></form>`
    : ''
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><h1>${escapeHtml(title)}</h1>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
${form}</body></html>
`
}
