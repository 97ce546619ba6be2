/**
 * How the Markdown of the repository is read here: what it says is text, never HTML or an expression of Vue; links lead to pages of the
 * site, and a file of the repository that is no page is named instead of linked.
 */
import { relative } from 'node:path'
import { addressOf, anchorsOf, root, targetOf } from '../pages.mjs'

/** @param {import('markdown-it')} md */
export function readAsWritten(md) {
  md.set({ html: false })
  const { escapeHtml } = md.utils
  md.renderer.rules.text = (tokens, index) => escapeHtml(tokens[index].content).replaceAll('{{', '&#123;&#123;')
  md.core.ruler.push('as-written', ({ tokens, env }) => {
    const from = relative(root, env.realPath ?? env.path)
    for (const { children } of tokens) readInline(children ?? [], from)
  })
}

function readInline(tokens, from) {
  let isNamed = false
  for (const token of tokens) {
    if (token.type === 'code_inline') token.attrSet('v-pre', '')
    if (token.type === 'link_open') isNamed = !lead(token, from)
    if (token.type === 'link_close' && isNamed) token.tag = 'span'
  }
}

/** @returns whether it is a link still. @throws Error where it leads to nothing: the build fails */
function lead(token, from) {
  const href = token.attrGet('href')
  const target = targetOf(href, from)
  if (!target) return true
  const { file, anchor, isPage, exists } = target
  if (!exists) throw new Error(`${from}: a link leads to nothing: ${href}`)
  if (!isPage) {
    token.tag = 'span'
    token.attrs = [
      ['class', 'file'],
      ['title', file],
    ]
    return false
  }
  if (anchor && !anchorsOf(file).includes(anchor)) throw new Error(`${from}: ${file} has no heading for #${anchor}`)
  // within the page it stays as it is: by those of headings the search tells sections apart
  if (file !== from) token.attrSet('href', `${addressOf(file)}${anchor ? `#${anchor}` : ''}`)
  return true
}
